import { median, seededRandom, timeGrowth } from '#benchmark';
import type { ExponentFigure, PricedWrite, RuleFamily, RuleKey } from '#benchmark';
import type { LoadedWrite } from './workload.ts';

/** Write of a load with the times of its expected answers, in ms. */
export interface MeasuredWrite {
  readonly write: LoadedWrite;
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

/** Family of rules whose predicted times are more than a factor of 2 away from the measured ones. */
export interface FamilyOff {
  readonly family: RuleFamily;
  /** Median of measured time ÷ predicted time. */
  readonly ratio: number;
  readonly writes: number;
}

/** Time in ms of the largest write that an exponent needs. Below it, the work around the rules takes most of the time. */
const MIN_MS = 5;
const MIN_SAMPLES = 5;
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
  // The last round may be incomplete. Only whole rounds tell which samples of the sizes belong together.
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
  const beside = (costOf: (write: PricedWrite) => number | undefined) =>
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

/** Size in bytes of an object up to which reading and answering it takes a small part of a time of over 5 ms. */
const SMALL_BYTES = 64 * 1024;
const FACTOR = 2;

/**
 * Returns the families whose predictions are more than a factor of 2 off. A write counts if its rules are predicted to take over 5 ms, or if
 * a small object takes this long. `measured` minus the shortest time of all writes is the measured time, because it is the time beside the
 * rules.
 */
export function familiesOff(measured: readonly MeasuredWrite[]): readonly FamilyOff[] {
  const timed = measured.flatMap(({ write, samples }) => {
    const ms = samples.length >= MIN_SAMPLES ? median(samples) : undefined;
    return ms === undefined ? [] : [{ ...write.priced, ms }];
  });
  const least = Math.min(...timed.map(({ ms }) => ms));
  const ratios = timed.flatMap(({ ms, serverTime, bytes }) => {
    if (serverTime.kind !== 'predicted' || serverTime.family === undefined || serverTime.ms === 0) return [];
    const counts = serverTime.ms >= MIN_MS || (bytes <= SMALL_BYTES && ms - least >= MIN_MS);
    return counts ? [{ family: serverTime.family, ratio: (ms - least) / serverTime.ms }] : [];
  });
  return [...Map.groupBy(ratios, ({ family }) => family)].flatMap(([family, some]) => {
    const ratio = median(some.map((one) => one.ratio)) ?? 1;
    return ratio > FACTOR || ratio < 1 / FACTOR ? [{ family, ratio, writes: some.length }] : [];
  });
}
