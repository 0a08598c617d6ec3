import { Float, intValue, isJsonObject, newJsonObject } from '#go';
import type { JsonValue } from '#go';

const INT64_LIMIT = 2 ** 63;

/**
 * Returns true if `value` contains an integral float64 at any depth. Only such floats change if a value is written as JSON and read again.
 */
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

/**
 * Returns the value that results if `value` is written as JSON and read again. Integral floats are written without a decimal point and
 * therefore become int64.
 */
export function asDecoded(value: JsonValue): JsonValue {
  return holdsIntegralFloat(value) ? decode(value) : value;
}
