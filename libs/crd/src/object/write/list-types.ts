import { Float, isJsonObject, newJsonObject, scalarList, SeededSet, writeJson } from '#go';
import { childPath, duplicate, indexPath, invalid, keyPath } from '#kube';
import type { JsonObject, JsonValue } from '#go';
import type { FieldError, FieldPath } from '#kube';
import { hasListTypes } from '../../structural/structural.ts';
import type { Structural } from '../../structural/structural.ts';
import { areDistinct } from './distinct.ts';
import type { Polls } from './polls.ts';

/**
 * Reports duplicates in lists of type set and map. Each duplicate value is reported once, at its second occurrence. Source:
 * apiextensions-apiserver pkg/apiserver/schema/listtype/validation.go (1.37).
 */
export function validateListTypes(value: JsonValue, schema: Structural, polls: Polls): FieldError[] {
  const errors: FieldError[] = [];
  validate(undefined, value, schema, polls, errors);
  return errors;
}

function validate(path: FieldPath | undefined, value: JsonValue, schema: Structural, polls: Polls, errors: FieldError[]): void {
  if (typeof value !== 'object' || value === null || !hasListTypes(schema)) return;
  if (Array.isArray(value)) {
    validateList(path, value, schema, polls, errors);
    return;
  }
  if (!isJsonObject(value)) return;
  for (const key of Object.keys(value)) {
    const child = value[key] as JsonValue;
    if (typeof child !== 'object') continue;
    const additional = schema.additionalProperties;
    if (additional !== undefined && hasListTypes(additional)) validate(keyPath(path, key), child, additional, polls, errors);
    const property = schema.properties?.get(key);
    if (property !== undefined && hasListTypes(property)) validate(childPath(path, key), child, property, polls, errors);
  }
}

function validateList(path: FieldPath | undefined, list: JsonValue[], schema: Structural, polls: Polls, errors: FieldError[]): void {
  if (schema.listType === 'set') {
    for (const index of repeated(list, polls)) errors.push(duplicate(indexPath(path, index), list[index] as JsonValue));
  } else if (schema.listType === 'map') {
    validateMapList(path, list, schema, polls, errors);
  }
  if (schema.items === undefined || !hasListTypes(schema.items) || scalarList(list) !== undefined) return;
  for (let i = 0; i < list.length; i++) {
    const item = list[i] as JsonValue;
    if (typeof item === 'object' && item !== null) {
      polls.step();
      validate(indexPath(path, i), item, schema.items, polls, errors);
    }
  }
}

/** Placeholder for a missing map key, in a list of type map with one key field. */
const NO_KEY = Symbol('no key');

function validateMapList(path: FieldPath | undefined, list: JsonValue[], schema: Structural, polls: Polls, errors: FieldError[]): void {
  const stray = list.findIndex((item) => item !== null && !isJsonObject(item));
  if (stray >= 0) {
    errors.push(invalid(indexPath(path, stray), list[stray] as JsonValue, 'must be an object for an array of list-type map'));
    return;
  }
  if (list.length <= 1) return;
  const keyFields = schema.listMapKeys;
  if (keyFields.length === 1) {
    const field = keyFields[0] as string;
    const keys = list.map(
      (item) => (item as JsonObject | null)?.[field] ?? (item !== null && field in (item as JsonObject) ? null : NO_KEY),
    );
    for (const index of repeated(keys, polls)) {
      const bad = newJsonObject();
      const key = keys[index] as JsonValue | typeof NO_KEY;
      if (key !== NO_KEY) bad[field] = key;
      errors.push(duplicate(indexPath(path, index), bad));
    }
    return;
  }
  const keys = list.map((item) => {
    const key = newJsonObject();
    for (const field of keyFields) {
      const part = (item as JsonObject | null)?.[field];
      if (part !== undefined) key[field] = part;
    }
    return key;
  });
  for (const index of repeated(keys, polls)) errors.push(duplicate(indexPath(path, index), keys[index] as JsonValue));
}

/**
 * Returns the indexes at which a value occurs for the second time. Scalars are compared as Go values, and lists and objects by their JSON.
 */
function repeated(values: readonly (JsonValue | typeof NO_KEY)[], polls: Polls): number[] {
  if (values.length <= 1 || areDistinct(values)) return [];
  const scalars = { seen: new SeededSet(), again: new SeededSet() };
  const others = { seen: new SeededSet(), again: new SeededSet() };
  const found: number[] = [];
  for (let i = 0; i < values.length; i++) {
    polls.step();
    const value = values[i] as JsonValue | typeof NO_KEY;
    const isOther = typeof value === 'object' && value !== null;
    const key = isOther ? otherKey(value) : value;
    const { seen, again } = isOther ? others : scalars;
    if (!seen.add(key) && again.add(key)) found.push(i);
  }
  return found;
}

/** Returns the comparison key of a value. An integral float differs from the int64 of the same value, and -0 equals 0. */
function otherKey(value: JsonValue): string {
  return value instanceof Float ? `float ${value.value + 0}` : writeJson(value);
}
