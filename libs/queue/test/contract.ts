import { latestServer } from '#kube';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { checkOptions, emptyTally } from '#evaluation';
import type { ChunkResult, ChunkSettings, DocumentSlice } from '#evaluation';
import type { EvaluationRecord, QueueAdapter } from '../src/ports.ts';

const options = checkOptions({});
if (!options.ok) throw new Error('default options must be valid');
const settings: ChunkSettings = {
  options: options.value,
  definitions: [],
  refused: [],
  deadlineAt: Date.now() + 60_000,
  traceparent: undefined,
};
const record = (id: string, detached = false): EvaluationRecord => ({
  id,
  createdAt: Date.now(),
  detached,
  owner: 'alpha',
  flow: 'batch',
  settings,
  definitions: [],
});
const item = (text: string): DocumentSlice => ({ bytes: Buffer.from(text), notation: 'json' });
const answer = (line: string): ChunkResult => ({ verdicts: [line], tally: { ...emptyTally(), items: 1, accepted: 1 }, spans: [] });
const never = new AbortController().signal;

/** What every adapter of the queue ports promises. `open` makes an empty adapter; `reopen` one over the same storage after the first was closed or died. */
export function queueContract(name: string, open: () => Promise<QueueAdapter>, reopen?: () => Promise<QueueAdapter>): void {
  describe(`queue contract: ${name}`, () => {
    let queue: QueueAdapter;
    beforeEach(async () => {
      queue = await open();
    });
    afterEach(() => queue.close());

    async function claim() {
      const taken = await queue.work.claim(AbortSignal.timeout(2000));
      if (!taken) throw new Error('no chunk came');
      return taken;
    }

    it('hands chunks over in order and stores each result once', async () => {
      expect(await queue.work.accept(record('e1'))).toBe('accepted');
      expect(await queue.work.accept(record('e1'))).toBe('exists');
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
      await queue.work.accept(record('e1'));
      const claimed = claim();
      const awaited = queue.results.result('e1', 0);
      const change = queue.results.changed('e1', never);
      await queue.work.enqueue('e1', 0, [item('{}')]);
      await queue.work.commit(await claimed, answer('one'));
      expect((await awaited)?.verdicts).toEqual(['one']);
      await change;
    });

    it('gives a released chunk out again, and counts', async () => {
      await queue.work.accept(record('e1'));
      await queue.work.enqueue('e1', 0, [item('{}')]);
      await queue.work.release(await claim());
      expect(await claim()).toMatchObject({ earlierClaims: 1, chunk: { index: 0 } });
    });

    it('lets evaluations take turns', async () => {
      for (const id of ['big', 'small']) await queue.work.accept(record(id));
      for (let i = 0; i < 3; i++) await queue.work.enqueue('big', i, [item('{}')]);
      await queue.work.enqueue('small', 0, [item('{}')]);
      const order = [await claim(), await claim(), await claim()].map(({ chunk }) => chunk.evaluation);
      expect(order.slice(0, 2).toSorted()).toEqual(['big', 'small']);
    });

    it('cancels: waiting chunks are dropped, listeners told, late results refused', async () => {
      const told: string[] = [];
      const stop = queue.cancellations.onCancelled((id) => told.push(id));
      await queue.work.accept(record('e1'));
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
      expect(told).toEqual(['e1']);
      stop();
    });

    it('tells who owns an evaluation; one made without a key has no owner', async () => {
      await queue.work.accept(record('e1'));
      await queue.work.accept({ ...record('e2', true), owner: undefined, flow: undefined });
      expect(await queue.results.record('e1')).toMatchObject({ id: 'e1', owner: 'alpha', flow: 'batch' });
      const open = await queue.results.record('e2');
      expect([open?.id, open?.owner, open?.flow]).toEqual(['e2', undefined, undefined]);
    });

    it('forgets', async () => {
      await queue.work.accept(record('e1'));
      await queue.work.enqueue('e1', 0, [item('{}')]);
      await queue.results.forget('e1');
      expect(await queue.results.progress('e1')).toBeUndefined();
      expect(await queue.work.depth()).toEqual({ waiting: 0, claimed: 0, waitingBytes: 0 });
    });

    it('keeps definition texts by digest', async () => {
      await queue.definitions.put({ digest: 'd', slice: item('{"kind":"CustomResourceDefinition"}'), ...latestServer() });
      const text = await queue.definitions.get('d');
      expect(Buffer.from(text?.slice.bytes ?? []).toString()).toBe('{"kind":"CustomResourceDefinition"}');
      expect(await queue.definitions.get('unknown')).toBeUndefined();
    });

    it.skipIf(!reopen)('takes up detached evaluations after a restart', async () => {
      await queue.work.accept(record('kept', true));
      await queue.work.enqueue('kept', 0, [item('{"a":1}')]);
      await queue.work.enqueue('kept', 1, [item('{"a":2}')]);
      await queue.work.seal('kept');
      await queue.work.commit(await claim(), answer('before'));
      await claim();
      await queue.close();
      queue = (await reopen?.()) ?? queue;
      expect(await queue.results.record('kept')).toMatchObject({ owner: 'alpha', flow: 'batch' });
      expect((await queue.results.result('kept', 0))?.verdicts).toEqual(['before']);
      const again = await claim();
      expect(again).toMatchObject({ earlierClaims: 1, chunk: { evaluation: 'kept', index: 1 } });
      await queue.work.commit(again, answer('after'));
      expect(await queue.results.progress('kept')).toMatchObject({ phase: 'complete', tally: { items: 2 } });
    });
  });
}
