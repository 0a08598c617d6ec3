import type { DocumentSlice } from '#evaluation';
import type { Breakage } from '#runner';

/** The end of a run of items: a result, or the breakage of the thread or host that ran them. */
export type Attempt<Result> = { readonly kind: 'done'; readonly result: Result } | { readonly kind: 'broken'; readonly breakage: Breakage };

/** A kind of work over items, and the way to join its results. */
export interface ItemWork<Result> {
  /** Runs a run of items; `alone`: in a host that has nothing else. */
  run(items: readonly DocumentSlice[], firstItem: number, alone: boolean): Promise<Attempt<Result>>;
  /** The result of the one item that ends the engine by itself. */
  guilty(item: DocumentSlice, index: number, breakage: Breakage): Result;
  join(first: Result, second: Result): Result;
}

/**
 * Runs items to their end, whatever they do to the engine. An engine calls work broken only if the work itself caused the breakage. Then each half of the items
 * runs alone, and so on, until one item is left. Only this item is reported, and its neighbours are judged as usual.
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
