import type { TokenStore } from '#jobs';
import { SharedRate } from './shared-rate.ts';
import type { Rate } from './shared-rate.ts';
import { TokenBucket } from './token-bucket.ts';
import type { RateLimit } from './token-bucket.ts';
import { TokenLeases } from './token-leases.ts';

/**
 * Returns a function that creates a rate limit from a rate. Without a store, the limit counts only the requests of this process. With a
 * store, all processes that use the store share the limit.
 */
export function rateLimits(store: TokenStore | undefined): (rate: Rate) => RateLimit {
  if (store === undefined) return ({ perSecond, burst }) => new TokenBucket(perSecond, burst);
  const leases = new TokenLeases(store);
  return (rate) => new SharedRate(rate, (request) => leases.take(request));
}
