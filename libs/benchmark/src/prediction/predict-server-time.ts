import type { RuleFamily } from './rule-family.ts';
import type { ServerWork } from './server-work.ts';

/** A model of a server, from which times are predicted. */
export interface ServerModel {
  /** Nanoseconds for one of each kind of step, as {@link ServerWork} names them. */
  readonly nanoseconds: Readonly<Record<string, number>>;
  /** The families of rules for which predictions are within a factor of two for nine of ten rules that took no part in the calibration. */
  readonly families: readonly RuleFamily[];
}

/** The time of a real server for one evaluation of a rule; or why there is no prediction. */
export type ServerTime =
  | { readonly kind: 'predicted'; readonly ms: number; readonly family: RuleFamily }
  | { readonly kind: 'notPredicted'; readonly reason: string };

/** Predicts the time that a real server takes to evaluate a rule, CPU time of its thread in ms. */
export function predictServerTime(work: ServerWork, model: ServerModel): ServerTime {
  const { family } = work;
  if (!model.families.includes(family)) return { kind: 'notPredicted', reason: `predictions for ${family} are not good enough` };
  const ns = workTime(work, model.nanoseconds);
  if (typeof ns === 'string') return { kind: 'notPredicted', reason: `no time is known for ${ns}` };
  return { kind: 'predicted', ms: ns / 1e6, family };
}

/** Adds up the nanoseconds of a work, whatever its family; or gives the first kind of step whose time is not known. */
export function workTime({ amounts }: ServerWork, nanoseconds: ServerModel['nanoseconds']): number | string {
  let sum = 0;
  for (const [kind, amount] of Object.entries(amounts)) {
    const each = nanoseconds[kind];
    if (each === undefined) return kind;
    sum += amount * each;
  }
  return sum;
}
