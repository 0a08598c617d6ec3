import type { Candidate } from '../search/rule-probe.ts';
import type { WritePlan } from '../study/study-report.ts';
import { ValuePlan } from '../values/choice.ts';

/**
 * Converts a field path of a value plan, such as `.spec.rules[].name`, to the path that is displayed: `spec.rules[].name`, or `(root)` for
 * the object itself.
 */
export const shownField = (field: string): string => (field === '' ? '(root)' : field.replace(/^\./, ''));

/**
 * Converts a field path to the notation of value plans, from which test values are generated: `.spec.rules[].name`. The root becomes the
 * empty text.
 */
export const plannedField = (field: string): string => (field === '(root)' ? '' : /^[[{]/.test(field) ? field : `.${field}`);

/**
 * Converts a candidate of the cost search (the plan of a test value and the kind of old value) to a write plan. A write plan is the
 * plain-data form that study reports contain.
 */
export function writePlanOf({ plan, old }: Candidate): WritePlan {
  return { fields: Object.fromEntries(plan.fields.map((field) => [shownField(field), plan.at(field) ?? {}])), old };
}

/**
 * Converts a write plan of a study report to the form that the search for expensive objects uses (a candidate). Both forms describe the
 * generated test value and the kind of its old value.
 */
export function candidateOf({ fields, old }: WritePlan): Candidate {
  return { plan: new ValuePlan(Object.entries(fields).map(([field, choice]) => [plannedField(field), choice])), old };
}
