import type { LoneRule } from '#crd';
import { ValuePlan } from '../values/choice.ts';
import { nodePathText } from '../values/field-of.ts';

/**
 * Converts a plan for the value of a rule's schema node to a plan for a whole object. The object has the fields that lead to the node, and
 * one element in each list and map on the way to the node.
 */
export function objectPlan({ steps }: LoneRule, plan: ValuePlan): ValuePlan {
  let whole = new ValuePlan();
  for (const [i, step] of steps.entries()) {
    const above = nodePathText(steps.slice(0, i));
    whole = step.kind === 'property' ? whole.with(`${above}.${step.name}`, { present: true }) : whole.with(above, { size: 1 });
  }
  return whole.under(plan);
}
