import type { SizedValue } from './least-squares.ts';
import { percentile } from './quantiles.ts';

/** Measured run times of the same work, such as the evaluation of a rule, at one size of its data. */
export interface TimePoint {
  /** Size of the growing value, such as its number of elements or characters. It is above 0. */
  readonly size: number;
  /** Times of single runs, in ms. */
  readonly samples: readonly number[];
  /** Exact cost of the same work in cost units. Absent if the cost is not known. */
  readonly cost?: number;
}

/** Growth of a measured run time with the size of the data, or the reason why no growth can be determined. */
export type TimeGrowth =
  | {
      readonly kind: 'grows';
      /** Exponent of the growing part of the time, without the fixed part. It is 1 for 5 ms + 2 µs per element. */
      readonly exponent: number;
      /** Lower and upper end of the 95 % interval of the exponent. */
      readonly lo: number;
      readonly hi: number;
      /** Fixed part of the time, in ms. It can be below 0 because of noise, or because the time grows only beyond a threshold. */
      readonly fixedMs: number;
      /** Comparison of the exponent of time with the exponent of the exact cost. Undefined if the cost of any counted size is not known. */
      readonly besideCost: CostSlope | undefined;
    }
  /**
   * The largest size takes less than a quarter more time than the smallest size that counts. The time may grow, but a fixed part hides the
   * growth.
   */
  | { readonly kind: 'flat'; readonly ms: number }
  /** The largest size takes less than 0.05 ms, which is too short to measure. */
  | { readonly kind: 'tooFast'; readonly ms: number }
  /** Fewer than three sizes have samples that are long enough for a clock to measure. */
  | { readonly kind: 'tooFew' };

/** Comparison of two growth exponents over the same sizes: the exponent of the measured time and the exponent of the exact cost. */
export interface CostSlope {
  /**
   * Exponent of the cost, fitted in the same way as the exponent of time. Some effects distort the fit, such as n·log n or a threshold.
   * They therefore distort both exponents equally.
   */
  readonly exponent: number;
  /** True if the exponent of time is within 0.15 of the exponent of the cost. */
  readonly within: boolean;
  /**
   * Verdict from the 95 % interval of the exponent of time. `same`: the whole interval is within 0.15 of the cost's exponent. `undecided`:
   * only a part of the interval is within 0.15 of the cost's exponent.
   */
  readonly verdict: 'same' | 'steeper' | 'flatter' | 'undecided';
}

/**
 * Minimum time in ms that a growth exponent needs: a shorter time at the largest size yields no exponent. It is 50 times the resolution of
 * `performance.now()` on platforms with a coarse clock.
 */
export const MIN_REPORTED_MS = 0.05;
/**
 * Maximum difference between the growth exponent of a rule's time and the growth exponent of its cost. Up to this difference, both
 * exponents count as equal.
 */
export const SLOPE_TOLERANCE = 0.15;
/**
 * Percentile of the samples that represents the time of a size: the lower quartile. Noise only slows work, so a low quantile is close to
 * the true time. Up to three quarters of the samples may be disturbed. The minimum would be closer, but it falls with the number of
 * samples, so that sizes with fewer samples would look slower. Also, a bootstrap of a minimum has no valid interval.
 */
const LOCATION = 25;
/**
 * Maximum number of sizes that determine the exponent. Only the largest sizes are used, because the exponent describes the growth at large
 * sizes.
 */
const SIZES = 6;
const MIN_GROWTH = 1.25;
const RESAMPLES = 400;

/** Minimum time in ms of a size that counts. Shorter times depend more on the clock than on the work. */
const MIN_COUNTED_MS = 0.001;

/**
 * Determines the exponent with which a time grows with a size, and the exponent's 95 % interval by a bootstrap. The fitted formula contains
 * a fixed time besides the growing part, because the fixed time would otherwise hide the growth.
 *
 * Callers must measure in rounds, each of which takes one sample of every size. A slow phase of the machine then slows all sizes instead of
 * one. If all sizes have equally many samples, sample i of each size counts as round i, and the bootstrap draws rounds. If not, the
 * bootstrap draws the samples of each size separately.
 *
 * @param points Sizes that roughly double, in any order. The six largest sizes count.
 * @param random Returns seeded random numbers from 0 up to 1, excluding 1, so that the same samples result in the same interval.
 */
export function timeGrowth(points: readonly TimePoint[], random: () => number): TimeGrowth {
  const counted = points
    .filter(({ size, samples }) => size > 0 && (percentile(samples, LOCATION) ?? 0) >= MIN_COUNTED_MS)
    .toSorted((a, b) => a.size - b.size)
    .slice(-SIZES);
  if (new Set(counted.map(({ size }) => size)).size < 3) {
    const slowest = Math.max(0, ...points.map(({ samples }) => percentile(samples, LOCATION) ?? 0));
    return points.length < 3 || slowest >= MIN_REPORTED_MS ? { kind: 'tooFew' } : { kind: 'tooFast', ms: slowest };
  }
  const located = locations(counted, (samples) => samples);
  const [first, last] = [located[0]?.value ?? 0, located.at(-1)?.value ?? 0];
  if (last < MIN_REPORTED_MS) return { kind: 'tooFast', ms: last };
  if (last < MIN_GROWTH * first) return { kind: 'flat', ms: last };
  const { exponent, fixed } = fitPower(located);
  const exponents = Array.from({ length: RESAMPLES }, () => fitPower(locations(counted, drawing(counted, random))).exponent);
  const [lo, hi] = [percentile(exponents, 2.5) ?? exponent, percentile(exponents, 97.5) ?? exponent];
  return { kind: 'grows', exponent, lo, hi, fixedMs: fixed, besideCost: slopeOfCost(counted, { exponent, lo, hi }) };
}

type Draw = (samples: readonly number[]) => readonly number[];

const locations = (points: readonly TimePoint[], draw: Draw): SizedValue[] =>
  points.map(({ size, samples }) => ({ size, value: Math.max(MIN_COUNTED_MS, percentile(draw(samples), LOCATION) ?? 0) }));

/**
 * Returns a function that draws one resample. If all sizes have equally many samples, the function draws the same rounds for every size. If
 * not, it draws the samples of each size separately.
 */
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

/** A value as the sum of a fixed part and a power of the size: fixed + growing · (size ÷ largest size)^exponent. */
interface PowerFit {
  readonly exponent: number;
  /** Fixed part in the unit of the values. It is below 0 if the values grow only beyond a threshold. */
  readonly fixed: number;
  /** Growing part at the largest size. It is never negative. */
  readonly growing: number;
}

/** Lower limit of the exponents that are tried. `MAX_EXPONENT` is the upper limit. */
const MIN_EXPONENT = 0.05;
const MAX_EXPONENT = 5;
const GRID_STEP = 0.25;
const GOLDEN = (Math.sqrt(5) - 1) / 2;
const EXACT = 1e-4;

/**
 * Fits the function fixed + growing · size^exponent to measured values. Minimizes the squares of the relative errors, because longer times
 * vary more. Tries exponents from 0.05 to 5 on a grid, then narrows the best exponent down to 0.0001. Values must be above 0. The fixed
 * part may be negative, because a lower bound of 0 would raise the exponents of values without a fixed part.
 *
 * @param points Three or more points by rising size.
 */
export function fitPower(points: readonly SizedValue[]): PowerFit {
  const largest = points.at(-1)?.size ?? 1;
  const logs = points.map(({ size, value }) => ({ log: Math.log(size / largest), value }));
  const error = (exponent: number): number => fitParts(logs, exponent).error;
  let [best, least] = [MIN_EXPONENT, Number.POSITIVE_INFINITY];
  for (let exponent = MIN_EXPONENT; exponent <= MAX_EXPONENT; exponent += GRID_STEP) {
    const found = error(exponent);
    if (found < least) [best, least] = [exponent, found];
  }
  const exponent = narrowed(error, Math.max(MIN_EXPONENT, best - GRID_STEP), Math.min(MAX_EXPONENT, best + GRID_STEP));
  const { fixed, growing } = fitParts(logs, exponent);
  return { exponent, fixed, growing };
}

/** Returns the position between `from` and `to` at which `error` has a minimum, by golden-section search. */
function narrowed(error: (at: number) => number, from: number, to: number): number {
  let [lo, hi] = [from, to];
  let [left, right] = [hi - GOLDEN * (hi - lo), lo + GOLDEN * (hi - lo)];
  let [atLeft, atRight] = [error(left), error(right)];
  while (hi - lo > EXACT)
    if (atLeft < atRight) {
      [hi, right, atRight] = [right, left, atLeft];
      left = hi - GOLDEN * (hi - lo);
      atLeft = error(left);
    } else {
      [lo, left, atLeft] = [left, right, atRight];
      right = lo + GOLDEN * (hi - lo);
      atRight = error(right);
    }
  return (lo + hi) / 2;
}

interface LogPoint {
  /** Natural logarithm of the quotient size ÷ largest size. */
  readonly log: number;
  readonly value: number;
}

/** Fits the fixed part and the growing part for a given exponent. `error` is the sum of the squared relative errors. */
function fitParts(points: readonly LogPoint[], exponent: number): { fixed: number; growing: number; error: number } {
  // Dividing value = fixed + growing · size^exponent by the value gives 1 = fixed · u + growing · v. So all errors are relative.
  let [uu, uv, vv, u, v] = [0, 0, 0, 0, 0];
  for (const { log, value } of points) {
    const [ofFixed, ofGrowing] = [1 / value, Math.exp(exponent * log) / value];
    uu += ofFixed * ofFixed;
    uv += ofFixed * ofGrowing;
    vv += ofGrowing * ofGrowing;
    u += ofFixed;
    v += ofGrowing;
  }
  const determinant = uu * vv - uv * uv;
  let [fixed, growing] = [(u * vv - v * uv) / determinant, (v * uu - u * uv) / determinant];
  if (!Number.isFinite(fixed) || !(growing >= 0)) [fixed, growing] = [u / uu, 0];
  const error = points.length - 2 * (fixed * u + growing * v) + fixed * fixed * uu + 2 * fixed * growing * uv + growing * growing * vv;
  return { fixed, growing, error };
}
