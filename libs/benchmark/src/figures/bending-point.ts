/**
 * Range in which {@link firstOver} searches for the first size that exceeds a limit, and the maximum number of sizes that the search
 * evaluates.
 */
export interface SearchRange {
  /** Smallest size to search, a whole number. */
  readonly low: number;
  /** Largest size to search, a whole number that is at least `low`. */
  readonly high: number;
  /** Maximum number of sizes that the search evaluates. Twice the binary logarithm of `high`, plus 2, is always sufficient. */
  readonly maxEvaluations: number;
}

/** Result of a search for the first size that exceeds a limit. */
export type BendingPoint =
  /** `size` is the first size that exceeds the limit: `size - 1` does not exceed it, or the range begins at `size`. */
  | { readonly kind: 'found'; readonly size: number; readonly evaluations: number }
  /** Not even the largest size of the range exceeds the limit. */
  | { readonly kind: 'never'; readonly evaluations: number }
  /** The search used its maximum number of evaluations before it found the first size that exceeds the limit. */
  | {
      readonly kind: 'gaveUp';
      /** Largest size that is known not to exceed the limit. Undefined if no such size is known. */
      readonly notOver: number | undefined;
      /** Smallest size that is known to exceed the limit. Undefined if no such size is known. */
      readonly over: number | undefined;
      readonly evaluations: number;
    };

/**
 * Finds the first size that exceeds a limit. The search doubles the size until the limit is exceeded, then halves the gap. It never
 * evaluates a size of more than twice the result, because large sizes are expensive to evaluate. The result is exact if `isOver` is
 * monotone, which the search does not check.
 */
export function firstOver(isOver: (size: number) => boolean, range: SearchRange): BendingPoint {
  const search = sizesToAsk(range);
  let step = search.next();
  while (step.done !== true) step = search.next(isOver(step.value));
  return step.value;
}

/**
 * Finds the first size that exceeds a limit, as {@link firstOver} does. The predicate `isOver` is asynchronous here, such as a request to a
 * service.
 */
export async function firstOverLater(isOver: (size: number) => Promise<boolean>, range: SearchRange): Promise<BendingPoint> {
  const search = sizesToAsk(range);
  let step = search.next();
  while (step.done !== true) step = search.next(await isOver(step.value));
  return step.value;
}

/**
 * Yields each size that must be evaluated. The caller passes true to `next` if that size exceeds the limit. Returns the result of the
 * search.
 */
function* sizesToAsk({ low, high, maxEvaluations }: SearchRange): Generator<number, BendingPoint, boolean> {
  let notOver: number | undefined;
  let over: number | undefined;
  for (let evaluations = 0; ; evaluations++) {
    if (over !== undefined && over === (notOver ?? low - 1) + 1) return { kind: 'found', size: over, evaluations };
    if (over === undefined && (notOver ?? low - 1) >= high) return { kind: 'never', evaluations };
    if (evaluations >= maxEvaluations) return { kind: 'gaveUp', notOver, over, evaluations };
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
