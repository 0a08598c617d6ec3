import { median, seededRandom, timeGrowth } from '#benchmark';
import type { ExponentFigure, PlacedFindings, PricedWrite, RuleKey } from '#benchmark';
import { MIN_SAMPLES } from './median-time.ts';

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
