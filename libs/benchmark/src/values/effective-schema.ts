import { writeJson } from '#go';
import type { JsonValue } from '#go';
import type { SchemaProps, VocabularyKeyword } from '#crd';

/** A schema that is merged with all schemas of its `allOf`, with one branch of its `anyOf`, and with one branch of its `oneOf`. */
export interface EffectiveSchema extends SchemaProps {
  /** Names of fields that must be absent, because of the chosen branches or of `not`. */
  readonly forbidden: ReadonlySet<string>;
}

/** Kind of value that a schema requires. */
export type ValueKind = 'object' | 'map' | 'array' | 'string' | 'integer' | 'number' | 'boolean' | 'intOrString' | 'any';

/** Returns the number of ways to choose one branch of `anyOf` and one branch of `oneOf` of a schema node. */
export function branchesOf({ anyOf, oneOf }: SchemaProps): number {
  return Math.max(1, anyOf.length) * Math.max(1, oneOf.length);
}

/**
 * Cache of the effective schemas of schema nodes. An effective schema is the node's schema, merged with its `allOf` and with one chosen
 * branch each of `anyOf` and `oneOf`.
 */
export class EffectiveSchemas {
  readonly #known = new WeakMap<SchemaProps, Map<number, EffectiveSchema>>();

  /**
   * Returns the schema of a node, merged with one combination of its branches.
   *
   * @param branch Index of the combination, from 0 to one below {@link branchesOf}. All other indices wrap around.
   */
  of(schema: SchemaProps, branch = 0): EffectiveSchema {
    const known = this.#known.get(schema) ?? new Map<number, EffectiveSchema>();
    this.#known.set(schema, known);
    const found = known.get(branch);
    if (found !== undefined) return found;
    const made = this.#make(schema, branch);
    known.set(branch, made);
    return made;
  }

  #make(schema: SchemaProps, branch: number): EffectiveSchema {
    const { allOf, anyOf, oneOf, not } = schema;
    const forbidden = new Set<string>();
    const chosen = oneOf.length === 0 ? undefined : Math.floor(branch / Math.max(1, anyOf.length)) % oneOf.length;
    const branches = [
      ...allOf,
      ...(anyOf.length === 0 ? [] : [anyOf[branch % anyOf.length] as SchemaProps]),
      ...(chosen === undefined ? [] : [oneOf[chosen] as SchemaProps]),
    ];
    let merged: SchemaProps = { ...schema, allOf: [], anyOf: [], oneOf: [], not: undefined };
    for (const one of branches) {
      const below = this.of(one, branch);
      below.forbidden.forEach((name) => forbidden.add(name));
      merged = overlaid(merged, below);
    }
    // `oneOf` allows exactly one matching branch, so the object must omit fields that only other branches require.
    for (const [i, other] of oneOf.entries())
      if (i !== chosen) for (const name of other.required) if (!merged.required.includes(name)) forbidden.add(name);
    for (const name of ruledOut(not)) forbidden.add(name);
    return { ...merged, forbidden };
  }
}

/** Returns the fields whose mere presence violates `not`. */
function ruledOut(not: SchemaProps | undefined): readonly string[] {
  if (not === undefined) return [];
  const own = not.required.length === 1 && not.properties === undefined ? not.required : [];
  return [...own, ...not.anyOf.flatMap((branch) => ruledOut(branch))];
}

/**
 * Returns the kind of value that a schema requires. An object without declared properties is a map if `additionalProperties` has a schema.
 */
export function requiredKind(schema: SchemaProps): ValueKind {
  if (schema.intOrString) return 'intOrString';
  const { type } = schema;
  const isObject =
    type === 'object' || (type === '' && (schema.properties !== undefined || schema.additionalProperties?.schema !== undefined));
  if (isObject) return schema.additionalProperties?.schema !== undefined && (schema.properties?.size ?? 0) === 0 ? 'map' : 'object';
  if (type === 'array' || (type === '' && schema.items?.schema !== undefined)) return 'array';
  return type === 'string' || type === 'integer' || type === 'number' || type === 'boolean' ? type : 'any';
}

/**
 * Returns a keyword's value that combines the requirements of its values `a` and `b`. If no single value can express both, `a` is returned.
 */
function together({ change, form }: VocabularyKeyword, a: unknown, b: unknown): unknown {
  if (form.isAbsent(a) || form.isAbsent(b)) return form.isAbsent(a) ? b : a;
  switch (change.kind) {
    case 'bound':
      return (a as number) < (b as number) === (change.tighter === 'smaller') ? a : b;
    case 'fields':
      return [...new Set([...(a as readonly string[]), ...(b as readonly string[])])];
    case 'values':
      return commonValues(a as readonly JsonValue[], b as readonly JsonValue[]);
    case 'exact':
    case 'none':
    case 'permission':
    case 'restriction':
    case 'rules':
    case 'structure':
      return a;
  }
}

/** Returns a schema that combines the requirements of both schemas, as far as a single schema can express them. */
function overlaid(a: SchemaProps, b: SchemaProps): SchemaProps {
  const fields = a.vocabulary.keywords.map((keyword) => [keyword.field, together(keyword, a[keyword.field], b[keyword.field])] as const);
  const joined = { ...a, ...(Object.fromEntries<unknown>(fields) as Partial<SchemaProps>) };
  return {
    ...joined,
    exclusiveMinimum: [a, b].some(({ minimum, exclusiveMinimum }) => exclusiveMinimum && minimum === joined.minimum),
    exclusiveMaximum: [a, b].some(({ maximum, exclusiveMaximum }) => exclusiveMaximum && maximum === joined.maximum),
    items: a.items?.schema && b.items?.schema ? { schema: overlaid(a.items.schema, b.items.schema), schemas: [] } : joined.items,
    properties: joinedProperties(a.properties, b.properties),
    anyOf: [...a.anyOf, ...b.anyOf],
    oneOf: [...a.oneOf, ...b.oneOf],
  };
}

function joinedProperties(a: SchemaProps['properties'], b: SchemaProps['properties']): SchemaProps['properties'] {
  if (a === undefined || b === undefined) return a ?? b;
  const joined = new Map(a);
  for (const [name, schema] of b) {
    const own = a.get(name);
    joined.set(name, own === undefined ? schema : overlaid(own, schema));
  }
  return joined;
}

function commonValues(a: readonly JsonValue[], b: readonly JsonValue[]): readonly JsonValue[] {
  const texts = new Set(b.map((value) => writeJson(value)));
  return a.filter((value) => texts.has(writeJson(value)));
}
