import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { Connection } from '../src/bullmq/connections.ts';
import { RedisQueue } from '../src/bullmq/redis-queue.ts';
import { redisAddressOf } from '../src/bullmq/redis-address.ts';
import { DEFAULT_QUEUE_LIMITS } from '../src/limits.ts';
import { answer, flowOf, item, recordOf } from './evaluations.ts';
import type { JobQueue } from '../src/ports.ts';
import { redisInstalled, startRedis } from './private-redis.ts';
import { studyOf, TEXT_STUDIES } from './study-jobs.ts';
import type { TextForms } from './study-jobs.ts';
import type { PrivateRedis } from './private-redis.ts';
import { sampled } from '../../../testing/thorough.ts';

/** Ways in which other software, or an operator, damages a key. */
const DAMAGES = ['another type', 'garbage', 'nothing'] as const;
type Damage = (typeof DAMAGES)[number];

describe.skipIf(!redisInstalled)('the service continues to work, and other jobs survive,', () => {
  let redis: PrivateRedis;
  let connection: Connection;
  let queue: RedisQueue;
  let studies: JobQueue<TextForms>;
  let reported: string[];
  let leave: () => Promise<void>;
  let stop: () => Promise<void>;

  beforeAll(async () => {
    redis = await startRedis();
    connection = redis.connect();
  });
  beforeEach(async () => {
    await redis.flush();
    reported = [];
    const limits = { ...DEFAULT_QUEUE_LIMITS, heartbeatMs: 200 };
    queue = new RedisQueue(redisAddressOf(redis.url), { limits, repaired: (names) => void reported.push(...names) });
    leave = await queue.seats.join(2);
    studies = queue.open(TEXT_STUDIES);
    const stops = [queue.line.serve(perform), studies.line.serve(study, 100)];
    stop = async () => void (await Promise.all(stops.map((end) => end())));
  });
  afterEach(async () => {
    await stop();
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
      // The transaction is necessary, because a heartbeat may write the key at any time.
      const emptied = connection.multi().del(name);
      return void (await (type === 'list' ? emptied.sadd(name, 'x') : emptied.rpush(name, 'x')).exec());
    }
    const junk = 'garbage"{\u0001';
    if (type === 'hash') for (const field of await connection.hkeys(name)) await connection.hset(name, field, junk);
    else if (type === 'zset') await connection.zadd(name, 1, junk);
    // A list of BullMQ may be empty by now.
    else if (type === 'list') await connection.lset(name, 0, junk).catch(() => undefined);
    else if (type === 'set') await connection.sadd(name, junk);
    else if (type === 'string') await connection.set(name, junk, 'KEEPTTL');
  }

  /** Stores a result for each part of a job. The job `held` is performed until its signal is aborted. */
  async function perform(id: string, signal: AbortSignal): Promise<'over' | 'retry'> {
    const job = await queue.jobs.begin(id);
    if (id === 'held' && job) await new Promise((resolve) => signal.addEventListener('abort', resolve));
    for (let part = 0; part < (job?.parts ?? 0) && !signal.aborted; part++)
      if (job?.done.has(part) === false && (await queue.jobs.part(job, part)))
        await queue.jobs.store(job, { part, bytes: 2, result: answer('{}', 3) });
    return signal.aborted ? 'retry' : 'over';
  }

  /** Performs a study. The study `held` is performed until its signal is aborted. */
  async function study(id: string, signal: AbortSignal): Promise<'over' | 'retry'> {
    const job = await studies.jobs.begin(id);
    if (job) await studies.jobs.note(job, 'begun');
    if (id === 'held' && job) await new Promise((resolve) => signal.addEventListener('abort', resolve));
    if (job && !signal.aborted && (await studies.jobs.part(job, 0)) !== undefined)
      await studies.jobs.store(job, { part: 0, bytes: 5, result: 'report', note: 'done' });
    return signal.aborted ? 'retry' : 'over';
  }

  /** Performs work that leaves a key of every kind: jobs that wait, run and are over, tokens, prices and definitions. */
  async function fill(): Promise<void> {
    const parts = [[item('{}')], [item('{}')]];
    expect(await queue.jobs.submit(recordOf('done'), parts)).toBe('accepted');
    await expect.poll(async () => (await queue.jobs.progress('done'))?.phase, { interval: 5 }).toBe('complete');
    expect(await queue.jobs.submit(recordOf('held'), parts)).toBe('accepted');
    await expect.poll(() => connection.exists('{assay}:bull:jobs-normal:held:lock'), { interval: 5 }).toBe(1);
    // No process performs this job, because its submission is never completed.
    expect(await queue.jobs.add(recordOf('receiving'), parts, 'partial')).toBe('accepted');
    for (const id of ['low-1', 'low-2', 'low-3'])
      expect(await queue.jobs.submit(recordOf(id, { flow: flowOf('batch', { level: 'low' }) }), parts)).toBe('accepted');
    for (const id of ['held', 'waits']) expect(await studies.jobs.submit(studyOf(id), ['order'])).toBe('accepted');
    await expect.poll(() => studies.jobs.noted('held'), { interval: 5 }).toBe('begun');
    await queue.threadTime.charge('2027-01-31', 'client', 5);
    const again = await queue.jobs.begin('held');
    if (again) await queue.jobs.store(again, { part: 0, bytes: 2, result: answer('{}', 3) });
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

  /** Submits a job, waits until it is over, and returns the phase in which it ends. */
  async function evaluateOnce(): Promise<string | undefined> {
    const id = `new-${Math.random()}`;
    await queue.jobs.submit(recordOf(id), [[item('{}')]]);
    for (let tries = 0; tries < 300; tries++) {
      const phase = (await queue.jobs.progress(id))?.phase;
      if (phase === 'complete') expect(await queue.jobs.result(id, 0)).toMatchObject({ verdicts: ['{}'] });
      if (phase !== 'running') return phase;
      await new Promise((resolve) => setTimeout(resolve, 10));
    }
    return 'no end';
  }

  /** Submits a study of a new flow, waits until it is over, and returns its report. */
  async function studyOnce(): Promise<string | undefined> {
    const id = `new-${Math.random()}`;
    await studies.jobs.submit(studyOf(id, id), ['order']);
    return studies.jobs.result(id, 0, AbortSignal.timeout(3000));
  }

  /** Expects that a new job finishes. The job that meets the damage may fail, and is sent again. */
  async function expectService(): Promise<void> {
    await patient(async () => expect(await evaluateOnce()).toBe('complete'));
    // From now on, no job fails.
    expect(await evaluateOnce()).toBe('complete');
    await patient(async () => expect(await studyOnce()).toBe('report'));
    await patient(() => queue.jobs.depth());
    expect(await patient(() => queue.threadTime.charged('2027-01-31', 'client'))).toBeGreaterThanOrEqual(0);
    await patient(() => queue.tokens.take([{ name: 'client', perSecond: 1, size: 2, tokens: 1 }]));
    expect((await queue.prices.exchange({ learned: new Map(), wanted: ['sha256:d'] })).get('sha256:d') ?? 0).toBeGreaterThanOrEqual(0);
  }

  it.each(sampled(DAMAGES, 3))(
    'if foreign software writes %s into any single key',
    async (how) => {
      await fill();
      const names = (await connection.keys('{assay}*')).filter((name) => !name.endsWith(':events'));
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

  it.each(DAMAGES)('if foreign software writes %s into all keys at once', async (how) => {
    await fill();
    for (const name of await connection.keys('{assay}*')) await damage(name, how);
    await expectService();
  });

  it('and stores a damaged key for a day under another name', async () => {
    await fill();
    await damage('{assay}:charges', 'another type');
    await expectService();
    expect(await connection.type('{assay}:damaged:charges')).toBe('list');
    expect(await connection.pttl('{assay}:damaged:charges')).toBeGreaterThan(86_000_000);
  });
});
