import { isJsonObject } from '#go';
import type { JsonValue } from '#go';
import { ArrayList } from './list.ts';
import { EntryMap } from './map.ts';
import type { CelValue } from './value.ts';
import { RawList, RawMap } from './wrap.ts';

/** Values that were made, by the data they are made of: data never changes while rules run over it. */
const known = new WeakMap<object, CelValue>();

/** An object's data without its schema: keys as written, scalars by their JSON type. */
export function withoutSchema(value: CelValue): CelValue {
  return value instanceof RawMap || value instanceof RawList ? fromJson(value.raw as JsonValue) : value;
}

function fromJson(raw: JsonValue): CelValue {
  if (typeof raw !== 'object' || raw === null || !(Array.isArray(raw) || isJsonObject(raw))) return raw;
  let value = known.get(raw);
  if (value === undefined) {
    value = Array.isArray(raw) ? new ArrayList(raw.map(fromJson)) : mapOf(Object.entries(raw));
    known.set(raw, value);
  }
  return value;
}

function mapOf(entries: readonly (readonly [string, JsonValue])[]): CelValue {
  const map = new EntryMap();
  for (const [key, value] of entries) map.set(key, fromJson(value));
  return map;
}
