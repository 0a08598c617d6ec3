import type { LoneRule } from '#crd';
import type { Choice, ValuePlan } from '../values/choice.ts';
import type { Version } from '../values/write-value.ts';

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
function smaller(choice: Choice): Choice {
  return choice.size === undefined ? choice : { ...choice, size: Math.max(0, choice.size - 1) };
}
