import { CelError } from '#cel';
import { isJsonObject } from '#go';
import type { CancellationToken, JsonValue } from '#go';
import type { NodeReadings } from '#cel';
import type { LoneRule } from '#crd';
import type { ValuePlan, FieldChoice } from '../values/choice.ts';
import { addIdentity } from '../values/plan-of-object.ts';
import { nodePathText } from '../values/choice.ts';
import { STOPPED, writeValue } from '../values/write-value.ts';
import type { GeneratedValue, Version, WritingParts } from '../values/write-value.ts';

/**
 * Candidate in the search for a value with a high rule cost. It consists of the plan of a value for the rule's schema node, and the kind of
 * old value for a transition rule.
 */
export interface Candidate {
  readonly plan: ValuePlan;
  readonly old: OldValue;
}

/** Limits of one evaluation of the rule. */
export interface TrialLimits {
  /** Maximum cost of the evaluation in cost units. */
  readonly costLimit: number;
  readonly token: CancellationToken | undefined;
  /** True if the schema keywords are checked before the evaluation. Default: true. */
  readonly isChecked?: boolean;
}

/**
 * Result of evaluating the studied rule on a generated value, or the reason why the rule was not evaluated. A {@link Candidate} is the plan
 * of this value.
 */
export type Trial =
  | {
      readonly kind: 'evaluated';
      readonly outcome: 'true' | 'false' | 'error' | 'overLimit';
      /** Cost of the evaluation in cost units. */
      readonly cost: number;
      /** Size of the node's value in bytes of JSON. */
      readonly bytes: number;
      readonly value: JsonValue;
      readonly old: JsonValue | undefined;
      /** Counts and costs of each node, if the rule is compiled for the engine `measured`. Undefined for other engines. */
      readonly readings: NodeReadings | undefined;
    }
  | { readonly kind: 'refused'; readonly reason: string }
  | { readonly kind: 'stopped' };

/**
 * Evaluator of one rule, without the rest of the definition. It evaluates the rule on values that it builds from plans (decisions about the
 * fields of a value).
 */
export class RuleProbe {
  readonly rule: LoneRule;
  /** Path of the rule's node in the form that plans use, such as `.spec.rules[].name`. */
  readonly field: string;
  readonly parts: WritingParts;
  /** Number of evaluations of the rule so far. */
  evaluations = 0;

  constructor(rule: LoneRule, parts: WritingParts) {
    this.rule = rule;
    this.parts = parts;
    this.field = nodePathText(rule.steps);
  }

  /** Evaluates the rule on the value that a candidate describes. */
  try({ plan, old }: Candidate, limits: TrialLimits): Trial {
    if (limits.token?.cancelled === true) return { kind: 'stopped' };
    const written = this.#write(plan, 'usual', limits.token);
    if (!written.ok) return written.reason === STOPPED ? { kind: 'stopped' } : { kind: 'refused', reason: written.reason };
    const { value, bytes } = written;
    if (limits.isChecked !== false) {
      const refusals = this.rule.refusals(value, limits.token);
      if (refusals === 'stopped') return { kind: 'stopped' };
      const [refusal] = refusals;
      if (refusal) return { kind: 'refused', reason: `${refusal.type} ${refusal.detail}` };
    }
    const before = this.#oldValue({ plan, old }, value, limits.token);
    if (before === undefined && this.rule.rule.usesOldSelf && this.rule.rule.source.optionalOldSelf !== true)
      return { kind: 'refused', reason: 'the rule needs an old value' };
    this.evaluations += 1;
    const evaluation = this.rule.evaluate(value, before, limits);
    if (evaluation === undefined) return { kind: 'refused', reason: 'the rule is not evaluated' };
    if (isStopped(limits.token)) return { kind: 'stopped' };
    const { cost, value: result, readings } = evaluation;
    const outcome = result === true ? 'true' : result === false ? 'false' : isOverLimit(result) ? 'overLimit' : 'error';
    return { kind: 'evaluated', outcome, cost, bytes, value, old: before, readings };
  }

  #oldValue({ plan, old }: Candidate, value: JsonValue, token: CancellationToken | undefined): JsonValue | undefined {
    if (!this.rule.rule.usesOldSelf || old === 'none') return undefined;
    if (old === 'same') return value;
    const writing = writingOfOld(plan, old);
    const written = this.#write(writing.plan, writing.version, token);
    return written.ok ? written.value : undefined;
  }

  #write(plan: ValuePlan, version: Version, token: CancellationToken | undefined): GeneratedValue {
    const written = writeValue({ schema: this.rule.schema, field: this.field }, plan, this.parts, { version, token });
    if (!written.ok) return written;
    this.rule.applyDefaults(written.value);
    if (this.field === '' && isJsonObject(written.value)) addIdentity(written.value, this.rule.version, plan);
    return written;
  }
}

const isStopped = (token: CancellationToken | undefined): boolean => token?.cancelled === true;
const isOverLimit = (result: unknown): boolean => result instanceof CelError && result.code === 'costLimitExceeded';

/** Kind of old value for a transition rule. The old value is the same as the new value, has other content, is smaller, or is absent. */
export type OldValue = 'same' | 'other' | 'smaller' | 'none';

/**
 * Returns the kinds of old values with which the search for a high cost tests a transition rule. Returns an empty list if the rule does not
 * use `oldSelf`.
 */
export function oldValuesOf({ rule }: LoneRule): readonly OldValue[] {
  if (!rule.usesOldSelf) return [];
  return rule.source.optionalOldSelf === true ? ['same', 'other', 'smaller', 'none'] : ['same', 'other', 'smaller'];
}

/**
 * Returns the plan and the variant from which the old value of a transition rule is generated. The old value differs from the new value.
 * `plan` is the plan of the new value. For `other`, the contents of the old value differ. For `smaller`, each size is smaller by one.
 */
export function writingOfOld(plan: ValuePlan, old: 'other' | 'smaller'): { readonly plan: ValuePlan; readonly version: Version } {
  return old === 'other' ? { plan, version: 'other' } : { plan: plan.map(smaller), version: 'usual' };
}

/** Returns a choice whose size is smaller by one, and at least 0. */
function smaller(choice: FieldChoice): FieldChoice {
  return choice.size === undefined ? choice : { ...choice, size: Math.max(0, choice.size - 1) };
}
