import { Float, formatFloat, goQuote, isJsonInt, sortedKeys } from '#go';
import type { JsonObject, JsonValue } from '#go';

/** A Go value without a JSON equivalent that an expression may put into an object: a time, a duration, CEL's null. */
export class ForeignValue {
  /** Go type of the value as `%T` prints it, for example `structpb.NullValue`. */
  readonly goType: string;
  /** Text that Go's `%v` prints for the value, for example `NULL_VALUE`. */
  readonly text: string;
  /** Text that Go's `%#v` prints for the value, for example `0`. */
  readonly syntax: string;
  /** JSON value into which protobuf converts this value; undefined if protobuf cannot convert it. */
  readonly json: JsonValue | undefined;
  constructor(goType: string, text: string, syntax: string, json?: JsonValue) {
    this.goType = goType;
    this.text = text;
    this.syntax = syntax;
    this.json = json;
  }
}

/**
 * Value that a merge reads or creates: JSON, or a value that contains `ForeignValue`s (Go values without a JSON equivalent). The merge
 * reports an error for every `ForeignValue`.
 */
export type MergeValue = JsonValue | ForeignValue | MergeValue[] | MergeObject;

/** Object whose members are {@link MergeValue}s. */
export interface MergeObject {
  [key: string]: MergeValue;
}

/** Returns true if a value is an object. Null, lists, floats and every {@link ForeignValue} are not objects. */
export function isMergeObject(value: MergeValue | undefined): value is MergeObject {
  return (
    typeof value === 'object' && value !== null && !Array.isArray(value) && !(value instanceof Float) && !(value instanceof ForeignValue)
  );
}

/** Returns true if a value is pure JSON: it contains no {@link ForeignValue} at any level. */
export function isJson(value: MergeValue): value is JsonValue {
  if (value instanceof ForeignValue) return false;
  if (Array.isArray(value)) return value.every(isJson);
  return !isMergeObject(value) || Object.values(value).every(isJson);
}

/** Returns true if an object is pure JSON: it contains no {@link ForeignValue} at any level. */
export const isJsonTree = (object: MergeObject): object is JsonObject => isJson(object);

/** Returns the text that Go's `%v` prints for a value. */
export function goText(value: MergeValue): string {
  if (value === null) return '<nil>';
  if (value instanceof ForeignValue) return value.text;
  if (value instanceof Float) return formatFloat(value.value);
  if (typeof value === 'number') return isJsonInt(value) ? String(value) : formatFloat(value);
  if (Array.isArray(value)) return `[${value.map(goText).join(' ')}]`;
  if (!isMergeObject(value)) return String(value);
  return `map[${sortedKeys(value)
    .map((key) => `${key}:${goText(value[key] ?? null)}`)
    .join(' ')}]`;
}

/** Returns the text that Go's `%#v` prints for a value. */
export function goSyntaxText(value: MergeValue): string {
  if (value === null) return 'interface {}(nil)';
  if (typeof value === 'string') return goQuote(value);
  if (value instanceof ForeignValue) return value.syntax;
  if (Array.isArray(value)) return `[]interface {}{${value.map(goSyntaxText).join(', ')}}`;
  if (!isMergeObject(value)) return goText(value);
  const entries = sortedKeys(value).map((key) => `${goQuote(key)}:${goSyntaxText(value[key] ?? null)}`);
  return `map[string]interface {}{${entries.join(', ')}}`;
}

/** Returns the name of a value's Go type, as `%T` prints it. */
export function goTypeName(value: MergeValue): string {
  if (value === null) return '<nil>';
  if (value instanceof ForeignValue) return value.goType;
  if (value instanceof Float) return 'float64';
  if (typeof value === 'number') return isJsonInt(value) ? 'int64' : 'float64';
  if (Array.isArray(value)) return '[]interface {}';
  if (isMergeObject(value)) return 'map[string]interface {}';
  return typeof value === 'bigint' ? 'int64' : typeof value === 'boolean' ? 'bool' : 'string';
}
