import { costGrowth } from '../figures/cost-growth.ts';
import type { PolicyPoint, PolicySeries, TimePassed } from './policy-study.ts';

/** Predicted times of a request, in ms, whose sizes are reported. */
export const REPORTED_MS = [100, 1000] as const;
/** Greatest size to which the growth of a time is continued beyond the judged sizes. */
const MAX_SIZE = 100_000;

/** Returns the exponents of cost and time of a series, and the sizes at which its time passes {@link REPORTED_MS}. */
export function seriesFigures(points: readonly PolicyPoint[]): Pick<PolicySeries, 'costExponent' | 'timeExponent' | 'passes'> {
  const growing = points.filter(({ stoppedBy }) => stoppedBy === undefined);
  const growth = costGrowth(growing);
  const timeExponent = lastExponent(growing);
  return {
    ...(growth.kind === 'grows' && { costExponent: growth.exponent }),
    ...(timeExponent !== undefined && { timeExponent }),
    passes: REPORTED_MS.flatMap((ms) => passed(growing, ms) ?? []),
  };
}

/**
 * Returns the exponent k of the time a + b·nᵏ, from the three largest sizes. Returns undefined if there are fewer sizes, or if the time
 * does not rise.
 */
function lastExponent(points: readonly PolicyPoint[]): number | undefined {
  const [first, second, third] = points.slice(-3);
  if (first === undefined || second === undefined || third === undefined) return undefined;
  const rise = (third.ms - second.ms) / (second.ms - first.ms);
  if (!(rise > 0) || !Number.isFinite(rise)) return undefined;
  const at = (k: number): number => (third.size ** k - second.size ** k) / (second.size ** k - first.size ** k);
  let [low, high] = [0.01, 6];
  for (let i = 0; i < 60; i++) {
    const middle = (low + high) / 2;
    if (at(middle) < rise) low = middle;
    else high = middle;
  }
  const whole = Math.round(low);
  return Math.abs(low - whole) < WHOLE ? whole : low;
}

/** Distance from a whole exponent that is an error of rounding. */
const WHOLE = 1e-4;

/**
 * Returns the size at which the time passes a bound, on the line or power through the judged sizes around it. Undefined if the time does
 * not rise there, or if the size would be too large.
 */
function passed(points: readonly PolicyPoint[], ms: number): TimePassed | undefined {
  const after = points.findIndex((point) => point.ms > ms);
  if (after === 0) return points[0] && { ms, size: points[0].size, isJudged: true };
  const [a, b] = after < 0 ? points.slice(-2) : [points[after - 1], points[after]];
  if (a === undefined || b === undefined || b.ms <= a.ms || b.size <= a.size) return undefined;
  const size = Math.ceil(
    (1 - ROUNDING) * (after < 0 ? extrapolated(points, ms) : a.size + ((ms - a.ms) / (b.ms - a.ms)) * (b.size - a.size)),
  );
  return size > MAX_SIZE ? undefined : { ms, size, isJudged: false };
}

/** Share of a size that is an error of rounding. */
const ROUNDING = 1e-9;

/** Continues the growth of the last sizes up to a time. */
function extrapolated(points: readonly PolicyPoint[], ms: number): number {
  const [a, b] = points.slice(-2);
  if (a === undefined || b === undefined) return Infinity;
  const k = lastExponent(points) ?? 1;
  const slope = (b.ms - a.ms) / (b.size ** k - a.size ** k);
  return ((ms - b.ms) / slope + b.size ** k) ** (1 / k);
}
