import type { Filling, ValuePlan } from '../values/choice.ts';
import type { NamedField } from './named-fields.ts';

/**
 * Contents of all scalar fields of a list's or map's elements. They decide how far a comparison of two elements gets. For example, a rule must
 * compare both keys of each pair if the first keys are equal and the second keys differ.
 */
export type SharedContents = readonly (readonly [field: string, filling: Filling])[];

/** Maximum number of fields of an element for which each combination with one exceptional field is tried. */
const MAX_FIELDS = 8;

const EQUAL: Filling = { kind: 'least' };
const RISING: Filling = { kind: 'rising' };
const FALLING: Filling = { kind: 'falling' };

/**
 * Returns contents of the elements of each list and map among `fields`. Either all fields are equal in all elements, or all
 * fields rise or fall from element to element. In further contents, one field is an exception from the others.
 */
export function sharedContents(fields: readonly NamedField[]): readonly SharedContents[] {
  const scalars = fields.filter(({ kind, isRepeated }) => isRepeated && VARIED.has(kind));
  return [...Map.groupBy(scalars, ({ field }) => listOf(field)).values()].flatMap((all) => contentsOf(all.map(({ field }) => field)));
}

const VARIED: ReadonlySet<string> = new Set(['string', 'integer', 'number', 'intOrString']);

/** Returns the path of the innermost list or map that contains a field. */
const listOf = (field: string): string => /^.*[\]}]/.exec(field)?.[0] ?? '';

function contentsOf(fields: readonly string[]): readonly SharedContents[] {
  const all = (filling: Filling): SharedContents => fields.map((field) => [field, filling]);
  const except = (one: string, [its, others]: readonly [Filling, Filling]): SharedContents =>
    fields.map((field) => [field, field === one ? its : others]);
  if (fields.length === 1) return [all(EQUAL), all(RISING), all(FALLING)];
  const exceptions = fields.slice(0, MAX_FIELDS).flatMap((field) => [except(field, [RISING, EQUAL]), except(field, [EQUAL, RISING])]);
  return [...exceptions, all(EQUAL), all(RISING), all(FALLING)];
}

/** Returns a copy of `plan` in which the fields have the given contents. Fields that the plan omits stay omitted. */
export function withContents(plan: ValuePlan, contents: SharedContents): ValuePlan {
  return contents.reduce((changed, [field, filling]) => {
    const choice = changed.at(field);
    return choice?.present === false ? changed : changed.with(field, { present: true, filling });
  }, plan);
}
