import { Float, goQuote, isJsonObject, newJsonObject } from '#go';
import type { JsonValue } from '#go';
import {
  ConcatList,
  isList,
  isMap,
  JsonList,
  JsonMap,
  LibraryValue,
  ObjectLiteral,
  Optional,
  TypedList,
  TypedMap,
  TypedStruct,
  TypeValue,
  Uint,
  Duration,
  Timestamp,
} from '#cel';
import type { CelList, CelMap, CelValue } from '#cel';
import { ForeignValue } from '../merge/merge-value.ts';
import type { MergeObject, MergeValue } from '../merge/merge-value.ts';
import { foreignValue, NULL_VALUE } from './foreign-values.ts';
import type { LiteralRules } from './literal-rules.ts';

/** Result of converting an object literal to data. The conversion fails if a map in the literal has a key that is not a string. */
export type LiteralData = { readonly ok: true; readonly data: MergeObject } | { readonly ok: false; readonly error: string };

class BadKey {
  readonly error: string;
  constructor(key: CelValue) {
    const shown = typeof key === 'number' ? goRune(key) : `%!q(${String(key)})`;
    this.error = `map key ${shown} is of type ${typeof key === 'number' ? 'types.Int' : 'types.Bool'}, not string`;
  }
}

/** Returns the text that Go's `%q` prints for an integer: the character with this code point, in single quotes. */
function goRune(code: number): string {
  const quoted = goQuote(String.fromCodePoint(code >= 0 && code <= 0x10ffff ? code : 0xfffd)).slice(1, -1);
  return `'${quoted === '\\"' ? '"' : quoted.replace(/^'$/, "\\'")}'`;
}

/**
 * Returns true if `value` is the result of `+` on two lists and Go stores it as references to both lists. If the left list has a Go type,
 * Go builds a new list instead, and the result is false.
 */
export const isConcatenation = (value: CelValue): value is ConcatList => value instanceof ConcatList && value.delegates;

/** Returns true if `value` is a list that an expression created itself instead of reading it from an object. */
export const isMadeList = (value: CelValue): value is CelList =>
  isList(value) && !(value instanceof JsonList || value instanceof TypedList || isConcatenation(value));
export const isMadeMap = (value: CelValue): value is CelMap =>
  isMap(value) && !(value instanceof JsonMap || value instanceof TypedMap || value instanceof TypedStruct);

const elementsOf = (list: CelList): CelValue[] => Array.from({ length: list.size }, (_, index) => list.at(index));

/**
 * Converts an object literal of an expression, such as `Object{…}`, to the data that Go creates from it. Values that Go stores in a type
 * without a JSON form become a `ForeignValue`. These are nulls, times, and lists or maps that are created inside another list or map.
 * Source: k8s.io/apiserver/pkg/cel/mutation/dynamic/objects.go `ConvertToNative`, `convertField` (1.37).
 */
export function literalData(literal: ObjectLiteral, rules: LiteralRules): LiteralData {
  const data: MergeObject = newJsonObject();
  for (const [name, value] of literal.fields) {
    const converted = fieldData(value, rules);
    if (converted instanceof BadKey) return { ok: false, error: `fail to convert field ${goQuote(name)}: ${converted.error}` };
    data[name] = converted;
  }
  return { ok: true, data };
}

/**
 * Returns the data of a field of a literal. A list or map that the expression created is converted element by element. For any other value,
 * returns the Go data that the value holds.
 */
function fieldData(value: CelValue, rules: LiteralRules): MergeValue | BadKey {
  if (value instanceof Optional) return value.value === undefined ? null : fieldData(value.value, rules);
  if (isMadeList(value)) return elementsOf(value).map((element) => heldData(element, rules));
  if (isMadeMap(value)) return mapData(value, (element) => heldData(element, rules));
  if (rules.nulls === 'kept') return heldData(value, rules);
  if (isConcatenation(value)) return fieldList(elementsOf(value), rules);
  if (value instanceof JsonList || value instanceof TypedList) return value.raw.map(withForeignNulls);
  if (value instanceof JsonMap || value instanceof TypedMap || value instanceof TypedStruct) return withForeignNulls(value.raw);
  return heldData(value, rules);
}

function fieldList(elements: readonly CelValue[], rules: LiteralRules): MergeValue | BadKey {
  const list: MergeValue[] = [];
  for (const element of elements) {
    const converted = fieldData(element, rules);
    if (converted instanceof BadKey) return converted;
    list.push(converted);
  }
  return list;
}

/** Returns the Go data that a CEL value holds: JSON, with a `ForeignValue` for each value without a JSON equivalent. */
function heldData(value: CelValue, rules: LiteralRules): MergeValue {
  if (value === null || value instanceof Uint || value instanceof Uint8Array || value instanceof Timestamp || value instanceof Duration) {
    return foreignValue(value);
  }
  if (value instanceof TypeValue) return value.name;
  if (value instanceof Optional) return value.value === undefined ? null : heldData(value.value, rules);
  if (value instanceof ObjectLiteral) return nestedData(value, rules);
  if (isConcatenation(value)) return elementsOf(value).map((element) => heldData(element, rules));
  if (value instanceof JsonList) return [...value.raw];
  if (value instanceof JsonMap) return value.raw;
  if (isList(value) || isMap(value) || value instanceof LibraryValue) return foreignValue(value);
  return isScalar(value) ? value : foreignValue(value);
}

const isScalar = (value: CelValue): value is string | boolean | number | bigint | Float =>
  value instanceof Float || typeof value !== 'object';

function nestedData(literal: ObjectLiteral, rules: LiteralRules): MergeValue {
  const converted = literalData(literal, rules);
  return converted.ok ? converted.data : new ForeignValue('*types.Err', converted.error, converted.error);
}

function mapData(map: CelMap, convert: (value: CelValue) => MergeValue): MergeValue | BadKey {
  const data: MergeObject = newJsonObject();
  for (const key of map.keys()) {
    if (typeof key !== 'string') return new BadKey(key);
    data[key] = convert(map.get(key) ?? null);
  }
  return data;
}

/** Returns a copy of `raw` in which every null is CEL's null (`NULL_VALUE`). */
function withForeignNulls(raw: JsonValue): MergeValue {
  if (raw === null) return NULL_VALUE;
  if (Array.isArray(raw)) return raw.map(withForeignNulls);
  if (!isJsonObject(raw)) return raw;
  const data: MergeObject = newJsonObject();
  for (const [key, value] of Object.entries(raw)) data[key] = withForeignNulls(value);
  return data;
}
