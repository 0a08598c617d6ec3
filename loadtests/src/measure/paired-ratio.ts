import { median, percentile } from '#benchmark';
import { seededRandom } from '../../../testing/seeded-random.ts';

/** A ratio of two variants that were measured in turns, with its 95 % interval. */
export interface Ratio {
  readonly ratio: number;
  readonly lo: number;
  readonly hi: number;
  readonly rounds: number;
}

const RESAMPLES = 2000;
/** Below this many rounds nothing is concluded. */
export const FEWEST_ROUNDS = 10;

/**
 * The median over rounds of a / b, and the interval in which 95 % of the medians of resampled rounds lie (paired bootstrap). Rounds are
 * resampled and not samples, so that a drift of the machine, which both variants of a round see, does not count. Undefined where no round
 * measured both. Own code, because the bootstraps of libraries resample single samples and not pairs.
 *
 * @param a one figure a round; `b` those of the same rounds
 */
export function pairedRatio(a: readonly number[], b: readonly number[], seed: number): Ratio | undefined {
  const logs = a.flatMap((value, i) => {
    const other = b[i];
    return other === undefined || !(value > 0) || !(other > 0) ? [] : [Math.log(value / other)];
  });
  const middle = median(logs);
  if (middle === undefined) return undefined;
  const random = seededRandom(seed);
  const medians = Array.from(
    { length: RESAMPLES },
    () => median(Array.from(logs, () => logs[Math.floor(random() * logs.length)] ?? middle)) ?? middle,
  );
  return {
    ratio: Math.exp(middle),
    lo: Math.exp(percentile(medians, 2.5) ?? middle),
    hi: Math.exp(percentile(medians, 97.5) ?? middle),
    rounds: logs.length,
  };
}

/** Whether a ratio says that the variants differ: enough rounds, an interval without 1, and more than the machine makes of equal work. */
export function differs({ ratio, lo, hi, rounds }: Ratio, noiseFloor: number): boolean {
  return rounds >= FEWEST_ROUNDS && (lo > 1 || hi < 1) && Math.max(ratio, 1 / ratio) > noiseFloor;
}
