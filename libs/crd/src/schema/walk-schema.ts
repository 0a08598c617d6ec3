import type { SchemaProps } from './schema-props.ts';

/** True when the predicate holds for a schema or any below it, whatever keyword leads there. Source: validation.go `SchemaHas` (1.37). */
export function schemaHas(schema: SchemaProps | undefined, holds: (schema: SchemaProps) => boolean): boolean {
  if (schema === undefined) return false;
  if (holds(schema)) return true;
  for (const child of childrenOf(schema)) if (schemaHas(child, holds)) return true;
  return false;
}

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
