import { median } from '#benchmark';
import type { PredictedWriteTime, RuleFamily } from '#benchmark';
import { MIN_MS } from './ladder-growth.ts';
import type { MedianTime } from './median-time.ts';

/** Write of a load with its prediction, and with the median of its times. */
export interface TimedWrite {
  readonly bytes: number;
  readonly predicted: PredictedWriteTime;
  readonly latencies: { readonly median?: MedianTime };
}

/** Predicted and measured time in ms of the rules of a write. */
export interface RuleTime<Write extends TimedWrite = TimedWrite> {
  readonly write: Write;
  readonly family: RuleFamily;
  readonly predictedMs: number;
  /** Median time of the write, minus the shortest median of all writes. This is the time beside the rules. */
  readonly measuredMs: number;
  /** True if the rules take long enough for a comparison. */
  readonly counts: boolean;
}

/** Family of rules whose predicted times are more than a factor of 2 away from the measured ones. */
export interface FamilyOff {
  readonly family: RuleFamily;
  /** Median of measured time ÷ predicted time. */
  readonly ratio: number;
  readonly writes: number;
}

/** Size in bytes of an object up to which reading and answering it takes a small part of a time of over 5 ms. */
const SMALL_BYTES = 64 * 1024;
/** Factor between a measured and a predicted time above which the family of the rules is named. */
const FACTOR = 2;

/**
 * Returns the predicted and the measured times of the rules, for all writes that have both. A write counts if its rules are predicted to take
 * over 5 ms, or if a small object takes this long.
 */
export function ruleTimes<Write extends TimedWrite>(writes: readonly Write[]): readonly RuleTime<Write>[] {
  const timed = writes.flatMap((write) => (write.latencies.median === undefined ? [] : [{ write, ms: write.latencies.median.ms }]));
  const least = Math.min(...timed.map(({ ms }) => ms));
  return timed.flatMap(({ write, ms }) => {
    const { predicted, bytes } = write;
    if (predicted.kind !== 'predicted' || predicted.family === undefined || predicted.ms === 0) return [];
    const measuredMs = ms - least;
    const counts = predicted.ms >= MIN_MS || (bytes <= SMALL_BYTES && measuredMs >= MIN_MS);
    return [{ write, family: predicted.family, predictedMs: predicted.ms, measuredMs, counts }];
  });
}

/** Returns the families whose predictions are more than a factor of 2 off. Only writes that count are compared. */
export function familiesOff(times: readonly RuleTime[]): readonly FamilyOff[] {
  const counted = times.filter(({ counts }) => counts);
  return [...Map.groupBy(counted, ({ family }) => family)].flatMap(([family, some]) => {
    const ratio = median(some.map(({ measuredMs, predictedMs }) => measuredMs / predictedMs)) ?? 1;
    return ratio > FACTOR || ratio < 1 / FACTOR ? [{ family, ratio, writes: some.length }] : [];
  });
}
