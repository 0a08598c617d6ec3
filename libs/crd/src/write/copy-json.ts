import { isJsonObject, newJsonObject } from '#kube';
import type { JsonValue } from '#kube';

/** A deep copy. */
export function copyJson<T extends JsonValue>(value: T): T;
export function copyJson(value: JsonValue): JsonValue {
  if (Array.isArray(value)) return value.map((item) => copyJson(item));
  if (!isJsonObject(value)) return value;
  const copy = newJsonObject();
  for (const key of Object.keys(value)) copy[key] = copyJson(value[key] as JsonValue);
  return copy;
}
