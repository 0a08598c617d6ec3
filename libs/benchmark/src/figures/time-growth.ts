import { fitPower } from './power-fit.ts';
import type { SizedValue } from './least-squares.ts';
import { percentile } from './quantiles.ts';

/** Samples of the time of one piece of work at a size. */
export interface TimePoint {
  /** Elements, characters or whatever grows; above 0. */
  readonly size: number;
  /** Times of single runs, ms. */
  readonly samples: readonly number[];
  /** Exact cost of the same work, units; undefined if it is not known. */
  readonly cost?: number;
}

/** Growth of time with the size. */
export type TimeGrowth =
  | {
      readonly kind: 'grows';
      /** The exponent of what grows, without the fixed part: 1 for 5 ms + 2 µs an element. */
      readonly exponent: number;
      /** Ends of the 95 % interval of the exponent. */
      readonly lo: number;
      readonly hi: number;
      /** The fixed part, ms; noise, or a threshold below which nothing grows, may push it below 0. */
      readonly fixedMs: number;
      /** The comparison with the exact cost's exponent; undefined if a size that counts has no cost. */
      readonly besideCost: CostSlope | undefined;
    }
  /**
   * The largest size takes less than a quarter more time than the smallest size that counts: a fixed part hides any
   * growth.
   */
  | { readonly kind: 'flat'; readonly ms: number }
  /** The largest size takes less than 0.05 ms, which is too short to measure. */
  | { readonly kind: 'tooFast'; readonly ms: number }
  /** Fewer than three sizes have samples that a clock can tell from nothing. */
  | { readonly kind: 'tooFew' };

/** The exponent of time, compared with the exact cost's over the same sizes. */
export interface CostSlope {
  /** The exponent of the cost, fitted in the same way, so that what bends both (n·log n, a threshold) bends both alike. */
  readonly exponent: number;
  /** The exponent of time is within 0.15 of it. */
  readonly within: boolean;
  /** The verdict of the interval: `same` if all of it is within 0.15 of the cost's exponent, `undecided` if a part of it is. */
  readonly verdict: 'same' | 'steeper' | 'flatter' | 'undecided';
}

/** Least time at the largest size for which an exponent is told, ms: 50 times what `performance.now()` resolves where it is coarse. */
export const LEAST_REPORTED_MS = 0.05;
/** Farthest that the exponents of time and cost may be apart. */
export const SLOPE_TOLERANCE = 0.15;
/**
 * The time of a size is the lower quartile of its samples. Noise slows and never speeds up, so a low quantile is near the true time. Up to three quarters of the samples may be disturbed. The minimum would be nearer, but it falls with the number of samples: sizes with fewer samples would look slower. A bootstrap of a minimum gives no valid interval.
 */
const LOCATION = 25;
/** Number of the largest sizes that count: an exponent is one of large sizes. */
const SIZES = 6;
const LEAST_GROWTH = 1.25;
const RESAMPLES = 400;

/** Shorter times say more of the clock than of the work: sizes below do not count, ms. */
const LEAST_COUNTED_MS = 0.001;

/**
 * Tells the exponent of time with a 95 % interval, by a bootstrap. The fit has a fixed part, which therefore hides no growth.
 *
 * Measure in rounds, each of which takes one sample of every size: a slow stretch of the machine then slows all sizes and not one. If all
 * sizes have equally many samples, sample i of each counts as round i, and the bootstrap draws rounds; else it draws samples.
 *
 * @param points sizes that roughly double, in any order; the six largest count
 * @param random numbers from 0 up to (not including) 1, seeded, so that the same samples give the same interval
 */
export function timeGrowth(points: readonly TimePoint[], random: () => number): TimeGrowth {
  const counted = points
    .filter(({ size, samples }) => size > 0 && (percentile(samples, LOCATION) ?? 0) >= LEAST_COUNTED_MS)
    .toSorted((a, b) => a.size - b.size)
    .slice(-SIZES);
  if (new Set(counted.map(({ size }) => size)).size < 3) {
    const slowest = Math.max(0, ...points.map(({ samples }) => percentile(samples, LOCATION) ?? 0));
    return points.length < 3 || slowest >= LEAST_REPORTED_MS ? { kind: 'tooFew' } : { kind: 'tooFast', ms: slowest };
  }
  const located = locations(counted, (samples) => samples);
  const [first, last] = [located[0]?.value ?? 0, located.at(-1)?.value ?? 0];
  if (last < LEAST_REPORTED_MS) return { kind: 'tooFast', ms: last };
  if (last < LEAST_GROWTH * first) return { kind: 'flat', ms: last };
  const { exponent, fixed } = fitPower(located);
  const exponents = Array.from({ length: RESAMPLES }, () => fitPower(locations(counted, drawing(counted, random))).exponent);
  const [lo, hi] = [percentile(exponents, 2.5) ?? exponent, percentile(exponents, 97.5) ?? exponent];
  return { kind: 'grows', exponent, lo, hi, fixedMs: fixed, besideCost: slopeOfCost(counted, { exponent, lo, hi }) };
}

type Draw = (samples: readonly number[]) => readonly number[];

const locations = (points: readonly TimePoint[], draw: Draw): SizedValue[] =>
  points.map(({ size, samples }) => ({ size, value: Math.max(LEAST_COUNTED_MS, percentile(draw(samples), LOCATION) ?? 0) }));

/** Returns how one resample draws: the same rounds for every size, or samples of each size by itself. */
function drawing(points: readonly TimePoint[], random: () => number): Draw {
  const count = points[0]?.samples.length ?? 0;
  const drawn = (of: number): number[] => Array.from({ length: of }, () => Math.floor(random() * of));
  const rounds = points.every(({ samples }) => samples.length === count) ? drawn(count) : undefined;
  return (samples) => (rounds ?? drawn(samples.length)).map((index) => samples[index] ?? 0);
}

interface Interval {
  readonly exponent: number;
  readonly lo: number;
  readonly hi: number;
}

function slopeOfCost(points: readonly TimePoint[], { exponent, lo, hi }: Interval): CostSlope | undefined {
  const costs = points.flatMap(({ size, cost }) => (cost === undefined || cost <= 0 ? [] : [{ size, value: cost }]));
  if (costs.length < points.length) return undefined;
  const isFlat = (costs.at(-1)?.value ?? 0) <= (costs[0]?.value ?? 0);
  const slope = isFlat ? 0 : fitPower(costs).exponent;
  const [least, most] = [slope - SLOPE_TOLERANCE, slope + SLOPE_TOLERANCE];
  const verdict = lo > most ? 'steeper' : hi < least ? 'flatter' : lo >= least && hi <= most ? 'same' : 'undecided';
  return { exponent: slope, within: exponent >= least && exponent <= most, verdict };
}
