import { latestServer } from '#kube';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { DocumentSlice } from '#documents';
import { DEFAULT_FLOW_LIMITS } from '#runner/flow';
import type { Refusal } from '#runner/flow';
import type { QueueLimits } from '../src/limits.ts';
import type { BegunJob, EvaluationRecord, JobQueue, JobStore, QueueAdapter, StoreAnswer } from '../src/ports.ts';
import { answer, flowOf, item, recordOf } from './evaluations.ts';
import { studyOf, TEXT_STUDIES } from './study-jobs.ts';
import type { TextForms } from './study-jobs.ts';

const never = new AbortController().signal;

const definitionOf = (digest: string) => ({ digest, slice: item('{"kind":"CustomResourceDefinition"}'), ...latestServer() });

type Parts = readonly (readonly DocumentSlice[])[];

/** Store of jobs whose submission can be made in steps. `JobStore.submit` consists of these steps. */
export interface SteppedJobs extends JobStore {
  add(record: EvaluationRecord, parts: Parts, extent: 'whole' | 'partial'): Promise<'accepted' | 'exists' | Refusal>;
  append(id: string, firstItem: number, parts: Parts, extent: 'whole' | 'partial'): Promise<'added' | 'over' | Refusal>;
}

/** Queue of which the contract tests make each step of a submission. */
export interface SteppedQueue extends QueueAdapter {
  readonly jobs: SteppedJobs;
}

/** Functions that create queues of one kind for the contract tests, and that damage the queue's storage. */
export interface AdapterKind {
  /** Opens a queue over an empty storage. */
  readonly open: (limits?: Partial<QueueLimits>) => Promise<SteppedQueue>;
  /** Opens another adapter over the same storage, after the first adapter was closed or its process died. */
  readonly reopen?: () => Promise<SteppedQueue>;
  /** Deletes the keys in the storage whose names begin with `what`. Absent if other software cannot damage the storage. */
  readonly lose?: (what: string) => Promise<void>;
}

/** Declares the tests that every implementation of the queue ports must pass. */
export function queueContract(name: string, { open, reopen, lose }: AdapterKind): void {
  describe(`queue contract: ${name}`, () => {
    let queue: SteppedQueue;
    beforeEach(async () => {
      queue = await open();
    });
    afterEach(() => queue.close());

    async function begin(id: string): Promise<BegunJob> {
      const begun = await queue.jobs.begin(id);
      if (!begun) throw new Error(`${id} cannot begin`);
      return begun;
    }

    const store = (job: BegunJob, part: number, verdict: string): Promise<StoreAnswer> =>
      queue.jobs.store(job, { part, bytes: 2, result: answer(verdict) });

    /** Replaces the queue of the test by a new queue with the given limits. */
    async function openWith(limits: Partial<QueueLimits>): Promise<void> {
      await queue.close();
      queue = await open(limits);
    }

    /** Submits a job with `parts` parts of one item each. */
    const wait = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

    /**
     * Returns a list of the cancelled jobs that are reported from now on, and a function that ends this. The subscription takes a moment,
     * and messages before it do not arrive. So jobs are cancelled until one is reported.
     */
    async function hearCancellations(): Promise<{ readonly reported: readonly string[]; readonly stop: () => void }> {
      const reported: string[] = [];
      const stop = queue.jobs.onCancelled((id) => reported.push(id));
      for (let n = 0; reported.length === 0; n++) {
        await submit(recordOf(`before-${n}`));
        await queue.jobs.cancel(`before-${n}`);
        await wait(20);
      }
      return { reported, stop };
    }

    async function submit(record: EvaluationRecord, parts = 1): Promise<void> {
      const items = Array.from({ length: parts }, () => [item('{}')]);
      expect(await queue.jobs.submit(record, items)).toBe('accepted');
    }

    describe('a job', () => {
      it.each([1, 30])('of %i parts is accepted as a whole, once', async (parts) => {
        const items = Array.from({ length: parts }, (_, i) => [item(`{"a":${i}}`)]);
        expect(await queue.jobs.submit(recordOf('e1'), items)).toBe('accepted');
        expect(await queue.jobs.submit(recordOf('e1'), items)).toBe('exists');
        expect(await queue.jobs.append('e1', parts, [[item('{}')]], 'whole')).toBe('over');
        const job = await begin('e1');
        expect(job).toMatchObject({ parts, startsWithoutResult: 1, starts: 1, celSpent: 0, record: { id: 'e1' } });
        for (let i = 0; i < parts; i++) {
          const part = await queue.jobs.part(job, i);
          expect(part?.firstItem).toBe(i);
          expect(Buffer.from(part?.items[0]?.bytes ?? []).toString()).toBe(`{"a":${i}}`);
          expect(await store(job, i, `${i}`)).toBe('stored');
        }
        expect(await queue.jobs.progress('e1')).toMatchObject({ phase: 'complete', partsDone: parts, partsTotal: parts });
        expect(await queue.jobs.begin('e1')).toBeUndefined();
      });

      it('without parts is complete at once', async () => {
        await submit(recordOf('empty'), 0);
        expect(await queue.jobs.progress('empty')).toMatchObject({ phase: 'complete', partsTotal: 0 });
      });

      it.each([2, 30])('of %i parts that is refused in the middle leaves no data', async (parts) => {
        const limits = { ...flowOf('a').limits, bytes: 9 };
        const record = recordOf('e1', { flow: { ...flowOf('a'), limits } });
        const items = Array.from({ length: parts }, () => [item('{"a":1}')]);
        expect(await queue.jobs.submit(record, items)).toBe('flow-bytes');
        expect(await queue.jobs.progress('e1')).toBeUndefined();
        expect(await queue.jobs.depth()).toMatchObject({ jobs: 0, waiting: 0, waitingBytes: 0 });
        expect(await queue.jobs.submit(record, items.slice(0, 1))).toBe('accepted');
      });

      it('that arrives in steps begins when it is complete', async () => {
        expect(await queue.jobs.add(recordOf('e1'), [[item('{"a":1}')]], 'partial')).toBe('accepted');
        expect(await queue.jobs.add(recordOf('e1'), [], 'partial')).toBe('exists');
        expect(await queue.jobs.progress('e1')).toMatchObject({ phase: 'receiving', partsTotal: 1 });
        expect(await queue.jobs.begin('e1')).toBeUndefined();
        for (let i = 0; i < 2; i++) expect(await queue.jobs.append('e1', 1, [[item('{"a":2}')]], 'partial')).toBe('added');
        expect(await queue.jobs.progress('e1')).toMatchObject({ phase: 'receiving', partsTotal: 2 });
        for (let i = 0; i < 2; i++) await queue.jobs.append('e1', 2, [], 'whole');
        expect(await queue.jobs.progress('e1')).toMatchObject({ phase: 'running', partsDone: 0, partsTotal: 2 });
        expect(await queue.jobs.part(await begin('e1'), 1)).toMatchObject({ firstItem: 1 });
      });

      it('stores each result once, in any order', async () => {
        await submit(recordOf('e1'), 2);
        const job = await begin('e1');
        expect(await store(job, 1, 'two')).toBe('stored');
        expect(await store(job, 1, 'again')).toBe('duplicate');
        expect((await queue.jobs.result('e1', 1))?.verdicts).toEqual(['two']);
        expect(await queue.jobs.progress('e1')).toMatchObject({ phase: 'running', partsDone: 1, partsTotal: 2, tally: { items: 1 } });
        expect(await store(job, 0, 'one')).toBe('stored');
        expect(await queue.jobs.progress('e1')).toMatchObject({ phase: 'complete', tally: { items: 2, accepted: 2 } });
        expect(await store(job, 0, 'again')).toBe('duplicate');
        expect(await queue.jobs.result('e1', 2)).toBeUndefined();
      });

      it('that begins again keeps its results, and its earlier start can store no more', async () => {
        await submit(recordOf('e1'), 3);
        const dead = await begin('e1');
        expect(await store(dead, 1, 'one')).toBe('stored');
        const next = await begin('e1');
        expect(next).toMatchObject({ startsWithoutResult: 1, starts: 2, celSpent: 3, parts: 3 });
        expect([...next.done]).toEqual([1]);
        expect(await queue.jobs.held([dead, next])).toEqual([false, true]);
        expect(await queue.jobs.part(dead, 0)).toBeUndefined();
        expect(await store(dead, 0, 'late')).toBe('gone');
        expect(await store(dead, 1, 'later')).toBe('duplicate');
        expect(await store(next, 0, 'good')).toBe('stored');
        expect((await queue.jobs.result('e1', 0))?.verdicts).toEqual(['good']);
        expect(await queue.jobs.progress('e1')).toMatchObject({ phase: 'running', partsDone: 2, tally: { items: 2 } });
      });

      it('counts the starts without a result', async () => {
        await submit(recordOf('e1'), 2);
        for (const startsWithoutResult of [1, 2, 3]) expect(await begin('e1')).toMatchObject({ startsWithoutResult });
        const job = await begin('e1');
        await store(job, 0, 'one');
        expect(await begin('e1')).toMatchObject({ startsWithoutResult: 1, starts: 5 });
      });

      it('with the id of a deleted job is a new job', async () => {
        await submit(recordOf('e1'));
        const old = await begin('e1');
        await queue.jobs.forget('e1');
        await submit(recordOf('e1'));
        expect(await store(old, 0, 'late')).toBe('gone');
        const next = await begin('e1');
        expect(await queue.jobs.held([old, next])).toEqual([false, true]);
        expect(await store(next, 0, 'good')).toBe('stored');
      });

      it('wakes readers that wait for a result', async () => {
        await submit(recordOf('e1'), 2);
        const awaited = queue.jobs.result('e1', 0);
        const change = queue.jobs.changed('e1', never);
        await store(await begin('e1'), 0, 'one');
        expect((await awaited)?.verdicts).toEqual(['one']);
        await change;
      });

      it('that is cancelled notifies its listeners, and refuses late results', async () => {
        const { reported, stop } = await hearCancellations();
        await submit(recordOf('e1'), 2);
        const running = await begin('e1');
        const awaited = queue.jobs.result('e1', 0);
        expect(await queue.jobs.cancel('e1')).toBe(true);
        expect(await awaited).toBeUndefined();
        expect(await store(running, 0, 'late')).toBe('gone');
        expect(await queue.jobs.held([running])).toEqual([false]);
        expect(await queue.jobs.begin('e1')).toBeUndefined();
        expect(await queue.jobs.progress('e1')).toMatchObject({ phase: 'cancelled', partsDone: 0 });
        expect(await queue.jobs.depth()).toMatchObject({ jobs: 0, waiting: 0, waitingBytes: 0 });
        expect(await queue.jobs.cancel('e1')).toBe(false);
        await expect.poll(() => reported, { timeout: 60_000 }).toContain('e1');
        stop();
      });

      it('reports its end once', async () => {
        const ends: string[] = [];
        const stop = queue.jobs.onEnded(({ id, end }) => ends.push(`${id} ${end}`));
        await submit(recordOf('d1'), 2);
        const job = await begin('d1');
        await store(job, 0, 'one');
        expect(ends).toEqual([]);
        await store(job, 1, 'two');
        expect(ends).toEqual(['d1 complete']);
        // A job without items ends at once.
        await submit(recordOf('d3'), 0);
        // The second cancellation has no effect.
        for (const id of ['d4', 'd5']) await submit(recordOf(id));
        for (const id of ['d4', 'd4']) await queue.jobs.cancel(id);
        expect(ends).toEqual(['d1 complete', 'd3 complete', 'd4 cancelled']);
        // The deletion of a job is not an end.
        await queue.jobs.forget('d5');
        stop();
        await submit(recordOf('d7'), 0);
        expect(ends).toHaveLength(3);
      });

      it('is readable by the listeners of its end', async () => {
        const reported = new Promise<unknown>((resolve) => {
          queue.jobs.onEnded(({ id, end }) => {
            const read = Promise.all([queue.jobs.record(id), queue.jobs.progress(id)]);
            void read.then(([record, progress]) => resolve([end, record?.owner, progress?.phase, progress?.tally]));
          });
        });
        await submit(recordOf('d1'), 2);
        await store(await begin('d1'), 0, 'one');
        await queue.jobs.cancel('d1');
        expect(await reported).toEqual(['cancelled', 'alpha', 'cancelled', answer('one').tally]);
      });

      it('has the owner of its key, or none without a key', async () => {
        await submit(recordOf('e1'));
        await submit(recordOf('e2', { owner: undefined }));
        expect(await queue.jobs.record('e1')).toMatchObject({ id: 'e1', owner: 'alpha', flow: flowOf('batch') });
        const open = await queue.jobs.record('e2');
        expect([open?.id, open?.owner]).toEqual(['e2', undefined]);
      });

      it('is listed, up to the requested number', async () => {
        expect(await queue.jobs.list(10)).toEqual([]);
        await submit(recordOf('e1'));
        await submit(recordOf('e2'));
        expect([...(await queue.jobs.list(10))].toSorted()).toEqual(['e1', 'e2']);
        expect(await queue.jobs.list(1)).toHaveLength(1);
        await queue.jobs.forget('e1');
        expect(await queue.jobs.list(10)).toEqual(['e2']);
      });

      it('is deleted with all its counts', async () => {
        await submit(recordOf('e1'), 3);
        await store(await begin('e1'), 1, 'one');
        expect(await queue.jobs.depth()).toMatchObject({ jobs: 1, waiting: 2, waitingBytes: 4, resultBytes: 3 });
        await queue.jobs.forget('e1');
        expect(await queue.jobs.progress('e1')).toBeUndefined();
        expect(await queue.jobs.depth()).toEqual({ jobs: 0, waiting: 0, waitingBytes: 0, resultBytes: 0 });
      });

      it.skipIf(!reopen)('continues after a restart', async () => {
        await submit(recordOf('kept'), 2);
        await store(await begin('kept'), 0, 'before');
        await queue.close();
        queue = (await reopen?.()) ?? queue;
        expect(await queue.jobs.record('kept')).toMatchObject({ owner: 'alpha', flow: flowOf('batch') });
        expect((await queue.jobs.result('kept', 0))?.verdicts).toEqual(['before']);
        expect(await queue.jobs.depth()).toMatchObject({ jobs: 1, waiting: 1, waitingBytes: 2 });
        const again = await begin('kept');
        expect(again).toMatchObject({ starts: 2, startsWithoutResult: 1, celSpent: 3 });
        expect([...again.done]).toEqual([0]);
        expect(await store(again, 1, 'after')).toBe('stored');
        expect(await queue.jobs.progress('kept')).toMatchObject({ phase: 'complete', tally: { items: 2 } });
      });
    });

    describe('the line', () => {
      /** Performs all jobs of the line by storing a result for each part. Returns the order in which the jobs began. */
      function perform(): { readonly order: string[]; readonly stop: () => Promise<void> } {
        const order: string[] = [];
        const stop = queue.line.serve(async (id) => {
          const job = await queue.jobs.begin(id);
          if (job) order.push(id);
          for (let i = 0; i < (job?.parts ?? 0); i++) await store(job!, i, 'x');
          return 'over';
        });
        return { order, stop };
      }

      it('performs existing jobs and new jobs', async () => {
        await submit(recordOf('before'));
        const { order, stop } = perform();
        await expect.poll(() => order, { timeout: 60_000 }).toEqual(['before']);
        await submit(recordOf('after'));
        await expect.poll(() => order, { timeout: 60_000 }).toEqual(['before', 'after']);
        await stop();
      });

      it('performs all jobs of a flow, without delaying another flow', async () => {
        for (let i = 0; i < 20; i++) await submit(recordOf(`many-${i}`, { flow: flowOf('many') }));
        await submit(recordOf('single', { flow: flowOf('single') }));
        const { order, stop } = perform();
        await expect.poll(() => order.length, { timeout: 60_000 }).toBe(21);
        expect(order.indexOf('single')).toBeLessThan(6);
        expect(order.filter((id) => id !== 'single')).toHaveLength(20);
        await stop();
      });

      it('skips a job that is cancelled before its turn', async () => {
        for (let i = 0; i < 5; i++) await submit(recordOf(`e${i}`));
        for (const id of ['e0', 'e3']) await queue.jobs.cancel(id);
        const { order, stop } = perform();
        await expect.poll(() => order.length, { timeout: 60_000 }).toBe(3);
        expect(order.toSorted()).toEqual(['e1', 'e2', 'e4']);
        await stop();
      });

      it('stops: running jobs are notified, and are performed again later', async () => {
        await submit(recordOf('e1'));
        const begun = Promise.withResolvers<undefined>();
        const stop = queue.line.serve(async (id, signal) => {
          await queue.jobs.begin(id);
          begun.resolve(undefined);
          await new Promise((resolve) => signal.addEventListener('abort', resolve));
          return 'retry';
        });
        await begun.promise;
        await stop();
        const next = perform();
        await expect.poll(() => next.order, { timeout: 60_000 }).toEqual(['e1']);
        await next.stop();
      });

      it('performs a job again if its storage did not respond', async () => {
        await submit(recordOf('e1'));
        let calls = 0;
        const stop = queue.line.serve(() => (++calls === 1 ? Promise.reject(new Error('Connection is closed')) : Promise.resolve('over')));
        await expect.poll(() => calls, { timeout: 60_000 }).toBe(2);
        await stop();
      });
    });

    it('lists jobs newest first, until they are deleted', async () => {
      for (const id of ['e1', 'e2', 'e3']) {
        await submit(recordOf(id));
        await wait(2);
      }
      await queue.jobs.cancel('e2');
      expect(await queue.jobs.list(2)).toEqual(['e3', 'e2']);
      await queue.jobs.forget('e3');
      expect(await queue.jobs.list(10)).toEqual(['e2', 'e1']);
    });

    describe('studies', () => {
      let studies: JobQueue<TextForms>;
      const open = (): void => void (studies = queue.open(TEXT_STUDIES));
      beforeEach(open);

      async function beginStudy(id: string): Promise<BegunJob<TextForms>> {
        const begun = await studies.jobs.begin(id);
        if (!begun) throw new Error(`${id} cannot begin`);
        return begun;
      }

      it('are separate from evaluations, even with the same id', async () => {
        const ended: string[] = [];
        queue.jobs.onEnded(({ id }) => ended.push(`evaluation ${id}`));
        studies.jobs.onEnded(({ id, end }) => ended.push(`study ${id} ${end}`));
        await submit(recordOf('one'), 2);
        expect(await studies.jobs.submit(studyOf('one'), ['the order'])).toBe('accepted');
        expect([await queue.jobs.list(10), await studies.jobs.list(10)]).toEqual([['one'], ['one']]);
        expect(await queue.jobs.depth()).toMatchObject({ jobs: 1, waiting: 2 });
        expect(await studies.jobs.depth()).toMatchObject({ jobs: 1, waiting: 1, waitingBytes: 9 });
        const job = await beginStudy('one');
        expect(await studies.jobs.part(job, 0)).toBe('the order');
        expect(await studies.jobs.store(job, { part: 0, bytes: 9, result: 'the report', note: 'the end' })).toBe('stored');
        expect([await studies.jobs.result('one', 0), await studies.jobs.noted('one')]).toEqual(['the report', 'the end']);
        expect(await queue.jobs.progress('one')).toMatchObject({ phase: 'running', partsDone: 0 });
        await studies.jobs.forget('one');
        expect(await studies.jobs.record('one')).toBeUndefined();
        expect(await queue.jobs.record('one')).toMatchObject({ id: 'one' });
        expect(ended).toEqual(['study one complete']);
      });

      it('do not count against the limits of evaluations, or the reverse', async () => {
        await openWith({ evaluations: 1, waitingBytes: 4, resultBytes: 4 });
        open();
        for (const id of ['s1', 's2']) expect(await studies.jobs.submit(studyOf(id), ['a long order'])).toBe('accepted');
        await studies.jobs.store(await beginStudy('s1'), { part: 0, bytes: 12, result: 'a long report' });
        expect(await studies.jobs.progress('s1')).toMatchObject({ phase: 'complete' });
        expect(await queue.jobs.submit(recordOf('e1'), [[item('{}')]])).toBe('accepted');
        expect(await queue.jobs.submit(recordOf('e2'), [[item('{}')]])).toBe('evaluations');
      });

      it('store notes of their last start, and one more after a cancellation', async () => {
        await studies.jobs.submit(studyOf('s1'), ['order']);
        const dead = await beginStudy('s1');
        expect(await studies.jobs.note(dead, 'first')).toBe(true);
        const job = await beginStudy('s1');
        expect(await studies.jobs.noted('s1')).toBe('first');
        const changed = studies.jobs.changed('s1', AbortSignal.timeout(60_000));
        expect([await studies.jobs.note(job, 'second'), await studies.jobs.note(dead, 'late')]).toEqual([true, false]);
        await changed;
        expect(await studies.jobs.noted('s1')).toBe('second');
        expect(await studies.jobs.cancel('s1')).toBe(true);
        expect(await studies.jobs.noted('s1')).toBe('second');
        expect([await studies.jobs.note(job, 'last'), await studies.jobs.note(dead, 'late')]).toEqual([true, false]);
        expect(await studies.jobs.noted('s1')).toBe('last');
        expect(await studies.jobs.store(job, { part: 0, bytes: 5, result: 'report' })).toBe('gone');
        await studies.jobs.forget('s1');
        expect([await studies.jobs.note(job, 'late'), await studies.jobs.noted('s1')]).toEqual([false, undefined]);
      });

      it('run one at a time for each flow, up to the number that the process performs', async () => {
        for (const [id, name] of [
          ['a1', 'a'],
          ['a2', 'a'],
          ['b1', 'b'],
          ['c1', 'c'],
        ] as const)
          await studies.jobs.submit(studyOf(id, name), ['order']);
        const running = new Map<string, () => void>();
        const stop = studies.line.serve(async (id) => {
          const job = await beginStudy(id);
          await new Promise<void>((resolve) => running.set(id, resolve));
          running.delete(id);
          await studies.jobs.store(job, { part: 0, bytes: 5, result: id });
          return 'over';
        }, 2);
        const all = new Set<string>();
        while (all.size < 4) {
          await expect.poll(() => running.size, { timeout: 60_000 }).toBeGreaterThan(0);
          await wait(50);
          expect(running.size).toBeLessThanOrEqual(2);
          expect(running.has('a1') && running.has('a2')).toBe(false);
          for (const [id, end] of running) {
            all.add(id);
            end();
          }
        }
        await stop();
      });

      it.skipIf(!reopen)('continue after a restart, with their last notes', async () => {
        for (const id of ['done', 'cancelled', 'begun']) await studies.jobs.submit(studyOf(id), ['order']);
        const [done, cancelled, begun] = [await beginStudy('done'), await beginStudy('cancelled'), await beginStudy('begun')];
        await studies.jobs.store(done, { part: 0, bytes: 5, result: 'report', note: 'end' });
        await studies.jobs.note(cancelled, 'so far');
        await studies.jobs.note(begun, 'forgotten');
        await studies.jobs.cancel('cancelled');
        await queue.close();
        queue = (await reopen?.()) ?? queue;
        open();
        expect([await studies.jobs.noted('done'), await studies.jobs.result('done', 0)]).toEqual(['end', 'report']);
        expect(await studies.jobs.noted('cancelled')).toBe('so far');
        expect(await studies.jobs.progress('begun')).toMatchObject({ phase: 'running', starts: 1 });
        const again = await beginStudy('begun');
        expect(again).toMatchObject({ starts: 2, startsWithoutResult: 2 });
        expect(await studies.jobs.part(again, 0)).toBe('order');
      });
    });

    it('counts thread time by client and day', async () => {
      for (const [client, ms] of [
        ['one', 10],
        ['one', 2.5],
        ['two', 1],
      ] as const)
        await queue.threadTime.charge('2027-01-31', client, ms);
      const charged = await Promise.all(['one', 'two', 'none'].map((client) => queue.threadTime.charged('2027-01-31', client)));
      expect([...charged, await queue.threadTime.charged('2027-01-30', 'one')]).toEqual([12.5, 1, 0, 0]);
    });

    it('stores definition texts by digest', async () => {
      await queue.definitions.put(definitionOf('d'), { flow: flowOf('f'), leftMs: 1000 });
      const text = await queue.definitions.get('d');
      expect(Buffer.from(text?.slice.bytes ?? []).toString()).toBe('{"kind":"CustomResourceDefinition"}');
      expect(await queue.definitions.get('unknown')).toBeUndefined();
    });

    it('refuses definitions beyond the limit of a flow or of all flows', async () => {
      await openWith({ definitionBytes: 10_000 });
      const narrow = { flow: flowOf('narrow', { limits: { ...DEFAULT_FLOW_LIMITS, definitionBytes: 5000 } }), leftMs: 1000 };
      expect(await queue.definitions.put(definitionOf('d1'), narrow)).toBeUndefined();
      expect(await queue.definitions.put(definitionOf('d1'), narrow)).toBeUndefined();
      expect(await queue.definitions.put(definitionOf('d2'), narrow)).toBe('flow-definitions');
      expect(await queue.definitions.get('d2')).toBeUndefined();
      const other = { flow: flowOf('other'), leftMs: 1000 };
      expect(await queue.definitions.put(definitionOf('d2'), other)).toBeUndefined();
      expect(await queue.definitions.put(definitionOf('d3'), other)).toBe('definitions');
    });

    describe('flows', () => {
      it('have limits of jobs, parts and bytes, which do not affect other or exempt flows', async () => {
        const narrow = (limits: object) =>
          flowOf('narrow', {
            limits: { ...DEFAULT_FLOW_LIMITS, evaluations: 5, chunks: 100, bytes: 1000, resultBytes: 1000, ...limits },
          });
        await submit(recordOf('first', { flow: narrow({}) }), 3);
        const refused = async (limits: object) =>
          queue.jobs.add(recordOf(`x${JSON.stringify(limits)}`, { flow: narrow(limits) }), [], 'partial');
        expect(await refused({ evaluations: 1 })).toBe('flow-evaluations');
        expect(await refused({ chunks: 3 })).toBe('flow-chunks');
        expect(await refused({ bytes: 6 })).toBe('flow-bytes');
        await queue.jobs.add(recordOf('second', { flow: narrow({ bytes: 9 }) }), [], 'partial');
        expect(await queue.jobs.append('second', 0, [[item('{"a":1}')]], 'partial')).toBe('flow-bytes');
        expect(await queue.jobs.add(recordOf('other', { flow: flowOf('wide') }), [], 'partial')).toBe('accepted');
        const exempt = { ...narrow({ evaluations: 0 }), level: 'exempt' } as const;
        expect(await queue.jobs.add(recordOf('exempt', { flow: exempt }), [], 'partial')).toBe('accepted');
      });

      it('have common limits, too', async () => {
        await openWith({ evaluations: 2, waitingBytes: 8 });
        await submit(recordOf('first'), 2);
        expect(await queue.jobs.add(recordOf('second', { flow: flowOf('b') }), [], 'partial')).toBe('accepted');
        expect(await queue.jobs.add(recordOf('third', { flow: flowOf('c') }), [], 'partial')).toBe('evaluations');
        expect(await queue.jobs.append('second', 0, [[item('{"a":1}')]], 'partial')).toBe('bytes');
        await queue.jobs.cancel('first');
        expect(await queue.jobs.append('second', 0, [[item('{"a":1}')]], 'partial')).toBe('added');
      });
    });

    describe('results that no client fetches', () => {
      const bounded = (resultBytes: number, level: 'normal' | 'exempt' = 'normal') =>
        flowOf('kept', { level, limits: { ...flowOf('kept').limits, resultBytes } });
      /** Submits a job with one part and stores a result for it. Returns the answer. */
      async function judge(id: string, verdict: string, flow = bounded(10)): Promise<string> {
        await submit(recordOf(id, { flow }));
        return store(await begin(id), 0, verdict);
      }

      it('are charged to their flow until they are deleted, and the flow is refused beyond its share', async () => {
        expect(await judge('e1', '1234567890')).toBe('stored');
        expect(await queue.jobs.depth()).toMatchObject({ resultBytes: 10 });
        const next = recordOf('e2', { flow: bounded(10) });
        expect(await queue.jobs.add(next, [], 'partial')).toBe('flow-results');
        expect(await queue.jobs.submit(next, [[item('{}')]])).toBe('flow-results');
        // Other flows and exempt flows have their own limits.
        expect(await queue.jobs.add(recordOf('other', { flow: flowOf('other') }), [], 'partial')).toBe('accepted');
        expect(await queue.jobs.add(recordOf('exempt', { flow: bounded(1, 'exempt') }), [], 'partial')).toBe('accepted');
        await queue.jobs.forget('e1');
        expect(await queue.jobs.depth()).toMatchObject({ resultBytes: 0 });
        expect(await queue.jobs.add(next, [], 'partial')).toBe('accepted');
      });

      it('end their job if they exceed the share, and earlier results stay readable', async () => {
        const { reported } = await hearCancellations();
        const ends: string[] = [];
        queue.jobs.onEnded(({ id, end }) => ends.push(`${id} ${end}`));
        await submit(recordOf('e1', { flow: bounded(10) }), 3);
        const job = await begin('e1');
        expect(await store(job, 0, '123456')).toBe('stored');
        expect(await store(job, 1, '123456')).toBe('stored');
        const awaited = queue.jobs.result('e1', 2);
        expect(await store(job, 2, '1')).toBe('tooLarge');
        expect(await awaited).toBeUndefined();
        expect((await queue.jobs.result('e1', 0))?.verdicts).toEqual(['123456']);
        expect(await queue.jobs.progress('e1')).toMatchObject({ phase: 'tooLarge', partsDone: 2, partsTotal: 3 });
        expect(await queue.jobs.depth()).toEqual({ jobs: 0, waiting: 0, waitingBytes: 0, resultBytes: 12 });
        expect(await queue.jobs.cancel('e1')).toBe(false);
        expect(ends).toEqual(['e1 tooLarge']);
        await expect.poll(() => reported, { timeout: 60_000 }).toContain('e1');
      });

      it('end their job if one is larger than the whole share', async () => {
        expect(await judge('e1', '12345678901')).toBe('tooLarge');
        expect(await queue.jobs.progress('e1')).toMatchObject({ phase: 'tooLarge', partsDone: 0 });
      });

      it('have a common limit, too', async () => {
        await openWith({ resultBytes: 10 });
        expect(await judge('e1', '1234567890', flowOf('a'))).toBe('stored');
        expect(await queue.jobs.add(recordOf('e2', { flow: flowOf('b') }), [], 'partial')).toBe('results');
        expect(await queue.jobs.add(recordOf('e3', { flow: bounded(1, 'exempt') }), [], 'partial')).toBe('results');
      });

      it('expire, and then are no longer charged', async () => {
        await openWith({ retentionMs: 300, heartbeatMs: 50 });
        expect(await judge('e1', '1234567890')).toBe('stored');
        while ((await queue.jobs.depth()).resultBytes > 0) await wait(20);
        expect(await queue.jobs.record('e1')).toBeUndefined();
      });

      it.skipIf(!reopen)('are still charged after a restart', async () => {
        await submit(recordOf('e1', { flow: bounded(10) }), 2);
        const job = await begin('e1');
        await store(job, 0, '1234567890');
        expect(await store(job, 1, '1')).toBe('tooLarge');
        await queue.close();
        queue = (await reopen?.()) ?? queue;
        expect(await queue.jobs.depth()).toMatchObject({ resultBytes: 10 });
        expect(await queue.jobs.progress('e1')).toMatchObject({ phase: 'tooLarge', partsDone: 1 });
      });
    });

    it('cancels a job of many parts in one step, and its flow continues', async () => {
      await submit(recordOf('big'), 300);
      await submit(recordOf('next'));
      await queue.jobs.cancel('big');
      expect(await queue.jobs.depth()).toMatchObject({ jobs: 1, waiting: 1, waitingBytes: 2 });
      expect(await store(await begin('next'), 0, 'x')).toBe('stored');
    });

    describe.skipIf(!lose)('loss', () => {
      it('of all keys ends a job that a client waits for, and the queue continues', async () => {
        await submit(recordOf('e1'), 2);
        const running = await begin('e1');
        const awaited = queue.jobs.result('e1', 0);
        await lose?.('everything');
        expect(await awaited).toBeUndefined();
        expect(await queue.jobs.progress('e1')).toBeUndefined();
        expect(await store(running, 0, 'late')).toBe('gone');
        expect(await queue.jobs.held([running])).toEqual([false]);
        await submit(recordOf('e2'));
        expect(await store(await begin('e2'), 0, 'good')).toBe('stored');
        expect(await queue.jobs.depth()).toMatchObject({ jobs: 0, waiting: 0, waitingBytes: 0 });
      });

      it('of parts fails the job as soon as a lost part is requested', async () => {
        await submit(recordOf('e1'), 2);
        const job = await begin('e1');
        const awaited = queue.jobs.result('e1', 0);
        await lose?.('body');
        expect(await queue.jobs.part(job, 0)).toBeUndefined();
        expect(await awaited).toBeUndefined();
        expect(await queue.jobs.progress('e1')).toMatchObject({ phase: 'failed', partsDone: 0 });
        expect(await queue.jobs.depth()).toMatchObject({ jobs: 0, waiting: 0, waitingBytes: 0 });
      });

      it('of parts is reported once, even if no client requests them', async () => {
        await openWith({ heartbeatMs: 50 });
        const ends: string[] = [];
        queue.jobs.onEnded(({ id, end }) => ends.push(`${id} ${end}`));
        await submit(recordOf('d1'), 2);
        await lose?.('body');
        await expect.poll(() => queue.jobs.progress('d1'), { timeout: 60_000 }).toMatchObject({ phase: 'failed' });
        await wait(200);
        expect(ends).toEqual(['d1 lost']);
      });

      it.each(['line', 'bull'])('of %s keys is repaired', async (what) => {
        await openWith({ heartbeatMs: 50 });
        await submit(recordOf('e1'), 2);
        await lose?.(what);
        const performed = Promise.withResolvers<string>();
        const stop = queue.line.serve((id) => (performed.resolve(id), Promise.resolve('over')));
        expect(await performed.promise).toBe('e1');
        await stop();
      });
    });
  });
}
