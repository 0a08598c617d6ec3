import { LRUCache } from 'lru-cache';

/** Limit on how often a client may send requests. */
export interface RateLimit {
  /** Takes a token and returns 0. If no token is left, returns the whole seconds (at least 1) until the next token is available. */
  take(): number | Promise<number>;
}

/** Token bucket that allows a rate with bursts. The bucket fills at a steady rate, and each request takes one token. */
export class TokenBucket implements RateLimit {
  readonly #perSecond: number;
  readonly #size: number;
  readonly #now: () => number;
  #tokens: number;
  #filledAt: number;

  /** Creates a full bucket. `size` is the number of requests that may arrive at once. `now` returns the time of a monotonic clock in ms. */
  constructor(perSecond: number, size: number, now: () => number = () => performance.now()) {
    this.#perSecond = perSecond;
    this.#size = size;
    this.#now = now;
    this.#tokens = size;
    this.#filledAt = now();
  }

  take(): number {
    const seconds = this.waitSeconds();
    if (seconds === 0) this.#tokens -= 1;
    return seconds;
  }

  /** Returns the value that {@link take} would return, without taking a token. */
  waitSeconds(): number {
    const now = this.#now();
    const gained = (Math.max(0, now - this.#filledAt) / 1000) * this.#perSecond;
    this.#tokens = Math.min(this.#size, this.#tokens + gained);
    this.#filledAt = now;
    return this.#tokens < 1 ? wholeSeconds((1 - this.#tokens) / this.#perSecond) : 0;
  }
}

/** Rounds a duration up to whole seconds, at least 1, for the `Retry-After` header. */
export function wholeSeconds(seconds: number): number {
  return Math.max(1, Math.ceil(seconds));
}

/**
 * Number of authentications that may fail at once for one address before the address must wait. Afterwards the same number may fail per
 * minute.
 */
const BURST = 20;
const PER_SECOND = BURST / 60;
const REMEMBERED_ADDRESSES = 10_000;

/**
 * Counter of failed authentications per address. An address that fails too often must wait, and its failures are not logged while it waits.
 * A request with a valid identity is never counted or delayed.
 */
export class FailedAttempts {
  readonly #buckets = new LRUCache<string, TokenBucket>({ max: REMEMBERED_ADDRESSES });

  /**
   * Counts a failed authentication. Returns the seconds after which the address may try again; 0 if the address is within its allowance.
   */
  count(address: string): number {
    const bucket = this.#buckets.get(address) ?? new TokenBucket(PER_SECOND, BURST);
    this.#buckets.set(address, bucket);
    return bucket.take();
  }
}
