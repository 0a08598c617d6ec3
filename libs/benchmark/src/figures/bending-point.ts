/** The sizes between which the search runs. */
export interface SearchRange {
  /** Least size, a whole number. */
  readonly low: number;
  /** Largest size, a whole number, at least `low`. */
  readonly high: number;
  /** The search asks about so many sizes at most. Twice the binary logarithm of `high`, and 2 more, always suffice. */
  readonly mostEvaluations: number;
}

/** The first size at which something is over a limit. */
export type BendingPoint =
  /** `size` is over, and `size - 1` is not, or the range begins at `size`. */
  | { readonly kind: 'found'; readonly size: number; readonly evaluations: number }
  /** Not even the largest size is over. */
  | { readonly kind: 'never'; readonly evaluations: number }
  /** Evaluations ran out. */
  | {
      readonly kind: 'gaveUp';
      /** The largest size that is known not to be over; undefined if none is. */
      readonly notOver: number | undefined;
      /** The least size that is known to be over; undefined if none is. */
      readonly over: number | undefined;
      readonly evaluations: number;
    };

/**
 * Finds the first size that is over a limit: doubles the size until it is over, then halves the gap. It never asks about a size of more than
 * twice the answer, because large sizes are dear to evaluate. The answer is exact if `isOver` is monotone, which the search does not check.
 */
export function firstOver(isOver: (size: number) => boolean, range: SearchRange): BendingPoint {
  const search = sizesToAsk(range);
  let step = search.next();
  while (step.done !== true) step = search.next(isOver(step.value));
  return step.value;
}

/** Does what {@link firstOver} does, for a predicate that takes its time, such as a request to a service. */
export async function firstOverLater(isOver: (size: number) => Promise<boolean>, range: SearchRange): Promise<BendingPoint> {
  const search = sizesToAsk(range);
  let step = search.next();
  while (step.done !== true) step = search.next(await isOver(step.value));
  return step.value;
}

/** Yields each size to ask about, takes in whether it is over, and returns the outcome. */
function* sizesToAsk({ low, high, mostEvaluations }: SearchRange): Generator<number, BendingPoint, boolean> {
  let notOver: number | undefined;
  let over: number | undefined;
  for (let evaluations = 0; ; evaluations++) {
    if (over !== undefined && over === (notOver ?? low - 1) + 1) return { kind: 'found', size: over, evaluations };
    if (over === undefined && (notOver ?? low - 1) >= high) return { kind: 'never', evaluations };
    if (evaluations >= mostEvaluations) return { kind: 'gaveUp', notOver, over, evaluations };
    const size = nextSize(notOver, over, { low, high });
    if (yield size) over = size;
    else notOver = size;
  }
}

function nextSize(notOver: number | undefined, over: number | undefined, { low, high }: Pick<SearchRange, 'low' | 'high'>): number {
  if (notOver === undefined) return low;
  if (over === undefined) return Math.min(high, Math.max(notOver + 1, 2 * notOver));
  return notOver + Math.floor((over - notOver) / 2);
}
