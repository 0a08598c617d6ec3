import type { TimedPair } from './compare-pairs.ts';
import { estimatePercentile, median } from './quantiles.ts';

/** Figure in ms with its 95 % confidence interval. */
export interface AddedMs {
  readonly ms: number;
  readonly lo: number;
  readonly hi: number;
}

/** Verdict about the time that `b` adds to `a`. */
export type AddedTime =
  /** `b` takes more time than `a`. */
  | { readonly verdict: 'adds'; readonly p50: AddedMs; readonly p99?: AddedMs }
  /** Any difference is smaller than the least difference that matters. */
  | { readonly verdict: 'noDifference'; readonly p50: AddedMs; readonly p99?: AddedMs }
  /** The measurements permit more than one verdict. `p50` and `p99` are absent if there are too few pairs for an interval. */
  | { readonly verdict: 'undecided'; readonly why: UndecidedWhy; readonly p50?: AddedMs; readonly p99?: AddedMs };

/** Reason why a difference is undecided. `short`: the slower of both takes less than 5 ms. `fewer`: `b` takes less time than `a`. */
export type UndecidedWhy = 'tooFew' | 'short' | 'noise' | 'fewer';

/** Time in ms of one request, below which differences are not decided. */
export const MIN_DECIDED_MS = 5;
/** Least difference that matters: as a share of the time of `a`, and in ms. The larger of both counts. */
const [MIN_SHARE, MIN_MS] = [0.02, 0.5];
/** Error of the interval that decides. It is small, because a report has many comparisons and is made many times. */
const DECIDING_ERROR = 0.001;
const SHOWN_ERROR = 0.05;

/**
 * Returns the time that `b` adds to `a`, from pairs of times in ms that were measured in the order a b b a. At p50, it is the median of the
 * differences b − a of all pairs. A slow phase of the machine cancels out within each pair. At p99, it is the difference of both 99th
 * percentiles. It is absent below 437 pairs.
 *
 * All intervals have order statistics as their ends and assume no distribution. The verdict `adds` needs a 99.9 % interval that is wholly above
 * the least difference that matters. This is 2 % of the time of `a`, and at least 0.5 ms. Equal `a` and `b` are therefore hardly ever called
 * different.
 *
 * @param bias Share of its own time by which work differs from equal work for no reason, as {@link biasShare} measures it. The verdict `adds` needs
 *   a larger difference.
 */
export function addedTime(pairs: readonly TimedPair[], bias = 0): AddedTime {
  const differences = pairs.map(({ a, b }) => b - a);
  const p50 = estimatePercentile(differences, { p: 50, error: SHOWN_ERROR });
  const deciding = estimatePercentile(differences, { p: 50, error: DECIDING_ERROR });
  const [a, b] = [pairs.map((pair) => pair.a), pairs.map((pair) => pair.b)].map((times) => estimatePercentile(times, { p: 50 }));
  if (p50.kind === 'tooFew' || a?.kind !== 'estimated' || b?.kind !== 'estimated') return { verdict: 'undecided', why: 'tooFew' };
  const p99 = addedAtP99(pairs);
  const figures = { p50: { ms: p50.value, lo: p50.lo, hi: p50.hi }, ...(p99 && { p99 }) };
  if (Math.max(a.value, b.value) < MIN_DECIDED_MS) return { verdict: 'undecided', why: 'short', ...figures };
  const least = Math.max(MIN_MS, MIN_SHARE * a.value);
  if (p50.lo > -least && p50.hi < least) return { verdict: 'noDifference', ...figures };
  if (deciding.kind === 'tooFew') return { verdict: 'undecided', why: 'tooFew', ...figures };
  if (deciding.lo > Math.max(least, bias * a.value)) return { verdict: 'adds', ...figures };
  return { verdict: 'undecided', why: deciding.hi < -least ? 'fewer' : 'noise', ...figures };
}

/**
 * Returns the share of its time by which work differs from equal work for no reason. This is the median difference, if its 95 % interval
 * excludes 0. Returns 0 if the interval contains 0, and 1 if there are too few pairs for an interval.
 */
export function biasShare(pairs: readonly TimedPair[]): number {
  const { p50 } = addedTime(pairs);
  const own = median(pairs.map(({ a }) => a));
  if (p50 === undefined || own === undefined || own <= 0) return 1;
  return p50.lo > 0 || p50.hi < 0 ? Math.abs(p50.ms) / own : 0;
}

/**
 * Returns the difference of the 99th percentiles. Both intervals have half of the error, so that together they have the error of one.
 * Undefined if there are too few pairs.
 */
function addedAtP99(pairs: readonly TimedPair[]): AddedMs | undefined {
  const wanted = { p: 99, error: SHOWN_ERROR / 2 };
  const a = estimatePercentile(
    pairs.map((pair) => pair.a),
    wanted,
  );
  const b = estimatePercentile(
    pairs.map((pair) => pair.b),
    wanted,
  );
  if (a.kind === 'tooFew' || b.kind === 'tooFew') return undefined;
  return { ms: b.value - a.value, lo: b.lo - a.hi, hi: b.hi - a.lo };
}
