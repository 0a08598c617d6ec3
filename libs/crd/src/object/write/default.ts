import { isJsonObject, scalarList, copyJson, memoizeWeak } from '#go';
import type { JsonObject, JsonValue } from '#go';
import { hasDefaults } from '../../structural/structural.ts';
import type { Structural } from '../../structural/structural.ts';

/**
 * Inserts defaults into a value in place. A default replaces an absent field, or a null that the schema does not allow. Defaults are also
 * inserted inside values that were just inserted. Source: apiextensions-apiserver pkg/apiserver/schema/defaulting/algorithm.go `Default`
 * (1.37).
 */
export function applyDefaults(value: JsonValue, schema: Structural | undefined): void {
  if (schema === undefined || typeof value !== 'object' || value === null || !hasDefaults(schema)) return;
  if (Array.isArray(value)) {
    const items = schema.items;
    if (items === undefined || scalarList(value) !== undefined) return;
    for (let i = 0; i < value.length; i++) {
      if (value[i] === null && !items.nullable) value[i] = defaultOf(items);
      applyDefaults(value[i] as JsonValue, items);
    }
    return;
  }
  if (isJsonObject(value)) defaultObject(value, schema);
}

function defaultOf(schema: Structural): JsonValue {
  return schema.default === undefined ? null : copyJson(schema.default);
}

/** Returns the fields of a schema that have a default. */
const defaultedFields = memoizeWeak((schema: Structural): readonly (readonly [string, Structural])[] =>
  [...(schema.properties ?? [])].filter(([, property]) => property.default !== undefined),
);

function defaultObject(object: JsonObject, schema: Structural): void {
  if (schema.properties !== undefined) {
    for (const [key, property] of defaultedFields(schema)) {
      const present = object[key];
      if (present === undefined || (present === null && !property.nullable)) object[key] = copyJson(property.default as JsonValue);
    }
  }
  for (const key of Object.keys(object)) {
    const property = schema.properties?.get(key);
    if (property !== undefined) {
      const present = object[key] as JsonValue;
      if (typeof present === 'object') applyDefaults(present, property);
      continue;
    }
    const additional = schema.additionalProperties;
    if (additional === undefined) continue;
    if (object[key] === null && !additional.nullable) object[key] = defaultOf(additional);
    applyDefaults(object[key] as JsonValue, additional);
  }
}

/**
 * Removes null fields, in place, if their schema is not nullable and has no default. Source: pkg/apiserver/schema/defaulting/prunenulls.go
 * `PruneNonNullableNullsWithoutDefaults` (1.37).
 */
export function pruneNulls(value: JsonValue, schema: Structural | undefined): void {
  if (schema === undefined || typeof value !== 'object' || value === null) return;
  if (Array.isArray(value)) {
    if (scalarList(value) !== undefined) return;
    for (const item of value) if (typeof item === 'object') pruneNulls(item, schema.items);
    return;
  }
  if (!isJsonObject(value)) return;
  for (const key of Object.keys(value)) {
    const child = value[key] as JsonValue;
    if (typeof child !== 'object') continue;
    const field = schema.properties?.get(key) ?? schema.additionalProperties;
    if (field === undefined) continue;
    if (child !== null) pruneNulls(child, field);
    else if (!field.nullable && field.default === undefined) delete value[key];
  }
}
