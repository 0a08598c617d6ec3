import type { LoneRule } from '#crd';
import type { JsonValue } from '#go';
import { RuleProbe } from '../search/rule-probe.ts';
import { SchemaTexts } from '../texts/schema-texts.ts';
import { EffectiveSchemas } from '../values/effective-schema.ts';
import { candidateOf } from '../cells/write-plan.ts';
import type { WritePlan } from './study-report.ts';

/** A value of a rule's node, and its old value. */
export interface NodeValue {
  readonly value: JsonValue;
  readonly old: JsonValue | undefined;
}

const MOST_BYTES = 3_400_000;

/** Writes the value of the rule's node in a write; the first such value if there are several. Undefined if the rule does not hold for it. */
export function dearestValue(rule: LoneRule, plan: WritePlan, costLimit: number): NodeValue | undefined {
  const probe = new RuleProbe(rule, { schemas: new EffectiveSchemas(), texts: new SchemaTexts(), mostBytes: MOST_BYTES });
  const trial = probe.try(candidateOf(plan), { costLimit, token: undefined, isChecked: false });
  return trial.kind === 'evaluated' && trial.outcome === 'true' ? { value: trial.value, old: trial.old } : undefined;
}
