/**
 * Returns the p-th percentile (0 … 100) of samples by nearest rank; undefined without samples. Own code, because the nearest rank is always
 * a figure that was measured. Libraries such as simple-statistics give the mean of two neighbours.
 */
export function percentile(samples: readonly number[], p: number): number | undefined {
  return percentileOfSorted(sortedSamples(samples), p);
}

/** Returns the median by nearest rank; undefined without samples. */
export const median = (samples: readonly number[]): number | undefined => percentile(samples, 50);

/** A percentile of the distribution that samples come from. All figures have the unit of the samples. */
export type PercentileEstimate =
  | {
      readonly kind: 'told';
      /** The percentile of the samples, by nearest rank. */
      readonly value: number;
      /** Ends of the interval; both are samples. */
      readonly lo: number;
      readonly hi: number;
    }
  /** The interval of that confidence needs more samples. A median at 95 % needs six samples, a 99th percentile 368. */
  | { readonly kind: 'tooFew' };

/** A percentile that is asked for. */
export interface WantedPercentile {
  /** From 0 to 100, both excluded. */
  readonly p: number;
  /** Chance that the interval does not hold the percentile, half of it on each side; 0.05 if it is not given. */
  readonly error?: number;
}

/**
 * Estimates a percentile with an interval between two order statistics. It holds for every distribution, because the number of samples
 * below a percentile is binomial. It assumes independent samples.
 */
export function estimatePercentile(samples: readonly number[], { p, error = 0.05 }: WantedPercentile): PercentileEstimate {
  const sorted = sortedSamples(samples);
  const ranks = intervalRanks(sorted.length, p / 100, error / 2);
  const value = percentileOfSorted(sorted, p);
  const [lo, hi] = ranks === undefined ? [] : [sorted[ranks.lower - 1], sorted[ranks.upper - 1]];
  return value === undefined || lo === undefined || hi === undefined ? { kind: 'tooFew' } : { kind: 'told', value, lo, hi };
}

/** Sorts numbers upwards. A typed array does that without a comparing function, many times as fast. */
const sortedSamples = (samples: readonly number[]): Float64Array => Float64Array.from(samples).sort();

const percentileOfSorted = (sorted: Float64Array, p: number): number | undefined =>
  sorted[Math.max(0, Math.min(sorted.length - 1, Math.ceil((p / 100) * sorted.length) - 1))];

/** Finds the ranks (from 1) between which a quantile lies, with a chance of at most `tail` on either side that it does not. */
function intervalRanks(count: number, share: number, tail: number): { readonly lower: number; readonly upper: number } | undefined {
  if (!(share > 0 && share < 1)) return undefined;
  // The true quantile is below the sample of rank r if fewer than r samples lie below it, and above it if at least r do.
  const lower = ranksWithin(count, share, tail);
  const upper = count + 1 - ranksWithin(count, 1 - share, tail);
  return lower < 1 || upper > count ? undefined : { lower, upper };
}

/** Counts the lowest outcomes (0, 1, …) of a binomial distribution whose chances sum up to no more than `tail`. */
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
