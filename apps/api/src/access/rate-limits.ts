import type { TokenGrant, TokenRequest, TokenStore } from '#jobs';
import { SharedRate } from './shared-rate.ts';
import type { Rate } from './shared-rate.ts';
import { TokenBucket } from './token-bucket.ts';
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
