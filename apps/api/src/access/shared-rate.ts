import type { TokenGrant, TokenRequest } from '#queue';
import { TokenBucket, wholeSeconds } from './token-bucket.ts';
import type { RateLimit } from './token-bucket.ts';

/** A node holds tokens for so long ahead, as its clients ask now, ms. */
const AHEAD_MS = 200;
/** It holds those of so many ms of the whole rate at least, and one. */
const LEAST_AHEAD_MS = 20;
/** If the store had too few, it is not asked again within this time, ms: in overload, requests do not become commands. */
const REFUSED_MS = 50;

/** A rate, and the burst that it allows. */
export interface Rate {
  /** Tells it from the rates of other clients, in all nodes. */
  readonly name: string;
  readonly perSecond: number;
  /** Requests that may come at once. */
  readonly burst: number;
}

/**
 * A rate that all nodes share. A node leases tokens ahead from the store, in proportion to how often its clients ask, so that a request finds one here.
 * Only a request that finds none waits for the store. If the store does not serve, each node has an equal part of the rate.
 */
export class SharedRate implements RateLimit {
  readonly #rate: Rate;
  readonly #lease: (request: TokenRequest) => Promise<TokenGrant>;
  readonly #now: () => number;
  /** Keeps one node from spending at once more than the burst: tokens in the store are coarser. */
  readonly #burst: TokenBucket;
  /** Counts while the store does not serve. */
  #alone: TokenBucket | undefined;
  #tokens = 0;
  /** Requests since the store was asked last. */
  #attempts = 0;
  #queriedAt: number;
  /** The store has nothing until then, by `now`. */
  #emptyUntil = -Infinity;
  #asking: Promise<boolean> | undefined;
  #processes = 1;

  /** `lease` rejects if the store does not serve. `now`: a monotonic clock, ms. */
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

  /** Returns undefined if only the store can tell. */
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
      // Others took all that came.
    } while (seconds === undefined);
    return seconds;
  }

  #takeAlone(): number {
    const { perSecond, burst } = this.#rate;
    this.#alone ??= new TokenBucket(perSecond / this.#processes, Math.max(1, burst / this.#processes), this.#now);
    return this.#alone.take();
  }

  /** Tokens that this node should hold, as its clients ask since the last lease. */
  get #ahead(): number {
    const elapsedMs = Math.max(this.#now() - this.#queriedAt, AHEAD_MS);
    const wanted = (this.#attempts * AHEAD_MS) / elapsedMs;
    return Math.max(1, Math.floor((this.#rate.perSecond * LEAST_AHEAD_MS) / 1000), Math.ceil(wanted));
  }

  /** Asks the store once, however many wait; resolves to false if it does not serve. */
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
