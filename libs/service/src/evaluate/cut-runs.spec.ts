import { describe, expect, it } from 'vitest';
import type { DocumentSlice } from '#documents';
import { asSingleBlock, cutRuns, prefetch } from './cut-runs.ts';

const item: DocumentSlice = { bytes: new Uint8Array(2), notation: 'json' };
const times = (count: number): DocumentSlice[] => Array.from({ length: count }, () => item);
const lengths = async (runs: AsyncIterable<readonly DocumentSlice[]>): Promise<number[]> =>
  (await Array.fromAsync(runs)).map(({ length }) => length);

describe('splitting items into runs', () => {
  it.each([
    { name: 'nothing', blocks: [], itemMs: 5, runs: [] },
    { name: 'fewer than a run', blocks: [3], itemMs: 5, runs: [3] },
    { name: 'several runs of one block', blocks: [25], itemMs: 5, runs: [10, 10, 5] },
    { name: 'runs across blocks', blocks: [6, 6, 6], itemMs: 5, runs: [10, 8] },
    { name: 'at most 250', blocks: [600], itemMs: 0, runs: [250, 250, 100] },
  ])('$name', async ({ blocks, itemMs, runs }) => {
    async function* source(): AsyncGenerator<DocumentSlice[]> {
      for (const count of blocks) yield times(count);
    }
    expect(await lengths(cutRuns(source(), itemMs))).toEqual(runs);
    expect(await lengths(cutRuns(asSingleBlock(times(blocks.reduce((sum, count) => sum + count, 0))), itemMs))).toEqual(runs);
  });

  it('yields the items that it received so far when the sender pauses', async () => {
    const more = Promise.withResolvers<undefined>();
    async function* source(): AsyncGenerator<DocumentSlice[]> {
      yield times(3);
      await more.promise;
      yield times(2);
    }
    const runs = cutRuns(source(), 5);
    expect((await runs.next()).value).toHaveLength(3);
    more.resolve(undefined);
    expect((await runs.next()).value).toHaveLength(2);
    expect((await runs.next()).done).toBe(true);
  });
});

describe('reading values ahead of their use', () => {
  async function* source(requested: number[], failAt = Infinity): AsyncGenerator<number> {
    for (let i = 0; i < 10; i++) {
      if (i === failAt) throw new Error(`at ${i}`);
      requested.push(i);
      yield i;
    }
  }

  it('requests the given number of values in advance, and yields all in order', async () => {
    const requested: number[] = [];
    const ahead = prefetch(source(requested), 3);
    await ahead.next();
    await new Promise((resolve) => setImmediate(resolve));
    expect(requested).toEqual([0, 1, 2, 3]);
    expect(await Array.fromAsync(ahead)).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9]);
  });

  it('throws an error after the values before it', async () => {
    const seen: number[] = [];
    const reading = (async () => {
      for await (const value of prefetch(source([], 2), 5)) seen.push(value);
    })();
    await expect(reading).rejects.toThrow('at 2');
    expect(seen).toEqual([0, 1]);
  });
});
