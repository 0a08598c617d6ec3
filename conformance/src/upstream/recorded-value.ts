import { floatValue, isJsonObject, parseDuration, parseTime, RFC3339 } from '#go';
import { CelError, Duration, Optional, runtimeTypeName, Timestamp, TypeValue, Uint } from '#cel';
import type { JsonObject, JsonValue } from '#go';
import type { CelValue } from '#cel';
import { toText } from '../../../libs/cel/src/values/convert.ts';
import { LibraryValue } from '../../../libs/cel/src/values/library-value.ts';
import { ArrayList } from '../../../libs/cel/src/values/list.ts';
import { EntryMap } from '../../../libs/cel/src/values/map.ts';
import { doubleOf, isInt, isList, isMap } from '../../../libs/cel/src/values/type-of.ts';
import { readType } from '../cel/read-type.ts';

/**
 * Converts a value of a recorded table to a CEL value. Returns undefined if the value exists only in Go, upstream's language. See
 * upstream/README.md.
 */
export function recordedValue(recorded: JsonValue): CelValue | undefined {
  if (Array.isArray(recorded)) return recordedList(recorded);
  if (!isJsonObject(recorded)) return recorded;
  const marker = Object.keys(recorded).find((key) => key.startsWith('$'));
  return marker === undefined ? recordedMap(Object.entries(recorded)) : markedValue(marker, recorded[marker] as JsonValue);
}

function recordedList(elements: readonly JsonValue[]): CelValue | undefined {
  const values = elements.map(recordedValue);
  return values.includes(undefined) ? undefined : new ArrayList(values as CelValue[]);
}

function recordedMap(entries: readonly (readonly [JsonValue, JsonValue])[]): CelValue | undefined {
  const map = new EntryMap();
  for (const [key, value] of entries) {
    const [celKey, celValue] = [recordedValue(key), recordedValue(value)];
    if (celKey === undefined || celValue === undefined) return undefined;
    map.set(celKey, celValue);
  }
  return map;
}

function markedValue(marker: string, content: JsonValue): CelValue | undefined {
  switch (marker) {
    case '$uint':
      return new Uint(BigInt(content as string));
    case '$bytes':
      return new Uint8Array(Buffer.from(content as string, 'base64'));
    case '$double':
      return floatValue(Number(content));
    case '$type':
      return new TypeValue(readType(content as string), runtimeTypeName(readType(content as string)));
    case '$map':
      return recordedMap(content as unknown as (readonly [JsonValue, JsonValue])[]);
    case '$optional': {
      const [value] = content as JsonValue[];
      const held = value === undefined ? undefined : recordedValue(value);
      return value !== undefined && held === undefined ? undefined : new Optional(held);
    }
    case '$timestamp': {
      const time = parseTime(RFC3339, content as string);
      return time.ok ? new Timestamp(time.instant.seconds, time.instant.nanos, time.instant.offset) : undefined;
    }
    case '$duration': {
      const duration = parseDuration(content as string);
      return duration.ok ? new Duration(duration.nanos) : undefined;
    }
    default:
      return undefined;
  }
}

/** Returns a text that is the same for equal values and differs for values of different types. The order of map entries does not matter. */
export function valueText(value: CelValue): string {
  if (typeof value === 'string') return JSON.stringify(value);
  const double = doubleOf(value);
  if (double !== undefined) return `double(${Object.is(double, -0) ? '0' : double})`;
  if (isInt(value) || value === null || typeof value === 'boolean') return String(value);
  if (value instanceof Uint) return `${value.value}u`;
  if (value instanceof Uint8Array) return `bytes(${Buffer.from(value).toString('base64')})`;
  if (value instanceof Optional) return value.value === undefined ? 'none' : `optional(${valueText(value.value)})`;
  if (value instanceof CelError) return `error(${value.message})`;
  if (value instanceof LibraryValue) return `object(${String(value)})`;
  if (value instanceof Timestamp) return `time(${value.seconds}.${value.nanos})`;
  if (value instanceof Duration) return `duration(${value.nanos})`;
  if (isList(value)) return `[${Array.from({ length: value.size }, (_, index) => valueText(value.at(index))).join(', ')}]`;
  if (isMap(value)) {
    const entries = [...value.keys()].map((key) => `${valueText(key)}: ${valueText(value.get(key) ?? null)}`);
    return `{${entries.sort().join(', ')}}`;
  }
  return `type(${String(toText(value))})`;
}

/** Returns the text of a recorded value in the form of {@link valueText}. Returns undefined if the value cannot be compared. */
export function recordedText(recorded: JsonValue): string | undefined {
  if (isJsonObject(recorded) && '$object' in recorded) return objectText(recorded);
  const value = recordedValue(recorded);
  return value === undefined ? undefined : valueText(value);
}

function objectText({ text }: JsonObject): string | undefined {
  return typeof text === 'string' ? `object(${text})` : undefined;
}
