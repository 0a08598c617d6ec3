import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { redisInstalled, startRedis } from '../../test/private-redis.ts';
import type { PrivateRedis } from '../../test/private-redis.ts';
import type { TokenStore } from '../ports.ts';
import { RedisQueue } from './redis-queue.ts';
import { redisAddressOf } from './redis-address.ts';

describe.skipIf(!redisInstalled)('tokens of a rate limit that all processes share', () => {
  let redis: PrivateRedis;
  beforeAll(async () => {
    redis = await startRedis();
  });
  afterAll(() => redis.stop());

  const ask = async (
    store: TokenStore | undefined,
    name: string,
    tokens: number,
    [perSecond, size]: readonly [number, number] = [1, 10],
  ): Promise<number> => (await store?.take([{ name, perSecond, size, tokens }]))?.[0]?.tokens ?? NaN;

  it('are granted once among all processes', async () => {
    const open = (): RedisQueue => new RedisQueue(redisAddressOf(redis.url), { namespace: 'once' });
    const [one, two] = [open(), open()];
    await Promise.all([one.probe(), two.probe()]);
    expect([await ask(one.tokens, 'a', 4), await ask(two.tokens, 'a', 4), await ask(one.tokens, 'a', 4)]).toEqual([4, 4, 2]);
    // Each rate has its own tokens, and one request may ask for several.
    const both = await two.tokens.take(['a', 'b'].map((rate) => ({ name: rate, perSecond: 1, size: 10, tokens: 3 })));
    expect(both.map(({ tokens }) => tokens)).toEqual([0, 3]);
    expect(both[0]?.waitMs).toBeGreaterThan(0);
    expect(both[0]?.waitMs).toBeLessThanOrEqual(1000);
    expect(both[1]?.waitMs).toBe(0);
    expect(both[0]?.processes).toBe(2);
    await Promise.all([one.close(), two.close()]);
  });

  it('are refilled at the rate, up to the maximum', async () => {
    const queue = new RedisQueue(redisAddressOf(redis.url), { namespace: 'fill' });
    await queue.probe();
    const rate = [200, 5] as const;
    expect(await ask(queue.tokens, 'a', 9, rate)).toBe(5);
    await pause(100);
    expect(await ask(queue.tokens, 'a', 9, rate)).toBe(5);
    await queue.close();
  });

  it('leave no key in Redis when all tokens are available again', async () => {
    const queue = new RedisQueue(redisAddressOf(redis.url), { namespace: 'ttl' });
    await queue.probe();
    await ask(queue.tokens, 'a', 1, [10, 20]);
    const left = await queue.store.redis.pttl('{ttl}:tokens:a');
    expect(left).toBeGreaterThan(2000);
    expect(left).toBeLessThanOrEqual(3000);
    await queue.close();
  });
});
