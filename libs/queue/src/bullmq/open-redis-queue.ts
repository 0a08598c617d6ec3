import type { QueueAdapter } from '../ports.ts';
import type { RedisAddress } from './redis-address.ts';
import { RedisQueue } from './redis-queue.ts';
import type { RedisQueueOptions } from './redis-queue.ts';
import { ShardedQueue } from './sharded-queue.ts';

/** The queue over a Redis: one, or one made of shards where its address says so. */
export function openRedisQueue(address: RedisAddress, options: RedisQueueOptions = {}): QueueAdapter {
  return address.shards === undefined || address.shards === 1
    ? new RedisQueue(address, options)
    : new ShardedQueue(address, address.shards, options);
}
