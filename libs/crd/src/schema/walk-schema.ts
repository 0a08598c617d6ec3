import type { SchemaProps } from './schema-props.ts';

/**
 * True when the predicate holds for a schema or any below it, whatever keyword leads there. A schema that stands at several places is asked about once.
 * Source: validation.go `SchemaHas` (1.37).
 */
export function schemaHas(schema: SchemaProps | undefined, holds: (schema: SchemaProps) => boolean): boolean {
  return schema !== undefined && has(schema, holds, new Set());
}

function has(schema: SchemaProps, holds: (schema: SchemaProps) => boolean, asked: Set<SchemaProps>): boolean {
  if (asked.has(schema)) return false;
  asked.add(schema);
  if (holds(schema)) return true;
  for (const child of childrenOf(schema)) if (has(child, holds, asked)) return true;
  return false;
}

/** Whether something is said of a schema or of any below it, found once per node. */
function remembered(isSaid: (schema: SchemaProps) => boolean): (schema: SchemaProps) => boolean {
  const known = new WeakMap<SchemaProps, boolean>();
  const holds = (schema: SchemaProps): boolean => {
    let found = known.get(schema);
    if (found !== undefined) return found;
    found = isSaid(schema);
    for (const child of childrenOf(schema)) found = holds(child) || found;
    known.set(schema, found);
    return found;
  };
  return holds;
}

/** True when a rule stands somewhere in the schema. */
export const holdsRules = remembered(({ rules }) => rules.length > 0);

/** True when a default stands somewhere in the schema. */
export const holdsDefaults = remembered((schema) => schema.default !== undefined);

/** The schemas directly below one. */
function* childrenOf(schema: SchemaProps): Iterable<SchemaProps> {
  if (schema.items?.schema !== undefined) yield schema.items.schema;
  if (schema.items !== undefined) yield* schema.items.schemas;
  yield* schema.allOf;
  yield* schema.anyOf;
  yield* schema.oneOf;
  if (schema.not !== undefined) yield schema.not;
  if (schema.properties !== undefined) yield* schema.properties.values();
  if (schema.additionalProperties?.schema !== undefined) yield schema.additionalProperties.schema;
  if (schema.patternProperties !== undefined) yield* schema.patternProperties.values();
  if (schema.additionalItems?.schema !== undefined) yield schema.additionalItems.schema;
  if (schema.definitions !== undefined) yield* schema.definitions.values();
  for (const dependency of schema.dependencies?.values() ?? []) if (dependency.schema !== undefined) yield dependency.schema;
}
