import { LRUCache } from 'lru-cache';
import { TokenBucket } from './token-bucket.ts';

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
