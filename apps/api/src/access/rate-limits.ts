import type { TokenGrant, TokenRequest, TokenStore } from '#jobs';
import { TokenBucket, wholeSeconds } from './token-bucket.ts';
import type { RateLimit } from './token-bucket.ts';

interface Waiting {
  readonly request: TokenRequest;
  readonly resolve: (grant: TokenGrant) => void;
  readonly reject: (reason: unknown) => void;
}

/**
 * Client of a token store, which grants the tokens of several rate limits. It collects all token requests from one turn of the event loop
 * and sends them to the store as one request.
 */
class TokenLeases {
  readonly #store: TokenStore;
  #waiting: Waiting[] = [];

  constructor(store: TokenStore) {
    this.#store = store;
  }

  /** Requests tokens from the store. Rejects if the store is not available. */
  take(request: TokenRequest): Promise<TokenGrant> {
    return new Promise((resolve, reject) => {
      if (this.#waiting.length === 0) setImmediate(() => void this.#send());
      this.#waiting.push({ request, resolve, reject });
    });
  }

  async #send(): Promise<void> {
    const waiting = this.#waiting;
    this.#waiting = [];
    try {
      const grants = await this.#store.take(waiting.map(({ request }) => request));
      for (const [i, { resolve, reject }] of waiting.entries()) {
        const grant = grants[i];
        if (grant) resolve(grant);
        else reject(new RangeError('the store answered fewer requests than it was sent'));
      }
    } catch (error) {
      for (const { reject } of waiting) reject(error);
    }
  }
}

/**
 * Returns a function that creates a rate limit from a rate. Without a store, the limit counts only the requests of this process. With a
 * store, all processes that use the store share the limit.
 */
export function rateLimits(store: TokenStore | undefined): (rate: Rate) => RateLimit {
  if (store === undefined) return ({ perSecond, burst }) => new TokenBucket(perSecond, burst);
  const leases = new TokenLeases(store);
  return (rate) => new SharedRate(rate, (request) => leases.take(request));
}

/**
 * Time in ms that sets how many tokens a node leases in advance. A node leases as many tokens as its clients use in this time at their
 * present request rate.
 */
const AHEAD_MS = 200;
/**
 * Time in ms that sets the minimum lease of a node. The minimum lease is the tokens that the whole rate yields in this time, but at least
 * one token.
 */
const MIN_AHEAD_MS = 20;
/**
 * Shortest pause, in ms, between an answer of the store that it has too few tokens and the next query. Without the pause, each request
 * would cause a store command during overload.
 */
const REFUSED_MS = 50;

/** Permitted rate of requests, with its name and burst size. */
export interface Rate {
  /** Name of the rate, the same on all nodes. It distinguishes this rate from the rates of other clients. */
  readonly name: string;
  readonly perSecond: number;
  /** Number of requests that may arrive at once. */
  readonly burst: number;
}

/**
 * Rate limit that all API processes (nodes) share through a token store. A node leases tokens from the store in advance, in proportion to
 * how often its clients send requests. Usually a request finds a token at the node. A request waits for the store only if the node has no
 * token left. If the store is not available, each node enforces an equal share of the rate.
 */
export class SharedRate implements RateLimit {
  readonly #rate: Rate;
  readonly #lease: (request: TokenRequest) => Promise<TokenGrant>;
  readonly #now: () => number;
  /**
   * Limits the requests that this node admits at once to the burst of the rate. The store alone cannot do this, because it grants tokens in
   * coarse portions.
   */
  readonly #burst: TokenBucket;
  /** Rate limiter that is used while the store is not available; undefined while the store is available. */
  #alone: TokenBucket | undefined;
  #tokens = 0;
  /** Number of requests since the last query to the store. */
  #attempts = 0;
  #queriedAt: number;
  /** Time in ms, by the clock `now`, until which the store is known to have no tokens. */
  #emptyUntil = -Infinity;
  #asking: Promise<boolean> | undefined;
  #processes = 1;

  /**
   * Creates the limiter. `lease` requests tokens from the store and rejects if the store is not available. `now` returns the time of a
   * monotonic clock in ms.
   */
  constructor(rate: Rate, lease: (request: TokenRequest) => Promise<TokenGrant>, now: () => number = () => performance.now()) {
    this.#rate = rate;
    this.#lease = lease;
    this.#now = now;
    this.#burst = new TokenBucket(rate.perSecond, rate.burst, now);
    this.#queriedAt = now();
  }

  take(): number | Promise<number> {
    this.#attempts += 1;
    const seconds = this.#takeHere();
    if (seconds === undefined) return this.#takeFromStore();
    if (this.#tokens <= this.#ahead / 2 && this.#now() >= this.#emptyUntil) void this.#ask();
    return seconds;
  }

  /** Takes a token of this node and returns 0, or returns the seconds to wait. Returns undefined if the store must be queried. */
  #takeHere(): number | undefined {
    const seconds = this.#burst.waitSeconds();
    if (seconds > 0) return seconds;
    if (this.#tokens >= 1) {
      this.#tokens -= 1;
      return this.#burst.take();
    }
    const emptyMs = this.#emptyUntil - this.#now();
    return emptyMs > 0 ? wholeSeconds(emptyMs / 1000) : undefined;
  }

  async #takeFromStore(): Promise<number> {
    let seconds: number | undefined;
    do {
      if (!(await this.#ask())) return this.#takeAlone();
      seconds = this.#takeHere();
      // Other requests may have taken all the new tokens, so the loop tries again.
    } while (seconds === undefined);
    return seconds;
  }

  #takeAlone(): number {
    const { perSecond, burst } = this.#rate;
    this.#alone ??= new TokenBucket(perSecond / this.#processes, Math.max(1, burst / this.#processes), this.#now);
    return this.#alone.take();
  }

  /**
   * Number of tokens (at least 1) that this node should hold in advance. The tokens should last for `AHEAD_MS`, at the request rate since
   * the last query to the store.
   */
  get #ahead(): number {
    const elapsedMs = Math.max(this.#now() - this.#queriedAt, AHEAD_MS);
    const wanted = (this.#attempts * AHEAD_MS) / elapsedMs;
    return Math.max(1, Math.floor((this.#rate.perSecond * MIN_AHEAD_MS) / 1000), Math.ceil(wanted));
  }

  /** Queries the store for tokens. Concurrent callers share one query. Resolves to false if the store is not available. */
  #ask(): Promise<boolean> {
    this.#asking ??= this.#askStore().finally(() => (this.#asking = undefined));
    return this.#asking;
  }

  async #askStore(): Promise<boolean> {
    const { name, perSecond, burst } = this.#rate;
    const size = Math.max(burst, Math.ceil((perSecond * AHEAD_MS) / 1000));
    const tokens = Math.min(this.#ahead, size);
    this.#attempts = 0;
    this.#queriedAt = this.#now();
    try {
      const grant = await this.#lease({ name, perSecond, size, tokens });
      this.#processes = grant.processes;
      this.#alone = undefined;
      this.#tokens += grant.tokens;
      if (grant.tokens < tokens) this.#emptyUntil = this.#now() + Math.max(grant.waitMs, REFUSED_MS);
      return true;
    } catch {
      return false;
    }
  }
}
