import type { RuleFamily } from './rule-family.ts';
import type { ServerWork } from './server-work.ts';

/** A model of a server's speed, with which times are predicted. */
export interface ServerModel {
  /** Time in ns of one step of each kind. The kinds are those of {@link ServerWork}. */
  readonly nanoseconds: Readonly<Record<string, number>>;
  /**
   * Families of rules for which predictions are good. For nine of ten rules that were not used in the calibration, the prediction is within
   * a factor of two.
   */
  readonly families: readonly RuleFamily[];
}

/** Predicted time of a real server for one evaluation of a rule, or the reason why there is no prediction. */
export type ServerTime =
  | { readonly kind: 'predicted'; readonly ms: number; readonly family: RuleFamily }
  | { readonly kind: 'notPredicted'; readonly reason: string };

/** Predicts the CPU time in ms that a real API server needs to evaluate a rule once. Returns the reason if no prediction is possible. */
export function predictServerTime(work: ServerWork, model: ServerModel): ServerTime {
  const { family } = work;
  if (!model.families.includes(family)) return { kind: 'notPredicted', reason: `predictions for ${family} are not good enough` };
  const ns = workTime(work, model.nanoseconds);
  if (typeof ns === 'string') return { kind: 'notPredicted', reason: `no time is known for ${ns}` };
  return { kind: 'predicted', ms: ns / 1e6, family };
}

/**
 * Returns the predicted time in ns of all steps that a server performs in one evaluation of a rule. `nanoseconds` contains the time of one
 * step of each kind. If it lacks a kind of step, returns the name of the first such kind. Does not check if predictions are good for the
 * family of the rule.
 */
export function workTime({ amounts }: ServerWork, nanoseconds: ServerModel['nanoseconds']): number | string {
  let sum = 0;
  for (const [kind, amount] of Object.entries(amounts)) {
    const each = nanoseconds[kind];
    if (each === undefined) return kind;
    sum += amount * each;
  }
  return sum;
}
