import { Float, intValue, isJsonObject, newJsonObject } from '#go';
import type { JsonValue } from '#go';

const INT64_LIMIT = 2 ** 63;

/** Whether a value holds a float64 that is integral: the only one that JSON changes. */
function holdsIntegralFloat(value: JsonValue): boolean {
  if (typeof value !== 'object' || value === null) return false;
  if (value instanceof Float) return true;
  const parts = Array.isArray(value) ? value : Object.values(value);
  for (const part of parts) if (holdsIntegralFloat(part)) return true;
  return false;
}

function decode(value: JsonValue): JsonValue {
  if (value instanceof Float) return Math.abs(value.value) < INT64_LIMIT ? intValue(BigInt(value.value)) : value;
  if (Array.isArray(value)) return value.map(decode);
  if (!isJsonObject(value)) return value;
  const decoded = newJsonObject();
  for (const key of Object.keys(value)) decoded[key] = decode(value[key] ?? null);
  return decoded;
}

/** What a value is after having been written as JSON and read again: integral floats are written without a point, and are int64 then. */
export function asDecoded(value: JsonValue): JsonValue {
  return holdsIntegralFloat(value) ? decode(value) : value;
}
