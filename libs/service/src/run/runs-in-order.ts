import type { DocumentSlice } from '#documents';
import { prefetch } from '../evaluate/prefetch.ts';

/** Run: consecutive items (objects to evaluate) of a request that are evaluated together in one task. */
export interface ItemRun {
  readonly items: readonly DocumentSlice[];
  /** Index of the run's first item among all items. */
  readonly firstItem: number;
}

/**
 * Yields the results of runs, in order. Up to `ahead` runs are evaluated in parallel; if `ahead` is a function, it is called at each step.
 * Memory use is bounded.
 */
export async function* runsInOrder<Result>(
  runs: AsyncIterable<readonly DocumentSlice[]>,
  ahead: number | (() => number),
  judge: (run: ItemRun) => Promise<Result>,
): AsyncGenerator<Result> {
  for await (const { result } of prefetch(begun(runs, judge), ahead)) yield await result;
}

/** Starts the evaluation of each run, and yields a promise of its result. A run starts only when its value is requested. */
async function* begun<Result>(
  runs: AsyncIterable<readonly DocumentSlice[]>,
  judge: (run: ItemRun) => Promise<Result>,
): AsyncGenerator<{ readonly result: Promise<Result> }> {
  let firstItem = 0;
  for await (const items of runs) {
    const result = judge({ items, firstItem });
    // The loop that reads the results throws the failure. Until then, this handler prevents an unhandled rejection.
    result.catch(() => undefined);
    // The object around the promise prevents the generator from awaiting it.
    yield { result };
    firstItem += items.length;
  }
}
