import type { DocumentSlice } from '#evaluation';
import { cutRuns } from '../evaluate/cut-runs.ts';
import { readAhead } from '../evaluate/read-ahead.ts';

/** Items that are judged together. */
export interface ItemRun {
  readonly items: readonly DocumentSlice[];
  /** The index of the first among all items. */
  readonly firstItem: number;
}

/** Judges the items of a run. */
type JudgeRun<Result> = (run: ItemRun) => Promise<Result>;

/** Returns the results of all runs of items, in order and in bounded memory: `atATime` runs are judged beside each other. */
export async function* runsInOrder<Result>(
  blocks: AsyncIterable<readonly DocumentSlice[]>,
  atATime: number,
  judge: JudgeRun<Result>,
): AsyncGenerator<Result> {
  for await (const { result } of readAhead(begun(blocks, judge), atATime)) yield await result;
}

/** Begins to judge each run when it is asked for. */
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
