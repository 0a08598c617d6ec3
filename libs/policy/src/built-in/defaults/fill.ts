import { copyJson, isJsonObject, newJsonObject } from '#go';
import type { JsonObject, JsonValue } from '#go';

/** Default values as plain JavaScript values, by field name. */
export interface FieldValues {
  readonly [field: string]: PlainValue;
}

/** JSON value that is written as a JavaScript literal. */
type PlainValue = string | number | boolean | readonly PlainValue[] | FieldValues;

/** Converts a literal to a new JSON value. */
function jsonOf(value: PlainValue): JsonValue {
  if (typeof value !== 'object') return value;
  if (isList(value)) return value.map(jsonOf);
  const object = newJsonObject();
  for (const [key, item] of Object.entries(value)) object[key] = jsonOf(item);
  return object;
}

function isList(value: readonly PlainValue[] | FieldValues): value is readonly PlainValue[] {
  return Array.isArray(value);
}

/** Returns true if the value of a pointer field is nil. A nil pointer is absent, or null if the field is always encoded. */
export function isNil(value: JsonValue | undefined): value is null | undefined {
  return value === undefined || value === null;
}

/**
 * Returns true if a value is the zero value of a Go field that is not a pointer: absent, null, `""`, 0 or false. Lists and maps without
 * entries also count as zero values.
 */
export function isEmpty(value: JsonValue | undefined): boolean {
  if (isNil(value) || value === '' || value === 0 || value === false) return true;
  return Array.isArray(value) ? value.length === 0 : isJsonObject(value) && Object.keys(value).length === 0;
}

/** Sets each pointer field that is nil (absent or null) to its default in `values`. `values` contains the defaults by field name. */
export function fillNil(object: JsonObject, values: FieldValues): void {
  for (const [field, value] of Object.entries(values)) if (isNil(object[field])) object[field] = jsonOf(value);
}

/** Sets each non-pointer field that has its zero value to its default in `values`. `values` contains the defaults by field name. */
export function fillEmpty(object: JsonObject, values: FieldValues): void {
  for (const [field, value] of Object.entries(values)) if (isEmpty(object[field])) object[field] = jsonOf(value);
}

/** Returns the object in a field. If the field has no object, a new object is created and stored in the field. */
export function objectIn(object: JsonObject, field: string): JsonObject {
  const known = object[field];
  if (isJsonObject(known)) return known;
  const made = newJsonObject();
  object[field] = made;
  return made;
}

/** Returns the object in a field, or undefined if the field has no object. */
export function childOf(object: JsonObject | undefined, field: string): JsonObject | undefined {
  const child = object?.[field];
  return isJsonObject(child) ? child : undefined;
}

/** Returns the objects of the list in a field. The result is empty if there is no list. */
export function itemsOf(object: JsonObject | undefined, field: string): JsonObject[] {
  const items = object?.[field];
  return Array.isArray(items) ? items.filter(isJsonObject) : [];
}

/** Copies `entries` to the map in a field, except keys that the map already has. The map is created if there are entries and no map. */
export function fillEntries(object: JsonObject, field: string, entries: JsonObject | undefined): void {
  for (const [key, value] of Object.entries(entries ?? {})) objectIn(object, field)[key] ??= copyJson(value);
}
