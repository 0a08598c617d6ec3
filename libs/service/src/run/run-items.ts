import type { DocumentSlice } from '#evaluation';
import type { Breakage } from '#runner';

/** What running items came to: a result, or that they ended the thread or host that ran them. */
export type Attempt<Result> = { readonly kind: 'done'; readonly result: Result } | { readonly kind: 'broken'; readonly breakage: Breakage };

/** How one kind of work runs over items, and how its results are put together. */
export interface ItemWork<Result> {
  /** Runs a run of items; `alone`: in a host that has nothing else, so that a breakage is surely theirs. */
  run(items: readonly DocumentSlice[], firstItem: number, alone: boolean): Promise<Attempt<Result>>;
  /** The result of the one item that ends the engine by itself. */
  guilty(item: DocumentSlice, index: number, breakage: Breakage): Result;
  join(first: Result, second: Result): Result;
}

/**
 * Runs items to their end whatever they do to the engine. Items that broke their thread or host run again, in a host that has nothing else; if
 * they break that too, they are halved until one is left, which alone is reported. Its neighbours are judged as if nothing had happened.
 */
export async function runItems<Result>(work: ItemWork<Result>, items: readonly DocumentSlice[], firstItem: number): Promise<Result> {
  const first = await work.run(items, firstItem, false);
  return first.kind === 'done' ? first.result : runAlone(work, items, firstItem);
}

async function runAlone<Result>(work: ItemWork<Result>, items: readonly DocumentSlice[], firstItem: number): Promise<Result> {
  const attempt = await work.run(items, firstItem, true);
  if (attempt.kind === 'done') return attempt.result;
  const [only] = items;
  if (only && items.length === 1) return work.guilty(only, firstItem, attempt.breakage);
  const half = items.length >> 1;
  const left = await runAlone(work, items.slice(0, half), firstItem);
  return work.join(left, await runAlone(work, items.slice(half), firstItem + half));
}
