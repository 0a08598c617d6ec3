import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { Connection } from '../src/bullmq/connections.ts';
import { RedisQueue } from '../src/bullmq/redis-queue.ts';
import { redisAddressOf } from '../src/bullmq/redis-settings.ts';
import { DEFAULT_QUEUE_LIMITS } from '../src/limits.ts';
import type { Claim } from '../src/ports.ts';
import { answer, item, recordOf } from './evaluations.ts';
import { redisInstalled, startRedis } from './private-redis.ts';
import type { PrivateRedis } from './private-redis.ts';
import { sampled } from '../../../testing/thorough.ts';

/** Ways in which other software, or an operator, damages a key. */
const DAMAGES = ['another type', 'garbage', 'nothing'] as const;
type Damage = (typeof DAMAGES)[number];

describe.skipIf(!redisInstalled)('a key that others damaged costs at most its own evaluation', () => {
  let redis: PrivateRedis;
  let connection: Connection;
  let queue: RedisQueue;
  let reported: string[];
  let leave: () => Promise<void>;

  beforeAll(async () => {
    redis = await startRedis();
    connection = redis.connect();
  });
  beforeEach(async () => {
    await redis.flush();
    reported = [];
    const limits = { ...DEFAULT_QUEUE_LIMITS, heartbeatMs: 200 };
    queue = new RedisQueue(redisAddressOf(redis.url), { limits, repaired: (names) => void reported.push(...names) });
    leave = await queue.work.join(2);
  });
  afterEach(async () => {
    await leave().catch(() => undefined);
    await queue.close();
  });
  afterAll(() => {
    connection?.disconnect();
    redis?.stop();
  });

  async function damage(name: string, how: Damage): Promise<void> {
    const type = await connection.type(name);
    if (how === 'nothing') return void (await connection.del(name));
    if (how === 'another type') {
      // In one transaction: the heartbeat of the queue may write the key at any time.
      const emptied = connection.multi().del(name);
      return void (await (type === 'list' ? emptied.sadd(name, 'x') : emptied.rpush(name, 'x')).exec());
    }
    const junk = 'garbage"{\u0001';
    if (type === 'hash') for (const field of await connection.hkeys(name)) await connection.hset(name, field, junk);
    else if (type === 'zset') await connection.zadd(name, 1, junk);
    else if (type === 'list') await connection.lset(name, 0, junk);
    else if (type === 'set') await connection.sadd(name, junk);
    else if (type === 'string') await connection.set(name, junk, 'KEEPTTL');
  }

  /** Performs work that leaves a key of every kind: waiting, claimed, stored and finished evaluations, tokens, prices and definitions. */
  async function fill(): Promise<void> {
    for (const id of ['done', 'claimed', 'waiting']) expect(await queue.work.submit(recordOf(id), [[item('{}')]])).toBe('accepted');
    const first = await queue.work.claim(AbortSignal.timeout(5000));
    if (first) await queue.work.commit(first, answer('{}', 3), 5);
    await queue.work.claim(AbortSignal.timeout(5000));
    await queue.tokens.take([{ name: 'client', perSecond: 1, size: 2, tokens: 1 }]);
    await queue.prices.exchange({ learned: new Map([['sha256:d', 1]]), wanted: [] });
  }

  /** Runs an action again while it fails, as a client does that gets a 503. */
  async function patient<Answer>(act: () => Promise<Answer>): Promise<Answer> {
    for (let tries = 0; ; tries++)
      try {
        return await act();
      } catch (error) {
        if (tries === 10) throw error;
        await new Promise((resolve) => setTimeout(resolve, 200));
      }
  }

  /** Submits an evaluation, judges all chunks, and returns the phase in which the evaluation ends. */
  async function evaluateOnce(): Promise<string | undefined> {
    const id = `new-${Math.random()}`;
    await queue.work.submit(recordOf(id), [[item('{}')]]);
    for (let tries = 0; tries < 10; tries++) {
      const claim: Claim | undefined = await queue.work.claim(AbortSignal.timeout(300));
      if (claim) await queue.work.commit(claim, answer('{}', 3), 5);
      const phase = (await queue.results.progress(id))?.phase;
      if (phase === 'complete') expect(await queue.results.result(id, 0)).toMatchObject({ verdicts: ['{}'] });
      if (phase !== 'running') return phase;
    }
    return 'no end';
  }

  /** Expects that a new evaluation finishes. The evaluation that meets the damage may fail, and is sent again. */
  async function expectService(): Promise<void> {
    await patient(async () => expect(await evaluateOnce()).toBe('complete'));
    // From now on no evaluation fails.
    expect(await evaluateOnce()).toBe('complete');
    await patient(() => queue.work.depth());
    await patient(() => queue.tokens.take([{ name: 'client', perSecond: 1, size: 2, tokens: 1 }]));
    expect(await queue.work.expectedItemMs(['sha256:d'])).toBeGreaterThanOrEqual(0);
  }

  it.each(sampled(DAMAGES, 3))(
    '%s in every single key',
    async (how) => {
      await fill();
      const names = (await connection.keys('{assay}*')).filter((name) => !name.includes(':bull:chunks:events'));
      expect(names.length).toBeGreaterThan(25);
      const failures: string[] = [];
      for (const name of names.toSorted()) {
        await redis.flush();
        await fill();
        await damage(name, how);
        await expectService().catch((error: unknown) => failures.push(`${name}: ${String(error)}`));
      }
      expect(failures).toEqual([]);
      if (how === 'another type') expect(reported).toContain('{assay}:living');
    },
    120_000,
  );

  it.each(DAMAGES)('%s in all keys at once', async (how) => {
    await fill();
    for (const name of await connection.keys('{assay}*')) await damage(name, how);
    await expectService();
  });

  it('the damaged key is kept for a day under another name', async () => {
    await fill();
    await damage('{assay}:leases', 'another type');
    await expectService();
    expect(await connection.type('{assay}:damaged:leases')).toBe('list');
    expect(await connection.pttl('{assay}:damaged:leases')).toBeGreaterThan(86_000_000);
  });
});
