import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { Level } from '#runner/flow';
import { answer, flowOf, item, recordOf } from '../../test/evaluations.ts';
import { redisInstalled, startRedis } from '../../test/private-redis.ts';
import type { PrivateRedis } from '../../test/private-redis.ts';
import { studyOf, TEXT_STUDIES } from '../../test/study-jobs.ts';
import { DEFAULT_QUEUE_LIMITS } from '../limits.ts';
import type { PerformJob, StoreAnswer } from '../ports.ts';
import type { Connection } from './connections.ts';
import { redisAddressOf } from './redis-address.ts';
import { RedisQueue } from './redis-queue.ts';

describe.skipIf(!redisInstalled)('lines of waiting jobs over BullMQ', () => {
  let redis: PrivateRedis;
  let connection: Connection;
  let queue: RedisQueue;
  const ends: (() => Promise<void>)[] = [];
  beforeAll(async () => {
    redis = await startRedis();
    connection = redis.connect();
  });
  beforeEach(async () => {
    await redis.flush();
    queue = open();
  });
  afterEach(async () => {
    for (const end of ends.splice(0).toReversed()) await end();
  });
  afterAll(() => {
    connection.disconnect();
    redis.stop();
  });

  function open(limits = {}): RedisQueue {
    const opened = new RedisQueue(redisAddressOf(redis.url), { limits: { ...DEFAULT_QUEUE_LIMITS, heartbeatMs: 100, ...limits } });
    ends.push(() => opened.close());
    return opened;
  }
  async function submit(id: string, level: Level = 'normal'): Promise<void> {
    expect(await queue.jobs.submit(recordOf(id, { flow: flowOf('batch', { level }) }), [[item('{}')], [item('{}')]])).toBe('accepted');
  }
  /** Returns the ids of the jobs that wait in BullMQ, the next first. */
  const standing = async (): Promise<readonly string[]> => (await connection.lrange('{assay}:bull:jobs-normal:wait', 0, -1)).toReversed();
  const stand = (...ids: readonly string[]): Promise<void> => expect.poll(standing).toEqual(ids);

  /** Performs jobs in `by`, and returns the ids in the order in which they began. */
  function perform(by: RedisQueue): readonly string[] {
    const begun: string[] = [];
    const stop = by.line.serve(async (id) => {
      const job = await by.jobs.begin(id);
      if (job) begun.push(id);
      for (const part of [0, 1]) if (job) await by.jobs.store(job, { part, bytes: 2, result: answer('x') });
      return 'over';
    });
    ends.push(stop);
    return begun;
  }
  /** Performs jobs in `by` until their signals are aborted. Returns the ids that began and ended, and a function that stops this. */
  function hold(by: RedisQueue): { readonly begun: string[]; readonly stopped: string[]; readonly stop: () => Promise<void> } {
    const [begun, stopped]: [string[], string[]] = [[], []];
    const wait: PerformJob = async (id, signal) => {
      if (await by.jobs.begin(id)) begun.push(id);
      await new Promise((resolve) => signal.addEventListener('abort', resolve));
      stopped.push(id);
      return 'retry';
    };
    return { begun, stopped, stop: by.line.serve(wait) };
  }

  it('hold two jobs of a flow in BullMQ, and hand over the next one when a job ends, is cancelled or is deleted', async () => {
    for (const id of ['e1', 'e2', 'e3', 'e4', 'e5', 'e6']) await submit(id);
    await stand('e1', 'e2');
    await queue.jobs.cancel('e1');
    await stand('e2', 'e3');
    await queue.jobs.forget('e3');
    await stand('e2', 'e4');
    const job = await queue.jobs.begin('e2');
    if (!job) throw new Error('e2 did not begin');
    for (const part of [0, 1]) await queue.jobs.store(job, { part, bytes: 2, result: answer('x') });
    await expect.poll(standing).toContain('e5');
    // The line never offers a job that was cancelled while it waited in the list of its flow.
    await queue.jobs.cancel('e6');
    expect(perform(queue)).toEqual([]);
    await expect.poll(() => queue.jobs.depth()).toMatchObject({ jobs: 0 });
    expect(await connection.keys('{assay}:line:*')).toEqual([]);
  });

  it("show operators the flow, the size and the definition of a job, but not the job's content", async () => {
    await submit('e1');
    await stand('e1');
    const { data } = await connection.hgetall('{assay}:bull:jobs-normal:e1');
    expect(JSON.parse(data ?? '')).toEqual({ flow: 'normal/batch', parts: 2, bytes: 4 });
  });

  it('show operators the progress of a study', async () => {
    const studies = open({ leaseMs: 300 }).open(TEXT_STUDIES);
    await studies.jobs.submit(studyOf('s1'), ['order']);
    ends.push(
      studies.line.serve(async (id, signal) => {
        const job = await studies.jobs.begin(id);
        // The progress of these studies is the length of their note.
        if (job) await studies.jobs.note(job, 'x'.repeat(42));
        await new Promise((resolve) => signal.addEventListener('abort', resolve));
        return 'retry';
      }),
    );
    await expect.poll(() => connection.hget('{assay}:bull:jobs-study:study/s1', 'progress')).toBe('42');
  });

  it('receive jobs whose process died before it added them', async () => {
    const add = queue.lines.add.bind(queue.lines);
    queue.lines.add = () => Promise.resolve();
    await submit('e1');
    queue.lines.add = add;
    expect(await standing()).toEqual([]);
    expect(perform(open())).toEqual([]);
    await expect.poll(() => queue.jobs.progress('e1')).toMatchObject({ phase: 'complete' });
  });

  it('give a job to another process if its process dies, and ignore later results of the dead process', async () => {
    const dead = open({ leaseMs: 400 });
    let late: Promise<StoreAnswer> | undefined;
    const died = Promise.withResolvers<undefined>();
    const silence = Promise.withResolvers<undefined>();
    dead.line.serve(async (id) => {
      const job = await dead.jobs.begin(id);
      died.resolve(undefined);
      await silence.promise;
      late = job && queue.jobs.store(job, { part: 0, bytes: 2, result: answer('late') });
      return 'over';
    });
    await submit('e1');
    await died.promise;
    await dead.close();
    const begun = performance.now();
    const taken = hold(open({ leaseMs: 400 }));
    await expect.poll(() => taken.begun).toEqual(['e1']);
    expect(performance.now() - begun).toBeLessThan(3000);
    silence.resolve(undefined);
    await expect.poll(() => late).toBeDefined();
    expect(await late).toBe('gone');
    await taken.stop();
  });

  it("stop a process's work on a job if the process lost its lock and another process performs the job", async () => {
    const one = open({ leaseMs: 600 });
    const first = hold(one);
    ends.push(first.stop);
    await submit('e1');
    await expect.poll(() => first.begun).toEqual(['e1']);
    await connection.set('{assay}:bull:jobs-normal:e1:lock', 'another');
    await expect.poll(() => first.stopped).toEqual(['e1']);
    await connection.del('{assay}:bull:jobs-normal:e1:lock');
    await expect.poll(() => first.begun).toEqual(['e1', 'e1']);
  });

  it('keep a job locked as long as its process performs it', async () => {
    const one = open({ leaseMs: 300 });
    const held = hold(one);
    const other = perform(open({ leaseMs: 300 }));
    await submit('e1');
    await expect.poll(() => held.begun.length + other.length).toBe(1);
    if (held.begun.length === 1) {
      await new Promise((resolve) => setTimeout(resolve, 1500));
      expect([held.begun, held.stopped, other]).toEqual([['e1'], [], []]);
    }
    await held.stop();
  });

  it('give jobs to other processes at once when a process stops', async () => {
    const held = hold(queue);
    for (const id of ['e1', 'e2', 'e3']) await submit(id);
    await expect.poll(() => held.begun.toSorted()).toEqual(['e1', 'e2']);
    const begun = performance.now();
    await held.stop();
    expect(held.stopped.toSorted()).toEqual(['e1', 'e2']);
    expect((await standing()).toSorted()).toEqual(['e1', 'e2']);
    const order = perform(open());
    await expect.poll(() => order.toSorted(), { interval: 10 }).toEqual(['e1', 'e2', 'e3']);
    expect(performance.now() - begun).toBeLessThan(2000);
  });

  it('stop within two seconds while Redis does not respond', async () => {
    const held = hold(queue);
    await submit('e1');
    await expect.poll(() => held.begun).toEqual(['e1']);
    redis.signal('SIGSTOP');
    const begun = performance.now();
    await held.stop();
    expect(performance.now() - begun).toBeLessThan(3000);
    redis.signal('SIGCONT');
  });

  it('are not polled while a level has no jobs, and are polled again after a new job', async () => {
    const one = open({ heartbeatMs: 20 });
    perform(one);
    const blocked = async (): Promise<number> =>
      String(await connection.call('CLIENT', 'LIST'))
        .split('\n')
        .filter((client) => client.includes('cmd=bzpopmin')).length;
    for (const id of ['e1', 'e2']) {
      await submit(id);
      await expect.poll(() => queue.jobs.progress(id)).toMatchObject({ phase: 'complete' });
      await expect.poll(blocked).toBe(1);
      await expect.poll(blocked).toBe(0);
    }
  });

  it('let other levels continue if one level is full', async () => {
    const held: string[] = [];
    ends.push(
      queue.line.serve(async (id, signal) => {
        const job = await queue.jobs.begin(id);
        held.push(id);
        if (id.startsWith('low')) await new Promise((resolve) => signal.addEventListener('abort', resolve));
        else for (const part of [0, 1]) if (job) await queue.jobs.store(job, { part, bytes: 2, result: answer('x') });
        return id.startsWith('low') ? 'retry' : 'over';
      }),
    );
    for (let i = 0; i < 20; i++)
      await queue.jobs.submit(recordOf(`low-${i}`, { flow: flowOf(`low-${i}`, { level: 'low' }) }), [[item('{}')]]);
    await expect.poll(() => held.length).toBe(16);
    for (const level of ['exempt', 'high', 'normal'] as const) await submit(level, level);
    for (const level of ['exempt', 'high', 'normal'])
      await expect.poll(() => queue.jobs.progress(level)).toMatchObject({ phase: 'complete' });
  });

  it.each(['wait', 'active', 'marker', 'meta', 'id', 'events', 'stalled', 'stalled-check', 'delayed', 'prioritized', 'e1', 'e1:lock'])(
    'continue after foreign software damaged the key %s',
    async (name) => {
      await submit('e1');
      await stand('e1');
      const key = `{assay}:bull:jobs-normal:${name}`;
      const damaged = connection.multi().del(key);
      await (['wait', 'active'].includes(name) ? damaged.sadd(key, 'x') : damaged.rpush(key, 'x')).exec();
      perform(open({ leaseMs: 500 }));
      await submit('e2');
      for (const id of ['e1', 'e2']) await expect.poll(() => queue.jobs.progress(id)).toMatchObject({ phase: 'complete' });
    },
  );
});
