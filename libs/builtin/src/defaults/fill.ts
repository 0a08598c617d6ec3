import { copyJson, isJsonObject, newJsonObject } from '#go';
import type { JsonObject, JsonValue } from '#go';

/** Plain JavaScript values by field. */
export interface FieldValues {
  readonly [field: string]: PlainValue;
}

/** JSON as literals have it. */
type PlainValue = string | number | boolean | readonly PlainValue[] | FieldValues;

/** Returns a literal as a JSON value of its own. */
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

/** Returns true if a pointer is nil: absent, or null if its field is always written. */
export function isNil(value: JsonValue | undefined): value is null | undefined {
  return value === undefined || value === null;
}

/** Returns true if a field that is no pointer has its zero value, or if a list or map has no entries. */
export function isEmpty(value: JsonValue | undefined): boolean {
  if (isNil(value) || value === '' || value === 0 || value === false) return true;
  return Array.isArray(value) ? value.length === 0 : isJsonObject(value) && Object.keys(value).length === 0;
}

/** Sets pointers that are nil. */
export function fillNil(object: JsonObject, values: FieldValues): void {
  for (const [field, value] of Object.entries(values)) if (isNil(object[field])) object[field] = jsonOf(value);
}

/** Sets fields that are no pointers and have their zero value. */
export function fillEmpty(object: JsonObject, values: FieldValues): void {
  for (const [field, value] of Object.entries(values)) if (isEmpty(object[field])) object[field] = jsonOf(value);
}

/** Returns the object in a field; a new one where it has none. */
export function objectIn(object: JsonObject, field: string): JsonObject {
  const known = object[field];
  if (isJsonObject(known)) return known;
  const made = newJsonObject();
  object[field] = made;
  return made;
}

/** Returns the object in a field, if there is one. */
export function childOf(object: JsonObject | undefined, field: string): JsonObject | undefined {
  const child = object?.[field];
  return isJsonObject(child) ? child : undefined;
}

/** Returns the objects of the list in a field. */
export function itemsOf(object: JsonObject | undefined, field: string): JsonObject[] {
  const items = object?.[field];
  return Array.isArray(items) ? items.filter(isJsonObject) : [];
}

/** Copies entries into the map in a field where that has none under their keys; the map is made where there are entries. */
export function fillEntries(object: JsonObject, field: string, entries: JsonObject | undefined): void {
  for (const [key, value] of Object.entries(entries ?? {})) objectIn(object, field)[key] ??= copyJson(value);
}
