import { estimatePercentile, median, seededRandom, timeGrowth } from '#benchmark';
import type { ExponentFigure, PlacedFindings, PricedWrite, RuleKey, PredictedWriteTime, RuleFamily } from '#benchmark';

/** Number of times from which a median is told. */
const MIN_SAMPLES = 5;

/** Median of times in ms, with its 95 % interval. The interval needs six times. */
export interface MedianTime {
  readonly ms: number;
  readonly lo?: number;
  readonly hi?: number;
}

/** Returns the median of times in ms. Returns undefined below five times. */
export function medianTime(samples: readonly number[]): MedianTime | undefined {
  const ms = samples.length < MIN_SAMPLES ? undefined : median(samples);
  if (ms === undefined) return undefined;
  const estimate = estimatePercentile(samples, { p: 50 });
  return { ms, ...(estimate.kind === 'estimated' && { lo: estimate.lo, hi: estimate.hi }) };
}

/** Write of a load with the times of its expected answers, in ms. */
export interface MeasuredWrite {
  readonly write: {
    readonly priced: Pick<PricedWrite, 'isAccepted' | 'cost' | 'serverTime'>;
    /** Rule whose ladder the write belongs to, and the size of the write's largest field. Absent for given objects. */
    readonly rung?: { readonly rule: Pick<PlacedFindings, keyof RuleKey | 'definition' | 'rule'>; readonly size: number };
  };
  readonly samples: readonly number[];
}

/** Growth of the server's time with the size of an object, for the most expensive writes of one rule. */
export type LadderGrowth = RuleKey & { readonly definition: string; readonly rule: string } & (
    | {
        readonly verdict: 'grows';
        /** Exponent of the time with its 95 % interval. */
        readonly exponent: ExponentFigure;
        /** Exponent of the exact cost over the same sizes. */
        readonly costExponent?: number;
        /** Exponent of the predicted time over the same sizes. Absent if a size has no prediction. */
        readonly predictedExponent?: number;
      }
    | { readonly verdict: 'undecided'; readonly reason: string }
  );

/** Time in ms of the largest write that an exponent needs. Below it, the work around the rules takes most of the time. */
export const MIN_MS = 5;
const MIN_SIZES = 3;
/** Maximum width of the 95 % interval of an exponent that is reported. */
const MAX_WIDTH = 0.4;
const SEED = 1;

/** Returns the growth of the server's time for each rule of a load, in the order of the writes. */
export function growthOf(measured: readonly MeasuredWrite[]): readonly LadderGrowth[] {
  const ladders = Map.groupBy(measured, ({ write }) => write.rung?.rule);
  return [...ladders].flatMap(([rule, rungs]): LadderGrowth[] => {
    if (rule === undefined) return [];
    const { definition, version, path, rule: text } = rule;
    return [{ definition, version, path, rule: text, ...growthOfLadder(rungs) }];
  });
}

type Growth =
  | { readonly verdict: 'grows'; readonly exponent: ExponentFigure; readonly costExponent?: number; readonly predictedExponent?: number }
  | { readonly verdict: 'undecided'; readonly reason: string };

const undecided = (reason: string): Growth => ({ verdict: 'undecided', reason });

function growthOfLadder(rungs: readonly MeasuredWrite[]): Growth {
  const accepted = rungs.filter(({ write }) => write.priced.isAccepted);
  if (new Set(accepted.map(({ write }) => write.rung?.size)).size < MIN_SIZES)
    return undecided(`the object has fewer than ${MIN_SIZES} sizes`);
  const answered = accepted.filter(({ samples }) => samples.length >= MIN_SAMPLES);
  // Samples of different sizes belong together if they are from the same round. The last round may be incomplete, so its samples do not
  // count.
  const rounds = Math.min(...answered.map(({ samples }) => samples.length));
  const points = answered.map(({ write: { rung, priced }, samples }) => ({
    size: rung?.size ?? 0,
    samples: samples.slice(0, rounds),
    priced,
  }));
  if (new Set(points.map(({ size }) => size)).size < MIN_SIZES)
    return undecided(`fewer than ${MIN_SIZES} sizes were answered ${MIN_SAMPLES} times`);
  const longest = Math.max(...points.map(({ samples }) => median(samples) ?? 0));
  if (longest < MIN_MS) return undecided(`the server takes under ${MIN_MS} ms`);
  const beside = (costOf: (write: MeasuredWrite['write']['priced']) => number | undefined) =>
    timeGrowth(
      points.map(({ size, samples, priced }) => ({ size, samples, cost: costOf(priced) })),
      seededRandom(SEED),
    );
  const growth = beside(({ cost }) => cost);
  if (growth.kind !== 'grows') return undecided('the time does not grow clearly with the size');
  const { exponent: value, lo, hi, besideCost } = growth;
  if (hi - lo > MAX_WIDTH) return undecided(`the noise is too large: the interval is ${lo.toFixed(2)} to ${hi.toFixed(2)}`);
  const predicted = beside(({ serverTime }) => (serverTime.kind === 'predicted' ? serverTime.ms : undefined));
  const predictedExponent = predicted.kind === 'grows' ? predicted.besideCost?.exponent : undefined;
  return {
    verdict: 'grows',
    exponent: { value, lo, hi },
    ...(besideCost && { costExponent: besideCost.exponent }),
    ...(predictedExponent !== undefined && { predictedExponent }),
  };
}

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
