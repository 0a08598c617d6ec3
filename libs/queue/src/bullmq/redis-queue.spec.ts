import { Redis } from 'ioredis';
import { afterAll, beforeAll, describe } from 'vitest';
import { queueContract } from '../../test/contract.ts';
import { redisInstalled, startRedis } from '../../test/private-redis.ts';
import type { PrivateRedis } from '../../test/private-redis.ts';
import { DEFAULT_QUEUE_LIMITS } from '../limits.ts';
import { RedisQueue } from './redis-queue.ts';

let redis: PrivateRedis | undefined;
let namespaces = 0;

describe.skipIf(!redisInstalled)('a private redis-server', () => {
  beforeAll(async () => {
    redis = await startRedis();
  });
  afterAll(() => redis?.stop());
  const url = (): string => redis?.url ?? '';

  queueContract('Redis', {
    open: (limits) => Promise.resolve(new RedisQueue(url(), `test-${++namespaces}`, { ...DEFAULT_QUEUE_LIMITS, ...limits })),
    reopen: async () => {
      const queue = new RedisQueue(url(), `test-${namespaces}`);
      // What a dead consumer had claimed comes back when its lease ends; here that is brought about at once.
      await queue.expireLeases();
      return queue;
    },
    lose: async (what) => {
      const client = new Redis(url());
      if (what === 'everything') await client.flushall();
      else {
        const keys = await client.keys(`{test-${namespaces}}:${what}*`);
        if (keys.length === 0) throw new Error(`there is no ${what} to lose`);
        await client.del(keys);
      }
      client.disconnect();
    },
  });
});
