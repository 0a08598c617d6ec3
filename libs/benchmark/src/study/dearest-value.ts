import type { JsonValue } from '#go';
import { RuleProbe } from '../search/rule-probe.ts';
import type { FoundRule } from '../cells/studied-definition.ts';
import { candidateOf } from '../cells/write-plan.ts';
import type { WritePlan } from './study-report.ts';

/** Value of the schema node that has a rule, with the old value of this node. `old` is undefined if there is no old value. */
export interface NodeValue {
  readonly value: JsonValue;
  readonly old: JsonValue | undefined;
}

/** Value of the schema node that has a rule, with the cost of evaluating the rule on this value. */
export interface PricedValue extends NodeValue {
  /** Cost of the evaluation in cost units. */
  readonly cost: number;
}

/**
 * Returns the value that a generated object has at the schema node of the rule, with the cost of evaluating the rule on this value. `plan`
 * describes the generated object. If the object has several values of this node, the first value is returned. Returns undefined if the rule
 * does not evaluate to true for this value.
 */
export function dearestValue({ rule, among }: FoundRule, plan: WritePlan, costLimit: number): PricedValue | undefined {
  const trial = new RuleProbe(rule, among.writing).try(candidateOf(plan), { costLimit, token: undefined, isChecked: false });
  return trial.kind === 'evaluated' && trial.outcome === 'true' ? { value: trial.value, old: trial.old, cost: trial.cost } : undefined;
}
