import type { Candidate } from '../search/rule-probe.ts';
import type { WritePlan } from '../study/study-report.ts';
import { ValuePlan } from '../values/choice.ts';

/** Returns a field of a plan as people name it: `spec.rules[].name`; `(root)` for the object itself. */
export const shownField = (field: string): string => (field === '' ? '(root)' : field.replace(/^\./, ''));

/** Returns a field as plans name it: `.spec.rules[].name`. */
export const plannedField = (field: string): string => (field === '(root)' ? '' : /^[[{]/.test(field) ? field : `.${field}`);

/** Returns a candidate as plain data. */
export function writePlanOf({ plan, old }: Candidate): WritePlan {
  return { fields: Object.fromEntries(plan.fields.map((field) => [shownField(field), plan.at(field) ?? {}])), old };
}

/** Returns the candidate that a plan describes. */
export function candidateOf({ fields, old }: WritePlan): Candidate {
  return { plan: new ValuePlan(Object.entries(fields).map(([field, choice]) => [plannedField(field), choice])), old };
}
