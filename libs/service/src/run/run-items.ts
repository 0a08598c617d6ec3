import type { DocumentSlice } from '#evaluation';
import type { Breakage } from '#runner';

/** Outcome of a run of items: a result, or the breakage of the thread or host that ran the items. */
export type Attempt<Result> = { readonly kind: 'done'; readonly result: Result } | { readonly kind: 'broken'; readonly breakage: Breakage };

/** Operations on items of one kind of work: running them, reporting an item that ends the engine, and joining results. */
export interface ItemWork<Result> {
  /** Runs a sequence of items. If `alone` is true, the host does no other work at that time. */
  run(items: readonly DocumentSlice[], firstItem: number, alone: boolean): Promise<Attempt<Result>>;
  /** Returns the result for an item that ends the engine even if it runs by itself. */
  guilty(item: DocumentSlice, index: number, breakage: Breakage): Result;
  join(first: Result, second: Result): Result;
}

/**
 * Runs items until each item has a result, even if items end the engine. The engine reports work as broken only if the work itself caused
 * the breakage.
 *
 * Broken work is halved and each half runs alone. This repeats until only one item is left. Only that item is reported as guilty, and all
 * other items are judged as usual.
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
  if (only && items.length === 1) return work.guilty(only, firstItem, attempt.breakage);
  const half = items.length >> 1;
  const left = await runItems(work, items.slice(0, half), firstItem, true);
  return work.join(left, await runItems(work, items.slice(half), firstItem + half, true));
}
