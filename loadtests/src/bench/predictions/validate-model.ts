import { RULE_FAMILIES, workTime } from '#benchmark';
import type { RuleFamily, ServerModel } from '#benchmark';
import type { TimedEvaluation } from './rule-evaluations.ts';

/** Comparison of predictions with measurements for the rules of one family (rules for which times are predicted together). */
export interface FamilyCheck {
  readonly family: RuleFamily;
  /** Number of rules for which the time of every step is known. */
  readonly rules: number;
  readonly evaluations: number;
  /** Number of rules for which every predicted time is within a factor of two of the measured time. */
  readonly within: number;
  /** Number of rules with a step whose time is not known. */
  readonly unknown: number;
  /** Quotient of prediction and measurement that is farthest from 1, above or below. */
  readonly worst: number;
}

/**
 * Conditions for publishing predictions of a family: fewest rules, lowest share of rules with predictions within `FACTOR`, and highest
 * allowed factor of the worst prediction.
 */
const MIN_RULES = 10;
const MIN_SHARE = 0.9;
const FACTOR = 2;
const WORST_FACTOR = 5;

/** Compares predictions with Go's measurements, by family. */
export function checkFamilies(timed: readonly TimedEvaluation[], nanoseconds: ServerModel['nanoseconds']): FamilyCheck[] {
  return RULE_FAMILIES.map((family) => {
    const rules = Map.groupBy(
      timed.filter(({ evaluation }) => evaluation.work.family === family),
      ({ evaluation }) => evaluation.rule,
    );
    const quotients = [...rules.values()].map((evaluations) => evaluations.map((one) => offBy(one, nanoseconds)));
    const known = quotients.filter((rule) => !rule.includes(undefined)) as number[][];
    return {
      family,
      rules: known.length,
      evaluations: known.flat().length,
      within: known.filter((rule) => rule.every((quotient) => Math.abs(Math.log(quotient)) <= Math.log(FACTOR))).length,
      unknown: quotients.length - known.length,
      worst: worstOf(known.flat()),
    };
  });
}

/** Returns the quotient that is farthest from 1. */
function worstOf(quotients: readonly number[]): number {
  const worst = quotients.reduce((far, quotient) => (Math.abs(Math.log(quotient)) > Math.abs(Math.log(far)) ? quotient : far), 1);
  return Number(worst.toFixed(2));
}

/** Returns the quotient of prediction and measurement; undefined if there is no prediction. */
function offBy({ evaluation, reading }: TimedEvaluation, nanoseconds: ServerModel['nanoseconds']): number | undefined {
  const predicted = workTime(evaluation.work, nanoseconds);
  return typeof predicted === 'string' ? undefined : predicted / reading.ns;
}

/** Returns true if predictions of a family may be published. */
export const isGoodEnough = ({ rules, within, worst }: FamilyCheck): boolean =>
  rules >= MIN_RULES && within / rules >= MIN_SHARE && Math.abs(Math.log(worst)) <= Math.log(WORST_FACTOR);
