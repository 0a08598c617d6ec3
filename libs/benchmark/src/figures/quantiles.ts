/**
 * Returns the p-th percentile (0 … 100) of `samples` by nearest rank. Returns undefined if there are no samples. The project implements it
 * because the nearest rank is always a measured value. Libraries such as simple-statistics return the mean of two neighbours.
 */
export function percentile(samples: readonly number[], p: number): number | undefined {
  return percentileOfSorted(sortedSamples(samples), p);
}

/** Returns the median by nearest rank. Returns undefined if there are no samples. */
export const median = (samples: readonly number[]): number | undefined => percentile(samples, 50);

/** Estimate of a percentile of the distribution from which the samples come. All values have the unit of the samples. */
export type PercentileEstimate =
  | {
      readonly kind: 'estimated';
      /** Percentile of the samples by nearest rank. */
      readonly value: number;
      /** Lower and upper end of the confidence interval. Both are samples. */
      readonly lo: number;
      readonly hi: number;
    }
  /** There are too few samples for a confidence interval. A median at 95 % needs six samples, a 99th percentile 368. */
  | { readonly kind: 'tooFew' };

/** A percentile that is to be estimated. */
export interface WantedPercentile {
  /** Percentile from 0 to 100, excluding both ends. */
  readonly p: number;
  /** Probability that the confidence interval does not contain the percentile, half of it on each side. Default: 0.05. */
  readonly error?: number;
}

/**
 * Estimates a percentile, with a confidence interval between two order statistics. The interval is valid for every distribution, because
 * the number of samples below a percentile is binomial. The samples must be independent.
 */
export function estimatePercentile(samples: readonly number[], { p, error = 0.05 }: WantedPercentile): PercentileEstimate {
  const sorted = sortedSamples(samples);
  const ranks = intervalRanks(sorted.length, p / 100, error / 2);
  const value = percentileOfSorted(sorted, p);
  const [lo, hi] = ranks === undefined ? [] : [sorted[ranks.lower - 1], sorted[ranks.upper - 1]];
  return value === undefined || lo === undefined || hi === undefined ? { kind: 'tooFew' } : { kind: 'estimated', value, lo, hi };
}

/** Sorts numbers in ascending order. A typed array sorts them without a comparison function, which is many times as fast. */
const sortedSamples = (samples: readonly number[]): Float64Array => Float64Array.from(samples).sort();

const percentileOfSorted = (sorted: Float64Array, p: number): number | undefined =>
  sorted[Math.max(0, Math.min(sorted.length - 1, Math.ceil((p / 100) * sorted.length) - 1))];

/**
 * Returns the ranks (from 1) of two samples that enclose a quantile. On each side, the probability that the quantile is outside is at most
 * `tail`. Undefined if there are too few samples.
 */
function intervalRanks(count: number, share: number, tail: number): { readonly lower: number; readonly upper: number } | undefined {
  if (!(share > 0 && share < 1)) return undefined;
  // The number of samples below the true quantile has a binomial distribution. If this number is less than r, the sample of rank r is at or
  // above the quantile.
  const lower = ranksWithin(count, share, tail);
  const upper = count + 1 - ranksWithin(count, 1 - share, tail);
  return lower < 1 || upper > count ? undefined : { lower, upper };
}

/** Returns how many of the lowest outcomes (0, 1, …) of a binomial distribution together have a probability of at most `tail`. */
function ranksWithin(count: number, share: number, tail: number): number {
  const odds = Math.log(share / (1 - share));
  let logChance = count * Math.log1p(-share);
  let sum = 0;
  for (let outcome = 0; outcome <= count; outcome++) {
    sum += Math.exp(logChance);
    if (sum > tail) return outcome;
    logChance += odds + Math.log((count - outcome) / (outcome + 1));
  }
  return count;
}
