import type { SizedValue } from './least-squares.ts';

/** A value as the sum of a fixed part and a power of the size: fixed + growing · (size ÷ largest size)^exponent. */
export interface PowerFit {
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
  // The fit is 1 = fixed · u + growing · v, with both sides divided by the values.
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
