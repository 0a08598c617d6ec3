import { ChunkCutter } from '#documents';
import type { DocumentSlice, RunLimits } from '#documents';

/** Pause of the sender, in ms, after which the items that have arrived so far are evaluated without waiting for more. */
const PAUSE_MS = 15;
const PAUSED = Symbol('paused');

/**
 * Cuts the items of a batch into runs of consecutive items, even while items still arrive. Yields each run, which becomes one chunk (unit
 * of work) of the evaluation. A run ends when it is full by `limits`, or when no item arrived for a short time. `itemMs` is the expected
 * thread time of an item, in ms. An error of the source is thrown after all items before it.
 */
export async function* cutRuns(
  blocks: AsyncIterable<readonly DocumentSlice[]>,
  itemMs?: number,
  limits?: RunLimits,
): AsyncGenerator<readonly DocumentSlice[]> {
  const cutter = new ChunkCutter(itemMs, limits);
  const iterator = blocks[Symbol.asyncIterator]();
  let next = iterator.next();
  try {
    for (;;) {
      const step = await orPause(next);
      if (step === PAUSED) {
        const run = cutter.flush();
        if (run) yield run;
        await next;
      } else if (step.done) break;
      else {
        for (const item of step.value) {
          const run = cutter.add(item);
          if (run) yield run;
        }
        next = iterator.next();
      }
    }
    const rest = cutter.flush();
    if (rest) yield rest;
  } catch (error) {
    const rest = cutter.flush();
    if (rest) yield rest;
    throw error;
  } finally {
    // The client may send nothing for a long time, so a cancelled evaluation does not await the next part.
    next.catch(() => undefined);
    iterator.return?.().catch(() => undefined);
  }
}

/** Yields all objects of a complete batch at once, as a single list. Yields nothing if the batch has no objects. */
export async function* asSingleBlock(items: readonly DocumentSlice[]): AsyncGenerator<readonly DocumentSlice[]> {
  if (items.length > 0) yield items;
}

/** Yields the given runs of consecutive items in order. */
export async function* asAsyncIterable(runs: readonly (readonly DocumentSlice[])[]): AsyncGenerator<readonly DocumentSlice[]> {
  yield* runs;
}

async function orPause<T>(next: Promise<T>): Promise<T | typeof PAUSED> {
  let timer: NodeJS.Timeout | undefined;
  const pause = new Promise<typeof PAUSED>((resolve) => {
    timer = setTimeout(resolve, PAUSE_MS, PAUSED);
  });
  try {
    return await Promise.race([next, pause]);
  } finally {
    clearTimeout(timer);
  }
}

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
    // An async generator would await a yielded promise. The object around the promise prevents this.
    yield { result };
    firstItem += items.length;
  }
}

/**
 * Yields the values of a source in order. Requests up to `ahead` values before the caller needs them. If `ahead` is a function, it is
 * called at each step. An error of the source is thrown after all values before it. If the caller stops early, the generator ends without
 * waiting for the values that it has requested.
 */
export async function* prefetch<Value>(source: AsyncGenerator<Value>, ahead: number | (() => number)): AsyncGenerator<Value> {
  const requested: Promise<IteratorResult<Value>>[] = [];
  const askMore = (): void => {
    for (const most = typeof ahead === 'number' ? ahead : ahead(); requested.length < most;) {
      const next = source.next();
      // The loop below throws the failure. Until then, this handler prevents an unhandled rejection.
      next.catch(() => undefined);
      requested.push(next);
    }
  };
  askMore();
  try {
    for (;;) {
      const step = await requested.shift();
      if (step === undefined || step.done) return;
      askMore();
      yield step.value;
    }
  } finally {
    source.return(undefined).catch(() => undefined);
  }
}
