import {
  ConcatList,
  Duration,
  formatValue,
  isList,
  isMap,
  JsonList,
  JsonMap,
  LibraryValue,
  ObjectLiteral,
  Optional,
  Timestamp,
  TypedList,
  TypedMap,
  TypedStruct,
  TypeValue,
  Uint,
} from '#cel';
import type { CelList, CelMap, CelValue } from '#cel';
import { base64Text, compareBytes, Float, formatFloat, goQuote, isJsonObject, newJsonObject } from '#go';
import type { JsonValue } from '#go';
import type { Minor } from '#kube';
import { policyHas } from '../../minors.ts';
import { ForeignValue, goText } from '../merge/merge-value.ts';
import type { MergeObject, MergeValue } from '../merge/merge-value.ts';

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
const isMadeList = (value: CelValue): value is CelList =>
  isList(value) && !(value instanceof JsonList || value instanceof TypedList || isConcatenation(value));
const isMadeMap = (value: CelValue): value is CelMap =>
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

/** Rules for converting object literals to data. They differ between Kubernetes minor versions. */
export interface LiteralRules {
  /**
   * Handling of an object literal in a list or map that is the value of a JSON patch operation. Until Kubernetes 1.34, such a literal makes
   * the server panic.
   */
  readonly nestedLiterals: 'converted' | 'panic';
  /**
   * Handling of nulls in a value that a literal takes from an object. Until Kubernetes 1.36, these nulls are kept. Since Kubernetes 1.37,
   * each of them becomes a foreign value, which has no JSON form.
   */
  readonly nulls: 'foreign' | 'kept';
}

/** Returns the rules by which a Kubernetes minor version converts object literals of CEL expressions to JSON data. */
export const literalRules = (minor: Minor): LiteralRules => ({
  nestedLiterals: policyHas(minor, 'nestedLiteralsConvert') ? 'converted' : 'panic',
  nulls: policyHas(minor, 'nullsInLiteralsAreForeign') ? 'foreign' : 'kept',
});

/** Null of CEL as Go represents it: `structpb.NullValue`, an enum value with the number 0. */
const NULL_VALUE = new ForeignValue('structpb.NullValue', 'NULL_VALUE', '0');

/** Returns the text that Go's `%v` prints for a list element or map entry inside its list or map. */
function elementText(value: CelValue): string {
  if (value instanceof Float) return formatFloat(value.value);
  return value instanceof Uint ? String(value.value) : formatValue(value);
}

const opaque = (goType: string, text: string): ForeignValue => new ForeignValue(goType, text, goQuote(text));
const hex = (byte: number): string => `0x${byte.toString(16)}`;

/** Returns the name of a struct as Go prints its type: `v1.PodSpec`. */
export const structText = ({ type }: TypedStruct): string => type.name.slice(type.name.lastIndexOf('/') + 1);

/**
 * Returns the Go form of a CEL value that has no JSON equivalent, such as a time, a quantity or a struct. A list that an expression creates
 * inside another value also has no JSON equivalent.
 */
function foreignValue(value: CelValue): ForeignValue {
  if (value === null) return NULL_VALUE;
  if (value instanceof Uint) return new ForeignValue('uint64', String(value.value), hex(Number(value.value)), Number(value.value));
  if (value instanceof Uint8Array) {
    return new ForeignValue('[]uint8', `[${value.join(' ')}]`, `[]byte{${Array.from(value, hex).join(', ')}}`, base64Text(value));
  }
  if (value instanceof Timestamp) return opaque('time.Time', formatValue(value));
  if (value instanceof Duration) return new ForeignValue('time.Duration', formatValue(value), String(value.nanos));
  if (value instanceof TypedStruct) return opaque(structText(value), goText(value.raw));
  if (value instanceof TypedList || value instanceof TypedMap)
    return opaque('interface {}', goText(isList(value) ? [...value.raw] : value.raw));
  if (isList(value))
    return opaque('[]ref.Val', `[${Array.from({ length: value.size }, (_, index) => elementText(value.at(index))).join(' ')}]`);
  if (isMap(value)) {
    const entries = Array.from(value.keys(), (key) => `${elementText(key)}:${elementText(value.get(key) ?? null)}`);
    return opaque('map[ref.Val]ref.Val', `map[${entries.sort(compareBytes).join(' ')}]`);
  }
  return value instanceof LibraryValue ? opaque(heldType(value), value.toString()) : opaque('ref.Val', formatValue(value));
}

/** Returns the Go type that a value of a CEL library wraps, for example `*resource.Quantity` for a `cel.Quantity`. */
function heldType({ goType }: LibraryValue): string {
  return HELD_TYPES.get(goType) ?? goType;
}

const HELD_TYPES: ReadonlyMap<string, string> = new Map([
  ['cel.Quantity', '*resource.Quantity'],
  ['cel.IP', 'netip.Addr'],
  ['cel.CIDR', 'netip.Prefix'],
  ['cel.URL', '*url.URL'],
  ['cel.Semver', 'semver.Version'],
]);

function collect(value: CelValue, expected: string, errors: string[]): void {
  if (value instanceof ObjectLiteral) {
    const { name } = value.celType;
    if (name !== expected) {
      errors.push(
        `unexpected type name ${goQuote(name)}, expected ${goQuote(expected)}, which matches field name path from root Object type`,
      );
    }
    for (const [field, held] of value.fields) collect(held, `${expected}.${field}`, errors);
  } else if (isMadeList(value)) {
    for (let index = 0; index < value.size; index++) collect(value.at(index), expected, errors);
  } else if (isMadeMap(value)) {
    for (const key of value.keys()) collect(value.get(key) ?? null, expected, errors);
  }
}

/**
 * Checks the type names in an object literal, such as `Object.spec{…}`. Each name must be the name of the enclosing type, a dot, and the
 * name of the field. Lists and maps add no name. Returns all errors as one text, or undefined if there are none. Source:
 * k8s.io/apiserver/pkg/cel/mutation/dynamic/objects.go `CheckTypeNamesMatchFieldPathNames` (1.37).
 */
export function typeNameErrors(literal: ObjectLiteral): string | undefined {
  const errors: string[] = [];
  collect(literal, literal.celType.name, errors);
  return errors.length === 0 ? undefined : errors.join('\n');
}
