import { isJsonObject, newJsonObject } from './value.ts';
import type { JsonValue } from './value.ts';

/** Returns a deep copy of a JSON value. */
export function copyJson<T extends JsonValue>(value: T): T;
export function copyJson(value: JsonValue): JsonValue {
  if (Array.isArray(value)) {
    const list: JsonValue[] = [];
    for (const item of value) list.push(copyJson(item));
    return list;
  }
  if (!isJsonObject(value)) return value;
  const copy = newJsonObject();
  for (const key of Object.keys(value)) copy[key] = copyJson(value[key] as JsonValue);
  return copy;
}
