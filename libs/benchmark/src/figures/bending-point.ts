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
 * Answer for one size. `true` means that the size exceeds the limit. A number is the share of the limit that the size reaches: it exceeds the
 * limit if the number is above 1. Numbers make the search shorter, because they show how far away the limit is.
 */
export type LimitAnswer = boolean | number;

/**
 * Finds the first size that exceeds a limit. The search doubles the size until the limit is exceeded, then halves the gap. If the answers
 * are numbers, it goes to the size at which their growth reaches the limit. It never evaluates a size of much more than twice the result,
 * because large sizes are expensive to evaluate. The result is exact if `isOver` is monotone, which the search does not check.
 */
export function firstOver(isOver: (size: number) => LimitAnswer, range: SearchRange): BendingPoint {
  const search = sizesToAsk(range);
  let step = search.next();
  while (step.done !== true) step = search.next(isOver(step.value));
  return step.value;
}

/**
 * Finds the first size that exceeds a limit, as {@link firstOver} does. The predicate `isOver` is asynchronous here, such as a request to a
 * service.
 */
export async function firstOverLater(isOver: (size: number) => Promise<LimitAnswer>, range: SearchRange): Promise<BendingPoint> {
  const search = sizesToAsk(range);
  let step = search.next();
  while (step.done !== true) step = search.next(await isOver(step.value));
  return step.value;
}

/** Size that was evaluated, and the share of the limit that it reaches. The share is undefined if it is not known. */
interface Asked {
  readonly size: number;
  readonly share: number | undefined;
}

/**
 * Yields each size that must be evaluated. The caller passes the answer for that size to `next`. Returns the result of the search.
 */
function* sizesToAsk({ low, high, maxEvaluations }: SearchRange): Generator<number, BendingPoint, LimitAnswer> {
  let before: Asked | undefined;
  let notOver: Asked | undefined;
  let over: Asked | undefined;
  for (let evaluations = 0; ; evaluations++) {
    if (over !== undefined && over.size === (notOver?.size ?? low - 1) + 1) return { kind: 'found', size: over.size, evaluations };
    if (over === undefined && (notOver?.size ?? low - 1) >= high) return { kind: 'never', evaluations };
    if (evaluations >= maxEvaluations) return { kind: 'gaveUp', notOver: notOver?.size, over: over?.size, evaluations };
    // Every second size is the middle of the range. So the search also ends soon if the cost does not grow as expected.
    const expected = evaluations % 2 === 0 ? undefined : expectedEnd(over?.share === undefined ? before : over, notOver);
    const size = nextSize(notOver?.size, over?.size, { low, high, expected });
    const answer = yield size;
    const asked: Asked = { size, share: typeof answer === 'number' ? answer : undefined };
    if (answer === true || (asked.share ?? 0) > 1) over = asked;
    else [before, notOver] = [notOver, asked];
  }
}

/** Returns the size at which the share reaches 1 if it grows by the same power as between two sizes. Returns undefined if that is unknown. */
function expectedEnd(a: Asked | undefined, b: Asked | undefined): number | undefined {
  if (a?.share === undefined || b?.share === undefined || a.size === b.size || Math.min(a.size, b.size) < 1) return undefined;
  const exponent = Math.log(a.share / b.share) / Math.log(a.size / b.size);
  const size = b.size * (1 / b.share) ** (1 / exponent);
  return exponent > 0 && Number.isFinite(size) ? Math.ceil(size) : undefined;
}

/** Inputs of {@link nextSize}: the range, and the size at which the limit is expected. */
interface NextRange extends Pick<SearchRange, 'low' | 'high'> {
  readonly expected: number | undefined;
}

function nextSize(notOver: number | undefined, over: number | undefined, { low, high, expected }: NextRange): number {
  if (notOver === undefined) return low;
  if (over === undefined) {
    const doubled = Math.max(notOver + 1, 2 * notOver);
    return Math.min(high, expected === undefined ? doubled : Math.max(notOver + 1, Math.min(LEAP * doubled, expected)));
  }
  const middle = notOver + Math.floor((over - notOver) / 2);
  return expected === undefined ? middle : Math.min(over - 1, Math.max(notOver + 1, expected));
}

/** Maximum factor by which the next size is larger than a doubled size, if the growth says that the limit is farther away. */
const LEAP = 8;
