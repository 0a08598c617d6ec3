import { serialize } from 'node:v8';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { Connection } from '../src/bullmq/connections.ts';
import { RedisQueue } from '../src/bullmq/redis-queue.ts';
import { redisAddressOf } from '../src/bullmq/redis-settings.ts';
import { UnreadableContent } from '../src/at-rest/sealing.ts';
import { isUnavailable } from '../src/unavailable.ts';
import { item, recordOf } from './evaluations.ts';
import { redisInstalled, startRedis } from './private-redis.ts';
import type { PrivateRedis } from './private-redis.ts';

describe.skipIf(!redisInstalled)('what others wrote into Redis', () => {
  let redis: PrivateRedis;
  let connection: Connection;
  let queue: RedisQueue;

  beforeAll(async () => {
    redis = await startRedis();
    connection = redis.connect();
    queue = new RedisQueue(redisAddressOf(redis.url));
  });
  beforeEach(() => redis.flush());
  afterAll(async () => {
    await queue?.close();
    connection?.disconnect();
    redis?.stop();
  });

  const failure = (work: Promise<unknown>): Promise<unknown> =>
    work.then(
      () => 'nothing failed',
      (error: unknown) => error,
    );
  const record = (): string => queue.store.keys.evaluation('e1');

  it.each([
    ['bytes', Buffer.from('junk')],
    ['a value of another form', serialize(5)],
    ['an object of another form', serialize({ a: 1 })],
    ['what looks sealed', Buffer.of(2, 3, 1)],
  ])('is not read as a record: %s', async (_, bytes) => {
    await connection.hset(record(), 'record', bytes);
    expect(await failure(queue.results.record('e1'))).toBeInstanceOf(UnreadableContent);
  });

  it.each([
    ['bytes', Buffer.from('junk')],
    ['a form of compression without its content', Buffer.of(1, 9)],
    ['a value of another form', Buffer.concat([Buffer.of(0), serialize('x')])],
  ])('is not read as a result or a definition: %s', async (_, bytes) => {
    await connection.hset(queue.store.keys.results('e1'), '0', bytes);
    await connection.set(queue.store.keys.definition('d'), bytes);
    expect(await failure(queue.results.result('e1', 0))).toBeInstanceOf(UnreadableContent);
    expect(await failure(queue.definitions.get('d'))).toBeInstanceOf(UnreadableContent);
  });

  it('is told as a storage that cannot serve, if its type is another', async () => {
    await connection.set(record(), 'text');
    for (const work of [
      queue.results.record('e1'),
      queue.results.progress('e1'),
      queue.results.result('e1', 0),
      queue.results.forget('e1'),
    ])
      expect(isUnavailable(await failure(work))).toBe(true);
  });

  it('is told as a storage that cannot serve, wherever a submission meets it', async () => {
    expect(await queue.work.submit(recordOf('e0'), [[item('{}')]])).toBe('accepted');
    const ours = await connection.keys('{assay}*');
    for (const name of ours) {
      await redis.flush();
      const other = (await connection.type(name)) === 'list' ? 'set' : 'list';
      await (other === 'set' ? connection.sadd(name, 'x') : connection.rpush(name, 'x'));
      const outcome = await failure(queue.work.submit(recordOf('e1'), [[item('{}')]]));
      expect(outcome === 'nothing failed' || isUnavailable(outcome), `${name}: ${String(outcome)}`).toBe(true);
    }
  });

  /** Replaces the value of a key by a value of a type that the queue never stores under this key. */
  async function takePlace(name: string): Promise<void> {
    const isList = (await connection.type(name)) === 'list';
    // In one transaction: the heartbeat of the queue may write the key at any time.
    const emptied = connection.multi().del(name);
    await (isList ? emptied.sadd(name, 'x') : emptied.rpush(name, 'x')).exec();
  }
  const claims = (): Promise<unknown> => queue.work.claim(AbortSignal.timeout(60_000));
  const [patience, never] = [15_000, 'nothing came'];
  const soon = (work: Promise<unknown>): Promise<unknown> =>
    Promise.race([failure(work), new Promise((done) => setTimeout(() => done(never), patience).unref())]);

  it.each([
    'fq:run',
    'fq:v',
    'fq:chunks',
    'fq:ready:',
    'fq:ready:exempt',
    'fq:ready:normal',
    'leases',
    'leased',
    'leaves',
    'living',
    'consumers',
    'seats',
  ])('is repaired, so that an evaluation goes on or is told as lost: %s', async (name) => {
    await queue.work.join(1);
    expect(await queue.work.submit(recordOf('e1'), [[item('{}')]])).toBe('accepted');
    await takePlace(`${queue.store.keys.prefix}:${name}`);
    await expectGoesOn();
  });

  it('is repaired where it lies deep in the tree of queues', async () => {
    expect(await queue.work.submit(recordOf('e1'), [[item('{}')]])).toBe('accepted');
    const deep = await connection.keys(`${queue.store.keys.prefix}:fq:ready:normal/*`);
    expect(deep).not.toEqual([]);
    for (const name of deep) await takePlace(name);
    await expectGoesOn();
  });

  /** Expects that the evaluation `e1` is claimed, or has failed, or is unknown. A claim that meets the damage may fail. */
  async function expectGoesOn(): Promise<void> {
    await expect
      .poll(
        async () => {
          const claim = await queue.work.claim(AbortSignal.timeout(200)).catch(() => undefined);
          const progress = await queue.results.progress('e1').catch(() => undefined);
          return claim?.chunk.evaluation === 'e1' || progress === undefined || progress.phase === 'failed';
        },
        { timeout: patience, interval: 100 },
      )
      .toBe(true);
  }

  it.each(['ev', 'wait', 'body'])('under the name of one evaluation (%s) ends that one and no other', async (kind) => {
    expect(await queue.work.submit(recordOf('e1'), [[item('{}')]])).toBe('accepted');
    expect(await queue.work.submit(recordOf('e2'), [[item('{}')]])).toBe('accepted');
    await takePlace(`${queue.store.keys.prefix}:${kind}:e1`);
    expect(await claims()).toMatchObject({ chunk: { evaluation: 'e2' } });
    expect(await soon(queue.results.result('e1', 0))).not.toBe(never);
  });

  it('does not end what waits for long, where all is as it must be', async () => {
    expect(await queue.work.submit(recordOf('e1'), [[item('{}')]])).toBe('accepted');
    const stop = AbortSignal.timeout(2500);
    expect(await queue.results.result('e1', 0, stop)).toBeUndefined();
    expect(stop.aborted).toBe(true);
  });

  it('is not listed', async () => {
    await connection.set(record(), 'text');
    await connection.hset(queue.store.keys.evaluation('e2'), 'record', 'x');
    expect(await queue.results.list(10)).toEqual(['e2']);
  });
});
