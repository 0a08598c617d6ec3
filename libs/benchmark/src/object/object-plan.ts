import type { LoneRule } from '#crd';
import { ValuePlan } from '../values/choice.ts';
import { fieldOf } from '../values/field-of.ts';

/** Returns a plan of a whole object for a plan of a rule's node: the fields above the node are there, and lists and maps above it have one element. */
export function objectPlan({ steps }: LoneRule, plan: ValuePlan): ValuePlan {
  let whole = new ValuePlan();
  for (const [i, step] of steps.entries()) {
    const above = fieldOf(steps.slice(0, i));
    whole = step.kind === 'property' ? whole.with(`${above}.${step.name}`, { present: true }) : whole.with(above, { size: 1 });
  }
  return whole.under(plan);
}
