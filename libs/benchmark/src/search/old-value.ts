import type { LoneRule } from '#crd';
import type { Choice, ValuePlan } from '../values/choice.ts';
import type { Version } from '../values/write-value.ts';

/** The old value of a transition rule, beside the new one: the same, one with another content, a smaller one, or none. */
export type OldValue = 'same' | 'other' | 'smaller' | 'none';

/** Returns the old values that a rule can be tried with; none if it does not look at one. */
export function oldValuesOf({ rule }: LoneRule): readonly OldValue[] {
  if (!rule.usesOldSelf) return [];
  return rule.source.optionalOldSelf === true ? ['same', 'other', 'smaller', 'none'] : ['same', 'other', 'smaller'];
}

/** Returns how an old value that differs from the new one is written. */
export function writingOfOld(plan: ValuePlan, old: 'other' | 'smaller'): { readonly plan: ValuePlan; readonly version: Version } {
  return old === 'other' ? { plan, version: 'other' } : { plan: plan.map(smaller), version: 'usual' };
}

/** Returns a choice whose list, map or text is one shorter. */
function smaller(choice: Choice): Choice {
  return choice.size === undefined ? choice : { ...choice, size: Math.max(0, choice.size - 1) };
}
