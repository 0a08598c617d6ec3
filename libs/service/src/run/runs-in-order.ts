import type { DocumentSlice } from '#evaluation';
import { cutRuns } from '../evaluate/cut-runs.ts';
import { readAhead } from '../evaluate/read-ahead.ts';

/** Items that are judged together. */
export interface ItemRun {
  readonly items: readonly DocumentSlice[];
  /** Index of the run's first item among all items. */
  readonly firstItem: number;
}

/** Function that judges the items of a run. */
type JudgeRun<Result> = (run: ItemRun) => Promise<Result>;

/** Yields the results of all runs of items, in order and in bounded memory. Up to `atATime` runs are judged in parallel. */
export async function* runsInOrder<Result>(
  blocks: AsyncIterable<readonly DocumentSlice[]>,
  atATime: number,
  judge: JudgeRun<Result>,
): AsyncGenerator<Result> {
  for await (const { result } of readAhead(begun(blocks, judge), atATime)) yield await result;
}

/** Yields a judgement for each run of items. The judging of a run begins only when its value is requested from the generator. */
async function* begun<Result>(
  blocks: AsyncIterable<readonly DocumentSlice[]>,
  judge: JudgeRun<Result>,
): AsyncGenerator<{ readonly result: Promise<Result> }> {
  let firstItem = 0;
  for await (const items of cutRuns(blocks)) {
    // An object, so that the generator does not wait for the promise in it.
    yield { result: judge({ items, firstItem }) };
    firstItem += items.length;
  }
}
