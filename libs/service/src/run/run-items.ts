import type { DocumentSlice } from '#documents';
import type { Breakage } from '#runner';

/**
 * Result of one attempt to process consecutive items together. `broken`: the items broke the worker thread or the engine process, and
 * `breakage` is the kind of failure.
 */
export type Attempt<Result> = { readonly kind: 'done'; readonly result: Result } | { readonly kind: 'broken'; readonly breakage: Breakage };

/**
 * Operations by which {@link runItems} processes items (objects of a batch) of one kind of work. It evaluates items, creates the result for
 * an item that crashes or blocks the engine, and joins results.
 */
export interface ItemWork<Result> {
  /** Runs consecutive items. If `alone` is true, the host runs no other work at the same time. */
  run(items: readonly DocumentSlice[], firstItem: number, alone: boolean): Promise<Attempt<Result>>;
  /** Returns the result for an item that breaks the engine even if it runs alone. */
  resultOfFault(item: DocumentSlice, index: number, breakage: Breakage): Result;
  join(first: Result, second: Result): Result;
}

/**
 * Evaluates items (objects) until each item has a result, even if some items crash or block the engine. The engine reports `broken` only if
 * these items themselves were the cause.
 *
 * If an attempt is broken, its items are halved, and each half runs alone. This repeats until only one item is left. Only that item is
 * reported as guilty, and all other items get their usual verdicts.
 */
export async function runItems<Result>(
  work: ItemWork<Result>,
  items: readonly DocumentSlice[],
  firstItem: number,
  alone = false,
): Promise<Result> {
  const attempt = await work.run(items, firstItem, alone);
  if (attempt.kind === 'done') return attempt.result;
  const [only] = items;
  if (only && items.length === 1) return work.resultOfFault(only, firstItem, attempt.breakage);
  const half = items.length >> 1;
  const left = await runItems(work, items.slice(0, half), firstItem, true);
  return work.join(left, await runItems(work, items.slice(half), firstItem + half, true));
}
