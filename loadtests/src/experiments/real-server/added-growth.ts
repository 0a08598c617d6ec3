import { median, percentile } from '#benchmark';
import { seededRandom } from '../../../../testing/seeded-random.ts';

/** Times in ms that a rule adds to writes of one size. Each is the difference of the two writes of a pair. */
export interface AddedTimes {
  readonly size: number;
  readonly differences: readonly number[];
}

/** Exponent with which the time of a rule grows with a size, and its 95 % interval. */
export interface AddedGrowth {
  readonly exponent: number;
  readonly lo: number;
  readonly hi: number;
}

const MIN_SIZES = 3;
const RESAMPLES = 400;
/** Maximum distance of the median of a size from the fitted power, as a natural logarithm: about a sixth. */
const MAX_DISTANCE = 0.15;

/**
 * Returns the growth of the time that a rule adds. A difference has no fixed part, so the fit is a plain power of the size through the medians.
 * The interval comes from a bootstrap of the pairs of each size. Returns undefined if there are fewer than three sizes, or if a median is not
 * above 0. Also returns undefined if the medians are not on one power, because a slow phase of the machine then hit single sizes.
 */
export function addedGrowth(sizes: readonly AddedTimes[]): AddedGrowth | undefined {
  const fit = fitPower(sizes);
  if (fit === undefined || fit.distance > MAX_DISTANCE) return undefined;
  const random = seededRandom(1);
  const draw = ({ size, differences }: AddedTimes): AddedTimes => ({
    size,
    differences: differences.map(() => differences[Math.floor(random() * differences.length)] ?? 0),
  });
  const exponents = Array.from({ length: RESAMPLES }, () => fitPower(sizes.map(draw))?.exponent ?? Infinity);
  const [lo, hi] = [percentile(exponents, 2.5) ?? fit.exponent, percentile(exponents, 97.5) ?? fit.exponent];
  return { exponent: fit.exponent, lo, hi };
}

/** Fits a line to the logarithms of size and median. Returns its slope, and the largest distance of a median from it. */
function fitPower(sizes: readonly AddedTimes[]): { readonly exponent: number; readonly distance: number } | undefined {
  const points = sizes.map(({ size, differences }) => ({ x: Math.log(size), y: Math.log(median(differences) ?? 0) }));
  if (points.length < MIN_SIZES || points.some(({ y }) => !Number.isFinite(y))) return undefined;
  const mean = (of: (point: { readonly x: number; readonly y: number }) => number): number =>
    points.reduce((sum, point) => sum + of(point), 0) / points.length;
  const [x, y] = [mean((point) => point.x), mean((point) => point.y)];
  const exponent = mean((point) => (point.x - x) * (point.y - y)) / mean((point) => (point.x - x) ** 2);
  return { exponent, distance: Math.max(...points.map((point) => Math.abs(point.y - y - exponent * (point.x - x)))) };
}
