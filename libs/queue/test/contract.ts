import { latestServer } from '#kube';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { DEFAULT_FLOW_LIMITS } from '#runner/flow';
import type { QueueLimits } from '../src/limits.ts';
import type { Claim, QueueAdapter } from '../src/ports.ts';
import { answer, flowOf, item, recordOf } from './evaluations.ts';

const never = new AbortController().signal;

const definitionOf = (digest: string) => ({ digest, slice: item('{"kind":"CustomResourceDefinition"}'), ...latestServer() });

/** Functions that create queues of one kind for the contract tests, and that damage the queue's storage. */
export interface AdapterKind {
  /** Opens a queue over an empty storage. */
  readonly open: (limits?: Partial<QueueLimits>) => Promise<QueueAdapter>;
  /** Opens another adapter over the same storage, after the first adapter was closed or its process died. */
  readonly reopen?: () => Promise<QueueAdapter>;
  /** Deletes the keys in the storage whose names begin with `what`. Absent if other software cannot damage the storage. */
  readonly lose?: (what: string) => Promise<void>;
}

/** Declares the tests that every implementation of the queue ports must pass. */
export function queueContract(name: string, { open, reopen, lose }: AdapterKind): void {
  describe(`queue contract: ${name}`, () => {
    let queue: QueueAdapter;
    beforeEach(async () => {
      queue = await open();
    });
    afterEach(() => queue.close());

    async function claim(withinMs = 60_000): Promise<Claim> {
      const taken = await queue.work.claim(AbortSignal.timeout(withinMs));
      if (!taken) throw new Error('no chunk came');
      return taken;
    }

    /** Replaces the queue of the test by a new queue with the given limits. */
    async function openWith(limits: Partial<QueueLimits>): Promise<void> {
      await queue.close();
      queue = await open(limits);
    }

    /** Submits an evaluation with `chunks` chunks of one item each. */
    async function submit(record: ReturnType<typeof recordOf>, chunks = 1): Promise<void> {
      expect(
        await queue.work.submit(
          record,
          Array.from({ length: chunks }, () => [item('{}')]),
        ),
      ).toBe('accepted');
    }

    it.each([1, 30])('takes an evaluation of %i chunks as a whole, once', async (chunks) => {
      const items = Array.from({ length: chunks }, (_, i) => [item(`{"a":${i}}`)]);
      expect(await queue.work.submit(recordOf('e1'), items)).toBe('accepted');
      expect(await queue.work.submit(recordOf('e1'), items)).toBe('exists');
      expect(await queue.work.enqueue('e1', chunks, [item('{}')])).toBe('over');
      for (let i = 0; i < chunks; i++) {
        const taken = await claim();
        expect(taken.chunk).toMatchObject({ index: i, firstItem: i });
        expect(Buffer.from(taken.chunk.items[0]?.bytes ?? []).toString()).toBe(`{"a":${i}}`);
        expect(await queue.work.commit(taken, answer(`${i}`))).toBe('stored');
      }
      expect(await queue.results.progress('e1')).toMatchObject({ phase: 'complete', chunksDone: chunks, chunksTotal: chunks });
    });

    it('is complete at once when there is nothing to do', async () => {
      await submit(recordOf('empty'), 0);
      expect(await queue.results.progress('empty')).toMatchObject({ phase: 'complete', chunksTotal: 0 });
    });

    it.each([2, 30])('keeps nothing of an evaluation of %i chunks that is refused in the middle', async (chunks) => {
      const limits = { ...flowOf('a').limits, bytes: 9 };
      const record = recordOf('e1', { flow: { ...flowOf('a'), limits } });
      const items = Array.from({ length: chunks }, () => [item('{"a":1}')]);
      expect(await queue.work.submit(record, items)).toBe('flow-bytes');
      expect(await queue.results.progress('e1')).toBeUndefined();
      expect(await queue.work.depth()).toMatchObject({ waiting: 0, waitingBytes: 0 });
      expect(await queue.work.submit(record, items.slice(0, 1))).toBe('accepted');
    });

    it('hands chunks over in order and stores each result once', async () => {
      expect(await queue.work.accept(recordOf('e1'))).toBe('accepted');
      expect(await queue.work.accept(recordOf('e1'))).toBe('exists');
      expect(await queue.work.enqueue('e1', 0, [item('{"a":1}')])).toBe('queued');
      expect(await queue.work.enqueue('e1', 1, [item('{"a":2}')])).toBe('queued');
      await queue.work.seal('e1');
      const first = await claim();
      expect(first).toMatchObject({ earlierClaims: 0, chunk: { evaluation: 'e1', index: 0, firstItem: 0 } });
      expect(Buffer.from(first.chunk.items[0]?.bytes ?? []).toString()).toBe('{"a":1}');
      expect(await queue.work.commit(first, answer('one'))).toBe('stored');
      expect(await queue.work.commit(first, answer('again'))).toBe('duplicate');
      expect((await queue.results.result('e1', 0))?.verdicts).toEqual(['one']);
      expect(await queue.results.progress('e1')).toMatchObject({ phase: 'running', chunksDone: 1, chunksTotal: 2, tally: { items: 1 } });
      await queue.work.commit(await claim(), answer('two'));
      expect(await queue.results.progress('e1')).toMatchObject({ phase: 'complete', tally: { items: 2, accepted: 2 } });
      expect(await queue.results.result('e1', 2)).toBeUndefined();
    });

    it('wakes who waits for a chunk or for a result', async () => {
      await queue.work.accept(recordOf('e1'));
      const claimed = claim();
      const awaited = queue.results.result('e1', 0);
      const change = queue.results.changed('e1', never);
      await queue.work.enqueue('e1', 0, [item('{}')]);
      await queue.work.commit(await claimed, answer('one'));
      expect((await awaited)?.verdicts).toEqual(['one']);
      await change;
    });

    it('gives a released chunk out again, and counts', async () => {
      await queue.work.accept(recordOf('e1'));
      await queue.work.enqueue('e1', 0, [item('{}')]);
      await queue.work.release(await claim());
      expect(await claim()).toMatchObject({ earlierClaims: 1, chunk: { index: 0 } });
    });

    it('lets evaluations take turns', async () => {
      for (const id of ['big', 'small']) await queue.work.accept(recordOf(id));
      for (let i = 0; i < 3; i++) await queue.work.enqueue('big', i, [item('{}')]);
      await queue.work.enqueue('small', 0, [item('{}')]);
      const order = [await claim(), await claim(), await claim()].map(({ chunk }) => chunk.evaluation);
      expect(order.slice(0, 2).toSorted()).toEqual(['big', 'small']);
    });

    it('cancels: waiting chunks are dropped, listeners told, late results refused', async () => {
      const reported: string[] = [];
      const stop = queue.cancellations.onCancelled((id) => reported.push(id));
      await queue.work.accept(recordOf('e1'));
      await queue.work.enqueue('e1', 0, [item('{}')]);
      await queue.work.enqueue('e1', 1, [item('{}')]);
      const running = await claim();
      const awaited = queue.results.result('e1', 0);
      expect(await queue.cancellations.cancel('e1')).toBe(true);
      expect(await awaited).toBeUndefined();
      expect(await queue.work.commit(running, answer('late'))).toBe('gone');
      expect(await queue.work.claim(AbortSignal.timeout(20))).toBeUndefined();
      expect(await queue.work.enqueue('e1', 2, [item('{}')])).toBe('over');
      expect(await queue.results.progress('e1')).toMatchObject({ phase: 'cancelled', chunksDone: 0 });
      expect(await queue.cancellations.cancel('e1')).toBe(false);
      expect(reported).toEqual(['e1']);
      stop();
    });

    it('tells once how an evaluation ended', async () => {
      const ends: string[] = [];
      const stop = queue.ends.onEnded(({ id, end }) => ends.push(`${id} ${end}`));
      await submit(recordOf('d1'), 2);
      await queue.work.commit(await claim(), answer('one'));
      expect(ends).toEqual([]);
      await queue.work.commit(await claim(), answer('two'));
      expect(ends).toEqual(['d1 complete']);
      // Its last chunk was committed before it was sealed.
      await queue.work.accept(recordOf('d2'));
      await queue.work.enqueue('d2', 0, [item('{}')]);
      await queue.work.commit(await claim(), answer('one'));
      await queue.work.seal('d2');
      // Without items.
      await submit(recordOf('d3'), 0);
      // Cancelled, and cancelled again.
      for (const id of ['d4', 'd5']) await submit(recordOf(id));
      for (const id of ['d4', 'd4']) await queue.cancellations.cancel(id);
      expect(ends).toEqual(['d1 complete', 'd2 complete', 'd3 complete', 'd4 cancelled']);
      // What is forgotten does not end.
      await queue.results.forget('d5');
      stop();
      await submit(recordOf('d7'), 0);
      expect(ends).toHaveLength(4);
    });

    it('whoever is told that an evaluation ended can read what came of it', async () => {
      const reported = new Promise<unknown>((resolve) => {
        queue.ends.onEnded(({ id, end }) => {
          const read = Promise.all([queue.results.record(id), queue.results.progress(id)]);
          void read.then(([record, progress]) => resolve([end, record?.owner, progress?.phase, progress?.tally]));
        });
      });
      await submit(recordOf('d1'), 2);
      await queue.work.commit(await claim(), answer('one'));
      await queue.cancellations.cancel('d1');
      expect(await reported).toEqual(['cancelled', 'alpha', 'cancelled', answer('one').tally]);
    });

    it('tells who owns an evaluation; one made without a key has no owner', async () => {
      await queue.work.accept(recordOf('e1'));
      await queue.work.accept(recordOf('e2', { owner: undefined }));
      expect(await queue.results.record('e1')).toMatchObject({ id: 'e1', owner: 'alpha', flow: flowOf('batch') });
      const open = await queue.results.record('e2');
      expect([open?.id, open?.owner]).toEqual(['e2', undefined]);
    });

    it('lists what is there, and no more than is asked for', async () => {
      expect(await queue.results.list(10)).toEqual([]);
      await queue.work.accept(recordOf('e1'));
      await queue.work.accept(recordOf('e2'));
      expect([...(await queue.results.list(10))].toSorted()).toEqual(['e1', 'e2']);
      expect(await queue.results.list(1)).toHaveLength(1);
      await queue.results.forget('e1');
      expect(await queue.results.list(10)).toEqual(['e2']);
    });

    it('forgets', async () => {
      await queue.work.accept(recordOf('e1'));
      await queue.work.enqueue('e1', 0, [item('{}')]);
      await queue.results.forget('e1');
      expect(await queue.results.progress('e1')).toBeUndefined();
      expect(await queue.work.depth()).toMatchObject({ waiting: 0, claimed: 0, waitingBytes: 0 });
    });

    it('keeps definition texts by digest', async () => {
      await queue.definitions.put(definitionOf('d'), { flow: flowOf('f'), leftMs: 1000 });
      const text = await queue.definitions.get('d');
      expect(Buffer.from(text?.slice.bytes ?? []).toString()).toBe('{"kind":"CustomResourceDefinition"}');
      expect(await queue.definitions.get('unknown')).toBeUndefined();
    });

    it('refuses definitions beyond what a flow, or all, may have stored', async () => {
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

    it.skipIf(!reopen)('takes up evaluations after a restart', async () => {
      await queue.work.accept(recordOf('kept'));
      await queue.work.enqueue('kept', 0, [item('{"a":1}')]);
      await queue.work.enqueue('kept', 1, [item('{"a":2}')]);
      await queue.work.seal('kept');
      await queue.work.commit(await claim(), answer('before'));
      await claim();
      await queue.close();
      queue = (await reopen?.()) ?? queue;
      expect(await queue.results.record('kept')).toMatchObject({ owner: 'alpha', flow: flowOf('batch') });
      expect((await queue.results.result('kept', 0))?.verdicts).toEqual(['before']);
      const again = await claim();
      expect(again).toMatchObject({ earlierClaims: 1, chunk: { evaluation: 'kept', index: 1 } });
      await queue.work.commit(again, answer('after'));
      expect(await queue.results.progress('kept')).toMatchObject({ phase: 'complete', tally: { items: 2 } });
    });

    describe('flows', () => {
      it('share: a single object does not wait behind a batch of another flow, nor of its own', async () => {
        await submit(recordOf('batch', { flow: flowOf('nightly') }), 6);
        await queue.work.commit(await claim(), answer('one'), 1);
        await submit(recordOf('own', { flow: flowOf('nightly'), createdAt: Date.now() + 1 }));
        await submit(recordOf('other', { flow: flowOf('ci') }));
        const next = [await claim(), await claim()].map(({ chunk }) => chunk.evaluation);
        expect(next.toSorted()).toEqual(['other', 'own']);
      });

      it('are served by weight of level and flow', async () => {
        const flows = [flowOf('a', { level: 'high' }), flowOf('b', { level: 'low' }), flowOf('c'), flowOf('d', { weight: 3 })];
        for (const [i, flow] of flows.entries()) await submit(recordOf(`e${i}`, { flow }), 40);
        const served: Record<string, number> = {};
        for (let i = 0; i < 35; i++) {
          const taken = await claim();
          served[taken.chunk.evaluation] = (served[taken.chunk.evaluation] ?? 0) + 1;
          await queue.work.commit(taken, answer('x'), 1);
        }
        // Levels 4 : 1 : 2, and within the normal level 1 : 3.
        expect(served['e0']).toBeCloseTo(20, -0.5);
        expect(served['e1']).toBeCloseTo(5, -0.5);
        expect((served['e2'] ?? 0) + (served['e3'] ?? 0)).toBeCloseTo(10, -0.5);
        expect(served['e3']).toBeGreaterThan(2 * (served['e2'] ?? 0) - 1);
      });

      it('exempt ones come first', async () => {
        await submit(recordOf('usual', { flow: flowOf('a', { level: 'high' }) }), 2);
        await submit(recordOf('probe', { flow: flowOf('b', { level: 'exempt' }) }), 2);
        expect([await claim(), await claim(), await claim()].map(({ queueKey: { level } }) => level)).toEqual(['exempt', 'exempt', 'high']);
      });

      it('hold half of the seats while others wait, all of them when none does', async () => {
        const leave = await queue.work.join(4);
        await submit(recordOf('wide', { flow: flowOf('wide', { weight: 100 }) }), 20);
        await submit(recordOf('narrow', { flow: flowOf('narrow') }), 1);
        const taken = [await claim(), await claim(), await claim(), await claim()].map(({ chunk }) => chunk.evaluation);
        expect(taken.filter((id) => id === 'narrow')).toHaveLength(1);
        expect(taken.indexOf('narrow')).toBeLessThanOrEqual(2);
        expect((await queue.work.depth()).seats).toBe(4);
        await leave();
        expect((await queue.work.depth()).seats).toBe(0);
      });

      it('are charged with what chunks took: who took more waits longer', async () => {
        await submit(recordOf('slow', { flow: flowOf('slow') }), 30);
        await submit(recordOf('fast', { flow: flowOf('fast') }), 30);
        const order: string[] = [];
        for (let i = 0; i < 24; i++) {
          const taken = await claim();
          order.push(taken.chunk.evaluation);
          await queue.work.commit(taken, answer('x'), taken.chunk.evaluation === 'slow' ? 30 : 10);
        }
        expect(order.filter((id) => id === 'fast').length).toBeGreaterThanOrEqual(16);
        expect(order.filter((id) => id === 'slow').length).toBeGreaterThanOrEqual(5);
        expect(await queue.work.depth()).toMatchObject({ levels: { normal: { waiting: 36, claimed: 0 } } });
      });

      it('are bounded in evaluations, chunks and bytes; other flows, and exempt ones, are not refused for it', async () => {
        const narrow = (limits: object) =>
          flowOf('narrow', {
            limits: { ...DEFAULT_FLOW_LIMITS, evaluations: 5, chunks: 100, bytes: 1000, resultBytes: 1000, ...limits },
          });
        await submit(recordOf('first', { flow: narrow({}) }), 3);
        const refused = async (limits: object) => queue.work.accept(recordOf(`x${JSON.stringify(limits)}`, { flow: narrow(limits) }));
        expect(await refused({ evaluations: 1 })).toBe('flow-evaluations');
        expect(await refused({ chunks: 3 })).toBe('flow-chunks');
        expect(await refused({ bytes: 6 })).toBe('flow-bytes');
        await queue.work.accept(recordOf('second', { flow: narrow({ bytes: 9 }) }));
        expect(await queue.work.enqueue('second', 0, [item('{"a":1}')])).toBe('flow-bytes');
        expect(await queue.work.accept(recordOf('other', { flow: flowOf('wide') }))).toBe('accepted');
        expect(await queue.work.accept(recordOf('exempt', { flow: { ...narrow({ evaluations: 0 }), level: 'exempt' } }))).toBe('accepted');
      });

      it('together are bounded, too', async () => {
        await openWith({ evaluations: 2, waitingBytes: 8 });
        await submit(recordOf('first'), 2);
        expect(await queue.work.accept(recordOf('second', { flow: flowOf('b') }))).toBe('accepted');
        expect(await queue.work.accept(recordOf('third', { flow: flowOf('c') }))).toBe('evaluations');
        expect(await queue.work.enqueue('second', 0, [item('{"a":1}')])).toBe('bytes');
        await queue.cancellations.cancel('first');
        expect(await queue.work.enqueue('second', 0, [item('{"a":1}')])).toBe('queued');
      });
    });

    describe('results that nobody fetches', () => {
      const bounded = (resultBytes: number, level: 'normal' | 'exempt' = 'normal') =>
        flowOf('kept', { level, limits: { ...flowOf('kept').limits, resultBytes } });
      /** Submits an evaluation with one chunk and commits a result for it. Returns the answer to the commit. */
      async function judge(id: string, verdict: string, flow = bounded(10)): Promise<string> {
        await submit(recordOf(id, { flow }));
        return queue.work.commit(await claim(), answer(verdict));
      }

      it('are charged to their flow, which is refused beyond its share, until they are forgotten', async () => {
        expect(await judge('e1', '1234567890')).toBe('stored');
        expect(await queue.work.depth()).toMatchObject({ resultBytes: 10 });
        const next = recordOf('e2', { flow: bounded(10) });
        expect(await queue.work.accept(next)).toBe('flow-results');
        expect(await queue.work.submit(next, [[item('{}')]])).toBe('flow-results');
        // Other flows, and exempt ones, have their own.
        expect(await queue.work.accept(recordOf('other', { flow: flowOf('other') }))).toBe('accepted');
        expect(await queue.work.accept(recordOf('exempt', { flow: bounded(1, 'exempt') }))).toBe('accepted');
        await queue.results.forget('e1');
        expect(await queue.work.depth()).toMatchObject({ resultBytes: 0 });
        expect(await queue.work.accept(next)).toBe('accepted');
      });

      it('end their evaluation where they grow beyond the share; what came before stays readable', async () => {
        const [ends, reported]: string[][] = [[], []];
        queue.ends.onEnded(({ id, end }) => ends?.push(`${id} ${end}`));
        queue.cancellations.onCancelled((id) => reported?.push(id));
        await submit(recordOf('e1', { flow: bounded(10) }), 3);
        expect(await queue.work.commit(await claim(), answer('123456'))).toBe('stored');
        expect(await queue.work.commit(await claim(), answer('123456'))).toBe('stored');
        const third = await claim();
        const awaited = queue.results.result('e1', 2);
        expect(await queue.work.commit(third, answer('1'))).toBe('tooLarge');
        expect(await awaited).toBeUndefined();
        expect((await queue.results.result('e1', 0))?.verdicts).toEqual(['123456']);
        expect(await queue.results.progress('e1')).toMatchObject({ phase: 'tooLarge', chunksDone: 2, chunksTotal: 3 });
        expect(await queue.work.depth()).toMatchObject({ waiting: 0, claimed: 0, resultBytes: 12 });
        expect(await queue.cancellations.cancel('e1')).toBe(false);
        expect(ends).toEqual(['e1 tooLarge']);
        await expect.poll(() => reported, { timeout: 60_000 }).toEqual(['e1']);
      });

      it('end their evaluation where one is larger than the whole share', async () => {
        expect(await judge('e1', '12345678901')).toBe('tooLarge');
        expect(await queue.results.progress('e1')).toMatchObject({ phase: 'tooLarge', chunksDone: 0 });
      });

      it('are bounded together, too', async () => {
        await openWith({ resultBytes: 10 });
        expect(await judge('e1', '1234567890', flowOf('a'))).toBe('stored');
        expect(await queue.work.accept(recordOf('e2', { flow: flowOf('b') }))).toBe('results');
        expect(await queue.work.accept(recordOf('e3', { flow: bounded(1, 'exempt') }))).toBe('results');
      });

      it('expire: then they are charged to nobody', async () => {
        await openWith({ retentionMs: 300, heartbeatMs: 50 });
        expect(await judge('e1', '1234567890')).toBe('stored');
        while ((await queue.work.depth()).resultBytes > 0) await new Promise((resolve) => setTimeout(resolve, 20));
        expect(await queue.results.record('e1')).toBeUndefined();
      });

      it.skipIf(!reopen)('are charged after a restart as before', async () => {
        await submit(recordOf('e1', { flow: bounded(10) }), 2);
        await queue.work.commit(await claim(), answer('1234567890'));
        expect(await queue.work.commit(await claim(), answer('1'))).toBe('tooLarge');
        await queue.close();
        queue = (await reopen?.()) ?? queue;
        expect(await queue.work.depth()).toMatchObject({ resultBytes: 10 });
        expect(await queue.results.progress('e1')).toMatchObject({ phase: 'tooLarge', chunksDone: 1 });
      });
    });

    it('queues a chunk once that is sent again after a lost reply', async () => {
      await queue.work.accept(recordOf('e1'));
      for (let i = 0; i < 2; i++) expect(await queue.work.enqueue('e1', 0, [item('{}')])).toBe('queued');
      expect(await queue.results.progress('e1')).toMatchObject({ chunksTotal: 1 });
    });

    it('learns what items of a definition take', async () => {
      const { settings } = recordOf('e1');
      const own = { ...settings, definitions: [{ digest: 'dear', group: 'g', kind: 'K' }] };
      const before = await queue.work.expectedItemMs(['dear']);
      const items = Array.from({ length: 50 }, () => item('{}'));
      await queue.work.accept(recordOf('e1', { settings: own }));
      for (let i = 0; i < 18; i++) {
        await queue.work.enqueue('e1', 50 * i, items);
        await queue.work.commit(await claim(), answer('x', 5000), 6000);
      }
      expect(await queue.work.expectedItemMs(['dear'])).toBeGreaterThan(80);
      expect(await queue.work.expectedItemMs(['dear'])).toBeLessThan(100);
      expect(await queue.work.expectedItemMs(['unknown'])).toBe(before);
    });

    it('tells a claimer what its evaluation was charged', async () => {
      await submit(recordOf('e1'), 2);
      const first = await claim();
      expect(first.celSpent).toBe(0);
      await queue.work.commit(first, answer('x'));
      expect((await claim()).celSpent).toBe(3);
    });

    describe('leases', () => {
      it("run out: the chunk is somebody else's, and the late result is nobody's", async () => {
        await openWith({ leaseMs: 1200 });
        await submit(recordOf('e1'));
        const dead = await claim();
        const next = await claim();
        expect(next).toMatchObject({ earlierClaims: 1, chunk: { evaluation: 'e1', index: 0 } });
        expect(await queue.work.renew([dead])).toEqual([false]);
        expect(await queue.work.commit(dead, answer('late'))).toBe('gone');
        expect(await queue.work.commit(next, answer('good'))).toBe('stored');
        expect(await queue.work.commit(dead, answer('later'))).toBe('duplicate');
        expect((await queue.results.result('e1', 0))?.verdicts).toEqual(['good']);
        expect(await queue.results.progress('e1')).toMatchObject({ phase: 'complete', chunksDone: 1, tally: { items: 1 } });
        expect(await queue.work.depth()).toMatchObject({ claimed: 0, levels: { normal: { claimed: 0 } } });
      });

      it('that are renewed do not run out', async () => {
        await openWith({ leaseMs: 2500 });
        await submit(recordOf('e1'));
        const running = await claim();
        for (let i = 0; i < 8; i++) {
          await new Promise((resolve) => setTimeout(resolve, 400));
          expect(await queue.work.renew([running])).toEqual([true]);
        }
        expect(await queue.work.commit(running, answer('good'))).toBe('stored');
      });

      it('end with their evaluation', async () => {
        await submit(recordOf('e1'));
        const running = await claim();
        await queue.cancellations.cancel('e1');
        expect(await queue.work.renew([running])).toEqual([false]);
        await queue.work.commit(running, answer('late'));
        expect(await queue.work.depth()).toMatchObject({ waiting: 0, claimed: 0, levels: { normal: { claimed: 0 } } });
      });
    });

    it('cancels a batch of many chunks in one step, and its flow goes on', async () => {
      await submit(recordOf('big'), 300);
      await submit(recordOf('next'));
      await queue.cancellations.cancel('big');
      expect(await queue.work.depth()).toMatchObject({ waiting: 1 });
      expect((await claim()).chunk.evaluation).toBe('next');
    });

    describe.skipIf(!lose)('loss', () => {
      it('of everything ends an evaluation that somebody waits for, and the queue goes on', async () => {
        await submit(recordOf('e1'), 2);
        const running = await claim();
        const awaited = queue.results.result('e1', 0);
        await lose?.('everything');
        expect(await awaited).toBeUndefined();
        expect(await queue.results.progress('e1')).toBeUndefined();
        expect(await queue.work.commit(running, answer('late'))).toBe('gone');
        expect(await queue.work.renew([running])).toEqual([false]);
        await submit(recordOf('e2'));
        const next = await claim();
        expect(await queue.work.commit(next, answer('good'))).toBe('stored');
        expect(await queue.work.depth()).toMatchObject({ waiting: 0, claimed: 0, waitingBytes: 0 });
      });

      it.each(['body', 'wait'])('of %s keys fails the evaluation', async (what) => {
        await submit(recordOf('e1'), 2);
        const awaited = queue.results.result('e1', 0);
        await lose?.(what);
        expect(await queue.work.claim(AbortSignal.timeout(20))).toBeUndefined();
        expect(await awaited).toBeUndefined();
        expect(await queue.results.progress('e1')).toMatchObject({ phase: 'failed', chunksDone: 0 });
        expect(await queue.work.depth()).toMatchObject({ waiting: 0 });
      });

      it.each(['body', 'wait'])('of %s keys of an evaluation is told once', async (what) => {
        const ends: string[] = [];
        queue.ends.onEnded(({ id, end }) => ends.push(`${id} ${end}`));
        await submit(recordOf('d1'), 2);
        await lose?.(what);
        expect(await queue.work.claim(AbortSignal.timeout(2500))).toBeUndefined();
        expect(await queue.results.progress('d1')).toMatchObject({ phase: 'failed' });
        expect(ends).toEqual(['d1 lost']);
      });

      it('of places is mended', async () => {
        await submit(recordOf('e1'), 2);
        await lose?.('fq:ready');
        expect((await claim()).chunk).toMatchObject({ evaluation: 'e1', index: 0 });
      });
    });
  });
}
