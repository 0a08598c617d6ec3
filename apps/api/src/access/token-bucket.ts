/** A limit on how often a client may ask. */
export interface RateLimit {
  /** Takes a token and returns 0; if there is none, returns the whole seconds (at least 1) after which there will be one. */
  take(): number | Promise<number>;
}

/** A rate with bursts: a bucket of tokens that fills at a steady rate; each request takes one. */
export class TokenBucket implements RateLimit {
  readonly #perSecond: number;
  readonly #size: number;
  readonly #now: () => number;
  #tokens: number;
  #filledAt: number;

  /** `size`: how many requests may come at once. `now`: a monotonic clock, ms. */
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

  /** Returns what {@link take} would, and takes nothing. */
  waitSeconds(): number {
    const now = this.#now();
    const gained = (Math.max(0, now - this.#filledAt) / 1000) * this.#perSecond;
    this.#tokens = Math.min(this.#size, this.#tokens + gained);
    this.#filledAt = now;
    return this.#tokens < 1 ? wholeSeconds((1 - this.#tokens) / this.#perSecond) : 0;
  }
}

/** Returns a time as Retry-After tells it: whole seconds, at least 1. */
export function wholeSeconds(seconds: number): number {
  return Math.max(1, Math.ceil(seconds));
}
