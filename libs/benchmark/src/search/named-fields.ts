import type { SchemaProps } from '#crd';
import type { Filling, ValuePlan } from '../values/choice.ts';
import { branchesOf, requiredKind } from '../values/effective-schema.ts';
import type { EffectiveSchema, EffectiveSchemas, ValueKind } from '../values/effective-schema.ts';

/** Field at or below a schema node that a rule can mention. The search of a study varies such fields. */
export interface NamedField {
  /** Path of the field in the form that plans use, such as `.spec.rules[].name`. */
  readonly field: string;
  readonly schema: EffectiveSchema;
  readonly kind: ValueKind;
  /** Number of combinations of branches of `anyOf` and `oneOf`. */
  readonly branches: number;
  /** True if the field is optional in its object. */
  readonly isOptional: boolean;
  /** True if the field is an element of a list, a value of a map, or nested in such an element or value. */
  readonly isRepeated: boolean;
}

/** Maximum number of fields that are collected. `DEEPEST` is the maximum depth of these fields below the node. */
const MAX_FIELDS = 80;
const DEEPEST = 9;

/**
 * Returns a schema node and the fields below it whose names are in `names`, at most {@link MAX_FIELDS} and down to {@link DEEPEST}. Elements of
 * lists and values of maps have no names and are always included. If `names` has no field of an element, the required fields of the element
 * are included. `field` is the path of the node.
 */
export function namedFields(
  node: SchemaProps,
  field: string,
  names: ReadonlySet<string>,
  schemas: EffectiveSchemas,
): readonly NamedField[] {
  const found: NamedField[] = [];
  const visit = (raw: SchemaProps, at: Pick<NamedField, 'field' | 'isOptional' | 'isRepeated'>, depth: number): void => {
    if (found.length >= MAX_FIELDS || depth > DEEPEST) return;
    const branches = branchesOf(raw);
    const schema = schemas.of(raw);
    found.push({ ...at, schema, kind: requiredKind(schema), branches });
    const properties = [...everyProperty(raw, branches, schemas)];
    // A rule that compares whole elements names none of their fields. Then the required fields of the elements count.
    const isCompared = at.isRepeated && depth > 0 && !properties.some(([name]) => names.has(name));
    for (const [name, below] of properties)
      if (names.has(name) || (isCompared && schema.required.includes(name)))
        visit(below, { ...at, field: `${at.field}.${name}`, isOptional: !schema.required.includes(name) }, depth + 1);
    const repeated = { isOptional: false, isRepeated: true };
    if (schema.items?.schema) visit(schema.items.schema, { ...repeated, field: `${at.field}[]` }, depth + 1);
    else if (schema.additionalProperties?.schema)
      visit(schema.additionalProperties.schema, { ...repeated, field: `${at.field}{}` }, depth + 1);
  };
  visit(node, { field, isOptional: false, isRepeated: /[\]}]/.test(field) }, 0);
  return found;
}

/** Returns the properties that a schema node has in any of its branches of `anyOf` and `oneOf`. */
function everyProperty(raw: SchemaProps, branches: number, schemas: EffectiveSchemas): ReadonlyMap<string, SchemaProps> {
  const all = new Map<string, SchemaProps>();
  for (let branch = 0; branch < branches; branch++)
    for (const [name, schema] of schemas.of(raw, branch).properties ?? []) if (!all.has(name)) all.set(name, schema);
  return all;
}

/**
 * Contents of all scalar fields of a list's or map's elements. They decide how far a comparison of two elements gets. For example, a rule must
 * compare both keys of each pair if the first keys are equal and the second keys differ.
 */
export type SharedContents = readonly (readonly [field: string, filling: Filling])[];

/** Maximum number of fields of an element for which each combination with one exceptional field is tried. */
const MAX_EXCEPTIONS = 8;

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
  const exceptions = fields.slice(0, MAX_EXCEPTIONS).flatMap((field) => [except(field, [RISING, EQUAL]), except(field, [EQUAL, RISING])]);
  return [...exceptions, all(EQUAL), all(RISING), all(FALLING)];
}

/** Returns a copy of `plan` in which the fields have the given contents. Fields that the plan omits stay omitted. */
export function withContents(plan: ValuePlan, contents: SharedContents): ValuePlan {
  return contents.reduce((changed, [field, filling]) => {
    const choice = changed.at(field);
    return choice?.present === false ? changed : changed.with(field, { present: true, filling });
  }, plan);
}
