import { LRUCache } from 'lru-cache';
import { TokenBucket } from './token-bucket.ts';

/** Failures in a row that an address may have at once, and after that a minute. */
const BURST = 20;
const PER_SECOND = BURST / 60;
const REMEMBERED_ADDRESSES = 10_000;

/** Failed authentications by address. An address that fails often is asked to wait, and its failures fill no log. A known client never waits here. */
export class FailedAttempts {
  readonly #buckets = new LRUCache<string, TokenBucket>({ max: REMEMBERED_ADDRESSES });

  /** Counts a failure; answers the seconds after which the address may try again, 0 while it has failed seldom. */
  count(address: string): number {
    const bucket = this.#buckets.get(address) ?? new TokenBucket(PER_SECOND, BURST);
    this.#buckets.set(address, bucket);
    return bucket.take();
  }
}
