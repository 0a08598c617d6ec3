import {
  decodeBase64Url,
  deepEqualJson,
  entryCount,
  entryKeys,
  Float,
  isJsonInt,
  isJsonObject,
  parseDateTime,
  parseLenientDuration,
  parseTime,
  RFC3339_DATE,
  writeJson,
} from '#go';
import type { JsonObject, JsonValue, TimeResult } from '#go';
import type { CelType } from './types/type.ts';
import { CelError, Duration, noSuchOverload, Timestamp } from './value.ts';
import type { CelList, CelMap, CelValue } from './value.ts';
import { escapeFieldName, unescapeFieldName } from './schema/field-name.ts';
import { JsonList, JsonMap } from './json-view.ts';
import { LibraryValue } from './library-value.ts';
import { withTypeAndObjectMeta } from './schema/value-schema.ts';
import type { ValueSchema } from './schema/value-schema.ts';
import { keysIn } from './evaluation-context.ts';
import type { EvaluationContext } from './evaluation-context.ts';

/**
 * Returns the CEL value of raw data of an object under its schema.
 *
 * Booleans, ints, and strings without a format that CEL converts are returned unchanged. Lists and objects become views that wrap their
 * values when they are read, without copies. Data that does not fit its schema becomes an error. Source:
 * k8s.io/apiserver/pkg/cel/common/valuesunstructured.go `UnstructuredToVal` (1.37).
 */
export function wrapValue(raw: JsonValue, schema: ValueSchema): CelValue {
  if (raw === null) return schema.nullable ? null : new CelError('invalid data, got null for schema with nullable=false');
  if (schema.intOrString) {
    if (typeof raw === 'string' || isJsonInt(raw)) return raw;
    return new CelError('invalid data, expected XIntOrString value to be either a string or integer');
  }
  switch (schema.type) {
    case 'string':
      return typeof raw === 'string'
        ? wrapString(raw, schema.format)
        : new CelError(`invalid data, expected string, got ${goTypeName(raw)}`);
    case 'integer':
      return isJsonInt(raw) ? raw : new CelError(`invalid data, expected int, got ${goTypeName(raw)}`);
    case 'boolean':
      return typeof raw === 'boolean' ? raw : new CelError(`invalid data, expected bool, got ${goTypeName(raw)}`);
    case 'number':
      return wrapNumber(raw);
    case 'object':
      if (!isJsonObject(raw)) return new CelError('invalid data, expected a map for the provided schema with type=object');
      return new RawMap(raw, schema.embeddedResource ? withTypeAndObjectMeta(schema) : schema);
    case 'array':
      return wrapArray(raw, schema);
  }
  if (schema.preserveUnknownFields) return new PreservedValue(raw);
  return new CelError(
    'invalid type, expected object, array, number, integer, boolean or string, or no type with x-kubernetes-int-or-string or ' +
      `x-kubernetes-preserve-unknown-fields is true, got ${schema.type}`,
  );
}

function wrapNumber(raw: JsonValue): CelValue {
  if (typeof raw === 'number') return Number.isInteger(raw) ? new Float(raw) : raw;
  if (raw instanceof Float) return raw;
  if (typeof raw === 'bigint') return new Float(Number(raw));
  return new CelError(`invalid data, expected float, got ${goTypeName(raw)}`);
}

function wrapArray(raw: JsonValue, schema: ValueSchema): CelValue {
  if (!Array.isArray(raw)) return new CelError('invalid data, expected an array for the provided schema with type=array');
  if (schema.items === undefined) return new CelError('invalid array type, expected Items with a non-empty Schema');
  const listType = schema.listType;
  if (listType !== undefined && listType !== '' && listType !== 'map' && listType !== 'set' && listType !== 'atomic') {
    return new CelError(`invalid x-kubernetes-list-type, expected 'map', 'set' or 'atomic' but got ${listType}`);
  }
  return new RawList(raw, schema, schema.items);
}

function wrapString(text: string, format: string): CelValue {
  switch (format) {
    case 'duration': {
      const duration = parseLenientDuration(text);
      return duration.ok ? new Duration(duration.nanos) : new CelError(`Invalid duration ${text}: ${duration.error}`);
    }
    case 'date':
      return timestampOf(parseTime(RFC3339_DATE, text), `Invalid date formatted string ${text}`);
    case 'date-time':
      return timestampOf(parseDateTime(text), `Invalid date-time formatted string ${text}`);
    case 'byte': {
      const decoded = decodeBase64Url(text);
      return decoded.ok ? decoded.bytes : new CelError(`Invalid byte formatted string ${text}: ${decoded.error}`);
    }
    default:
      return text;
  }
}

function timestampOf(result: TimeResult, complaint: string): CelValue {
  if (!result.ok) return new CelError(`${complaint}: ${result.error}`);
  return new Timestamp(result.instant.seconds, result.instant.nanos, result.instant.offset);
}

/** Returns the name of the Go type of a JSON value, as `%T` prints it. */
function goTypeName(raw: JsonValue): string {
  if (typeof raw === 'string') return 'string';
  if (typeof raw === 'boolean') return 'bool';
  if (raw === null) return '<nil>';
  if (Array.isArray(raw)) return '[]interface {}';
  if (isJsonObject(raw)) return 'map[string]interface {}';
  return isJsonInt(raw) ? 'int64' : 'float64';
}

/** View of a JSON list in an object as a CEL list. The elements are converted to CEL values on access, according to the list's schema. */
export class RawList implements CelList {
  readonly kind = 'list';
  readonly raw: readonly JsonValue[];
  readonly schema: ValueSchema;
  readonly items: ValueSchema;
  constructor(raw: readonly JsonValue[], schema: ValueSchema, items: ValueSchema) {
    this.raw = raw;
    this.schema = schema;
    this.items = items;
  }
  get size(): number {
    return this.raw.length;
  }
  at(index: number): CelValue {
    return wrapValue(this.raw[index] as JsonValue, this.items);
  }
}

/** CEL map that reads its entries from a JSON object. The schema determines the CEL values of the entries. */
export class RawMap implements CelMap {
  readonly kind = 'map';
  readonly raw: JsonObject;
  readonly schema: ValueSchema;
  constructor(raw: JsonObject, schema: ValueSchema) {
    this.raw = raw;
    this.schema = schema;
  }

  /** Number of all keys, including keys without a schema. */
  get size(): number {
    return entryCount(this.raw);
  }

  /** Returns the schema of the value under a raw key, or undefined for an unknown field. */
  schemaOf(key: string): ValueSchema | undefined {
    return this.schema.properties === undefined ? this.schema.additionalProperties : this.schema.properties.get(key);
  }

  get(key: CelValue): CelValue | undefined {
    if (typeof key !== 'string') return noSuchOverload(key);
    const isObject = this.schema.properties !== undefined;
    const name = isObject ? unescapeFieldName(key) : key;
    if (name === undefined) return undefined;
    const raw = this.raw[name];
    if (raw === undefined || (raw === null && isObject)) return undefined;
    const schema = this.schemaOf(name);
    return schema === undefined ? undefined : wrapValue(raw, schema);
  }

  /**
   * Yields the keys that have a schema; field names are escaped. Then yields one null for each unknown key, because upstream's iterator
   * leaves gaps for them.
   */
  *keys(): Iterable<CelValue> {
    const isObject = this.schema.properties !== undefined;
    let unknown = 0;
    for (const key of entryKeys(this.raw)) {
      if (this.schemaOf(key) === undefined) unknown++;
      else yield isObject ? (escapeFieldName(key) ?? key) : key;
    }
    for (; unknown > 0; unknown--) yield null;
  }
}

const UNKNOWN_TYPE: CelType = { kind: 'opaque', name: 'unknown', parameters: [] };

/**
 * Value of data that x-kubernetes-preserve-unknown-fields keeps and whose schema has no type. The value has no CEL type and supports only
 * equality.
 */
export class PreservedValue extends LibraryValue {
  readonly celType = UNKNOWN_TYPE;
  readonly goType = '*common.unknownPreserved';
  readonly raw: JsonValue;
  constructor(raw: JsonValue) {
    super();
    this.raw = raw;
  }
  equalTo(other: CelValue, context: EvaluationContext): boolean {
    const raw = rawOf(other);
    return raw !== undefined && deepEqualJson(this.raw, raw, keysIn(context));
  }
  toString(): string {
    return writeJson(this.raw);
  }
}

/** Returns the JSON data of a value, or undefined for a value that CEL created and that has no JSON equivalent. */
export function rawOf(value: CelValue): JsonValue | undefined {
  if (value instanceof RawMap || value instanceof JsonMap || value instanceof PreservedValue) return value.raw;
  if (value instanceof RawList || value instanceof JsonList) return value.raw as JsonValue[];
  return value === null || typeof value !== 'object' || value instanceof Float ? value : undefined;
}
