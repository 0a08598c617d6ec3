import { estimatePercentile, median } from './quantiles.ts';

/** One time of each of two revisions, taken one right after the other; ms, or any other unit that both have. */
export interface TimedPair {
  readonly a: number;
  readonly b: number;
}

/** A judgement of b beside a. `equal`: any difference is less than matters. `undecided`: the interval holds both. */
export type PairVerdict = 'equal' | 'slower' | 'faster' | 'undecided';

/** Two revisions, compared by time. */
export type PairComparison =
  | {
      readonly kind: 'compared';
      /** Median of b ÷ a over the pairs. */
      readonly ratio: number;
      /** Ends of the interval. */
      readonly lo: number;
      readonly hi: number;
      readonly verdict: PairVerdict;
      /** Pairs that count: both times are above 0. */
      readonly pairs: number;
    }
  /** Fewer than six pairs, or more if `error` is less. `ratio`: the median of b ÷ a, without an interval; undefined without a pair that counts. */
  | { readonly kind: 'tooFew'; readonly ratio: number | undefined; readonly pairs: number };

/** Rules of a comparison. */
export interface PairRules {
  /** The least effect that matters, as a share: 0.1 (the default) for 10 %. */
  readonly leastEffect?: number;
  /** Chance that the interval misses; 0.05 if it is not given. */
  readonly error?: number;
}

/**
 * Compares two revisions by interleaved pairs. `slower` means that the whole interval is above 1 + leastEffect. `equal` means that it is between
 * 1 ÷ (1 + leastEffect) and 1 + leastEffect. So each verdict is wrong in at most `error` of all comparisons.
 *
 * The figure is the median of ratios. A load that slows a stretch of pairs cancels within each pair. A lost time slice moves one ratio far but
 * the median hardly. The interval has order statistics as its ends, so it assumes no distribution. Measure as a b b a: a drift within pairs
 * then raises as many ratios as it lowers.
 */
export function comparePairs(pairs: readonly TimedPair[], { leastEffect = 0.1, error = 0.05 }: PairRules = {}): PairComparison {
  const ratios = pairs.flatMap(({ a, b }) => (a > 0 && b > 0 && Number.isFinite(b / a) ? [b / a] : []));
  const estimate = estimatePercentile(ratios, { p: 50, error });
  if (estimate.kind === 'tooFew') return { kind: 'tooFew', ratio: median(ratios), pairs: ratios.length };
  const { value, lo, hi } = estimate;
  return { kind: 'compared', ratio: value, lo, hi, verdict: verdictOf(lo, hi, 1 + leastEffect), pairs: ratios.length };
}

function verdictOf(lo: number, hi: number, bound: number): PairVerdict {
  if (lo > bound) return 'slower';
  if (hi < 1 / bound) return 'faster';
  return lo > 1 / bound && hi < bound ? 'equal' : 'undecided';
}

/** Two exact costs, compared. */
export interface CostComparison {
  /** b ÷ a; undefined if a is 0 and b is not, 1 if both are 0. */
  readonly ratio: number | undefined;
  /** A judgement of b beside a: any difference is one, unless a least effect was given. */
  readonly verdict: 'equal' | 'dearer' | 'cheaper';
}

/**
 * Compares two exact costs: no chance is in them, so one figure of each decides.
 *
 * @param leastEffect the least effect that matters, as a share; an effect of exactly that size matters
 */
export function compareCosts(a: number, b: number, leastEffect = 0): CostComparison {
  const ratio = a === b ? 1 : a === 0 ? undefined : b / a;
  const [less, more] = a < b ? [a, b] : [b, a];
  const matters = a !== b && more - less >= less * leastEffect;
  return { ratio, verdict: !matters ? 'equal' : b > a ? 'dearer' : 'cheaper' };
}
