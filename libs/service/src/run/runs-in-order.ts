import type { DocumentSlice } from '#evaluation';
import { cutRuns } from '../evaluate/cut-runs.ts';
import { readAhead } from '../evaluate/read-ahead.ts';

/** Run: consecutive items (objects to evaluate) of a request that are evaluated together in one task. */
export interface ItemRun {
  readonly items: readonly DocumentSlice[];
  /** Index of the run's first item among all items. */
  readonly firstItem: number;
}

/** Function that evaluates the items of a run (stretch of consecutive items) and returns their result. */
type JudgeRun<Result> = (run: ItemRun) => Promise<Result>;

/**
 * Cuts items into runs (stretches of consecutive items) and yields the results of the runs, in order. Up to `atATime` runs are evaluated in
 * parallel. Memory use is bounded.
 */
export async function* runsInOrder<Result>(
  blocks: AsyncIterable<readonly DocumentSlice[]>,
  atATime: number,
  judge: JudgeRun<Result>,
): AsyncGenerator<Result> {
  for await (const { result } of readAhead(begun(blocks, judge), atATime)) yield await result;
}

/**
 * Starts the evaluation of each run (stretch of consecutive items), and yields a promise of its result. A run starts only when its value is
 * requested from the generator.
 */
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
