import { isList, isMap, LibraryValue, Optional, toText, Uint } from '#cel';
import type { CelValue } from '#cel';
import { base64Text, Float, isJsonObject, newJsonObject } from '#go';
import type { JsonValue } from '#go';

/**
 * Converts a CEL value to JSON. Lists, maps, strings, booleans, numbers and null are kept. An optional becomes its value or null, bytes
 * become base64, and other values become the text of `string(x)`.
 */
export function jsonOfValue(value: CelValue): JsonValue {
  if (value === null || typeof value !== 'object' || value instanceof Float) return value;
  if (value instanceof Uint) return value.value;
  if (value instanceof Uint8Array) return base64Text(value);
  if (value instanceof Optional) return value.value === undefined ? null : jsonOfValue(value.value);
  if (isList(value)) return Array.from({ length: value.size }, (_, index) => jsonOfValue(value.at(index)));
  if (!isMap(value)) return textOf(value);
  const object = newJsonObject();
  if (value.raw !== undefined && isJsonObject(value.raw)) return value.raw;
  for (const key of value.keys()) object[textOf(key)] = jsonOfValue(value.get(key) ?? null);
  return object;
}

function textOf(value: CelValue): string {
  const text = value instanceof LibraryValue ? value.toString() : toText(value);
  return typeof text === 'string' ? text : '';
}
