import { serialize } from 'node:v8';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { Connection } from '../src/bullmq/connections.ts';
import { RedisQueue } from '../src/bullmq/redis-queue.ts';
import { redisAddressOf } from '../src/bullmq/redis-address.ts';
import { UnreadableContent } from '../src/at-rest/sealing.ts';
import { isUnavailable } from '../src/unavailable.ts';
import { answer, item, recordOf } from './evaluations.ts';
import { redisInstalled, startRedis } from './private-redis.ts';
import type { PrivateRedis } from './private-redis.ts';

describe.skipIf(!redisInstalled)("data of foreign software under the queue's keys in Redis", () => {
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
  const record = (): string => queue.store.keys.job('e1');

  it.each([
    ['bytes', Buffer.from('junk')],
    ['a value of another form', serialize(5)],
    ['an object of another form', serialize({ a: 1 })],
    ['what looks sealed', Buffer.of(2, 3, 1)],
  ])('gives an UnreadableContent error in the place of a record: %s', async (_, bytes) => {
    await connection.hset(record(), 'record', bytes);
    expect(await failure(queue.jobs.record('e1'))).toBeInstanceOf(UnreadableContent);
  });

  it.each([
    ['bytes', Buffer.from('junk')],
    ['a form of compression without its content', Buffer.of(1, 9)],
    ['a value of another form', Buffer.concat([Buffer.of(0), serialize('x')])],
  ])('gives an UnreadableContent error in the place of a result or a definition: %s', async (_, bytes) => {
    await connection.hset(queue.store.keys.results('e1'), '0', bytes);
    await connection.set(queue.store.keys.definition('d'), bytes);
    expect(await failure(queue.jobs.result('e1', 0))).toBeInstanceOf(UnreadableContent);
    expect(await failure(queue.definitions.get('d'))).toBeInstanceOf(UnreadableContent);
  });

  it('is reported as an unavailable storage if its Redis type is wrong', async () => {
    await connection.set(record(), 'text');
    for (const work of [queue.jobs.record('e1'), queue.jobs.progress('e1'), queue.jobs.result('e1', 0), queue.jobs.forget('e1')])
      expect(isUnavailable(await failure(work))).toBe(true);
  });

  it('makes no step of a submission fail, except with an error for an unavailable storage', async () => {
    expect(await queue.jobs.submit(recordOf('e0'), [[item('{}')]])).toBe('accepted');
    const ours = await connection.keys('{assay}*');
    for (const name of ours) {
      await redis.flush();
      const other = (await connection.type(name)) === 'list' ? 'set' : 'list';
      await (other === 'set' ? connection.sadd(name, 'x') : connection.rpush(name, 'x'));
      const outcome = await failure(queue.jobs.submit(recordOf('e1'), [[item('{}')]]));
      expect(outcome === 'nothing failed' || isUnavailable(outcome), `${name}: ${String(outcome)}`).toBe(true);
    }
  });

  /** Replaces the value of a key by a value of a type that the queue never stores under this key. */
  async function takePlace(name: string): Promise<void> {
    const isList = (await connection.type(name)) === 'list';
    // The transaction is necessary, because a heartbeat may write the key at any time.
    const emptied = connection.multi().del(name);
    await (isList ? emptied.sadd(name, 'x') : emptied.rpush(name, 'x')).exec();
  }
  /** Performs all jobs by storing a result for each part, and returns the ids of the jobs in the order in which they began. */
  function perform(): { readonly begun: string[]; readonly stop: () => Promise<void> } {
    const begun: string[] = [];
    const stop = queue.line.serve(async (id) => {
      const job = await queue.jobs.begin(id);
      if (job) begun.push(id);
      for (let part = 0; part < (job?.parts ?? 0); part++)
        if (job && (await queue.jobs.part(job, part))) await queue.jobs.store(job, { part, bytes: 2, result: answer('x') });
      return 'over';
    });
    return { begun, stop };
  }
  const [patience, never] = [15_000, 'nothing came'];
  const soon = (work: Promise<unknown>): Promise<unknown> =>
    Promise.race([failure(work), new Promise((done) => setTimeout(() => done(never), patience).unref())]);

  it.each([
    'load:jobs',
    'load:parts',
    'load:bytes',
    'load:results',
    'charges',
    'charged',
    'line:named',
    'line:wait:normal/batch',
    'line:stand:normal/batch',
    'index:evaluation',
    'living',
    'ended',
    'consumers',
    'seats',
    'free',
    'bull:jobs-normal:wait',
    'bull:jobs-normal:active',
    'bull:jobs-normal:meta',
    'bull:jobs-normal:stalled-check',
    'bull:jobs-normal:e1',
  ])('is replaced, so that the job is completed or reported as lost: %s', async (name) => {
    const leave = await queue.seats.join(1);
    expect(await queue.jobs.submit(recordOf('e1'), [[item('{}')]])).toBe('accepted');
    await takePlace(`${queue.store.keys.prefix}:${name}`);
    await expectGoesOn();
    await leave().catch(() => undefined);
  });

  /** Expects that the job `e1` is complete, or has failed, or is unknown. A read that meets the damage may fail. */
  async function expectGoesOn(): Promise<void> {
    const { stop } = perform();
    await expect
      .poll(
        () =>
          queue.jobs.progress('e1').then(
            (progress) => progress?.phase,
            () => 'unreadable',
          ),
        { timeout: patience, interval: 100 },
      )
      .toSatisfy((phase) => phase === 'complete' || phase === 'failed' || phase === undefined);
    await stop();
  }

  it.each(['ev', 'body', 'res'])('in a key of one job (%s) ends no other job', async (kind) => {
    expect(await queue.jobs.submit(recordOf('e1'), [[item('{}')]])).toBe('accepted');
    expect(await queue.jobs.submit(recordOf('e2'), [[item('{}')]])).toBe('accepted');
    await takePlace(`${queue.store.keys.prefix}:${kind}:e1`);
    const { stop } = perform();
    await expect.poll(() => queue.jobs.progress('e2'), { timeout: patience }).toMatchObject({ phase: 'complete' });
    expect(await soon(queue.jobs.result('e1', 0))).not.toBe(never);
    await stop();
  });

  it('is not assumed if a wait takes long: waiting on valid keys ends only at its time limit', async () => {
    expect(await queue.jobs.submit(recordOf('e1'), [[item('{}')]])).toBe('accepted');
    const stop = AbortSignal.timeout(2500);
    expect(await queue.jobs.result('e1', 0, stop)).toBeUndefined();
    expect(stop.aborted).toBe(true);
  });

  it('is omitted from the list of jobs', async () => {
    await queue.jobs.submit(recordOf('e1'), []);
    await connection.zadd(queue.store.keys.index('evaluation'), 1, 'study/s1');
    expect(await queue.jobs.list(10)).toEqual(['e1']);
    // An entry without a job is removed if it is older than any job may be.
    await connection.zadd(queue.store.keys.index('evaluation'), 1, 'x');
    await queue.jobs.submit(recordOf('e2'), []);
    expect(await queue.jobs.list(10)).toEqual(['e2', 'e1']);
    await connection.del(queue.store.keys.index('evaluation'));
    await connection.set(queue.store.keys.index('evaluation'), 'x');
    expect(await queue.jobs.list(10)).toEqual([]);
  });
});
