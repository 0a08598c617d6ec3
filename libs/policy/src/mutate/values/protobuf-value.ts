import { base64Text, Float, floatValue, intValue, newJsonObject } from '#go';
import type { JsonValue } from '#go';
import {
  CelError,
  Duration,
  isList,
  isMap,
  JsonPatchLiteral,
  LibraryValue,
  ObjectLiteral,
  Optional,
  Timestamp,
  toText,
  TypedList,
  TypedMap,
  TypedStruct,
  TypeValue,
  Uint,
} from '#cel';
import type { CelList, CelMap, CelValue } from '#cel';
import type { Minor } from '#kube';
import { ForeignValue, isMergeObject } from '../merge/merge-value.ts';
import type { MergeObject, MergeValue } from '../merge/merge-value.ts';
import { structText, isConcatenation, literalData, literalRules } from './literal-data.ts';
import type { LiteralRules } from './literal-data.ts';

/** Result of converting a value to JSON through protobuf: the JSON value, or an error. `panicked` means that the server's code panics. */
export type ProtobufValue =
  | { readonly kind: 'json'; readonly json: JsonValue }
  | { readonly kind: 'failed'; readonly error: string }
  | { readonly kind: 'panicked'; readonly error: string };

const json = (value: JsonValue): ProtobufValue => ({ kind: 'json', json: value });
const fail = (error: string): ProtobufValue => ({ kind: 'failed', error });
const noConversion = (from: string): ProtobufValue => fail(`type conversion error from ${from} to *structpb.Value`);

const INT64_LIMIT = 2 ** 63;

/**
 * Returns the value that results if a float64 is written as JSON and read again. Integral floats in the range of int64 become integers,
 * because JSON writes integral floats without a decimal point (below 1e21).
 */
function throughJson(value: number): ProtobufValue {
  if (!Number.isFinite(value)) {
    const shown = Number.isNaN(value) ? 'NaN' : value > 0 ? '+Inf' : '-Inf';
    return fail(
      `json: error calling MarshalJSON for type *structpb.Value: proto: google.protobuf.Value.number_value: invalid ${shown} value`,
    );
  }
  return json(Number.isInteger(value) && Math.abs(value) < INT64_LIMIT ? intValue(BigInt(value)) : floatValue(value));
}

/**
 * Converts a value to JSON through protobuf, as a JSON patch does for the values of its operations. Integers beyond 2^53 become strings,
 * bytes become base64, and times become RFC 3339. Source: cel-go common/types `ConvertToNative` (v0.29.2) for *structpb.Value.
 */
export function protobufValue(value: CelValue, minor: Minor): ProtobufValue {
  return convert(value, literalRules(minor));
}

function convert(value: CelValue, rules: LiteralRules): ProtobufValue {
  if (value === null || typeof value === 'string' || typeof value === 'boolean') return json(value);
  if (typeof value === 'bigint') return json(String(value));
  if (typeof value === 'number') return Number.isInteger(value) ? json(value) : throughJson(value);
  if (value instanceof Float) return throughJson(value.value);
  if (value instanceof Uint) return json(value.value <= BigInt(Number.MAX_SAFE_INTEGER) ? Number(value.value) : String(value.value));
  if (value instanceof Uint8Array) return json(base64Text(value));
  if (value instanceof Timestamp || value instanceof Duration) return textValue(value);
  if (value instanceof TypeValue) return fail("type conversion not supported for 'type'");
  if (value instanceof Optional) return value.value === undefined ? fail('optional.none() dereference') : convert(value.value, rules);
  if (value instanceof ObjectLiteral) return literalValue(value, rules);
  if (value instanceof JsonPatchLiteral) return fail('cannot convert to native type: *structpb.Value');
  if (value instanceof TypedStruct) return noConversion(`struct type ${structText(value)}`);
  if (value instanceof TypedList) return fail("type conversion error from 'list(dyn)' to '*structpb.Value'");
  if (value instanceof TypedMap) return fail("type conversion error from 'map(dyn, dyn)' to '*structpb.Value'");
  if (isList(value)) return listValue(value, rules);
  if (isMap(value)) return mapValue(value, rules);
  return fail(
    `type conversion error from '${value instanceof LibraryValue ? value.goType.replace(/^.*\./, '') : 'unknown'}' to '*structpb.Value'`,
  );
}

function textValue(value: CelValue): ProtobufValue {
  const text = toText(value);
  return typeof text === 'string' ? json(text) : fail(text instanceof CelError ? text.message : '');
}

function listValue(list: CelList, rules: LiteralRules): ProtobufValue {
  const items: JsonValue[] = [];
  for (let index = 0; index < list.size; index++) {
    const item = list.at(index);
    // An object literal makes Kubernetes panic, except in a concatenated list, whose elements Kubernetes first converts to plain data.
    if (panics(item, rules) && !isConcatenation(list)) return panicked('reflect.Set');
    const converted = convert(item, rules);
    if (converted.kind !== 'json') return converted;
    items.push(converted.json);
  }
  return json(items);
}

function mapValue(map: CelMap, rules: LiteralRules): ProtobufValue {
  const object = newJsonObject();
  for (const key of map.keys()) {
    if (typeof key !== 'string') return fail(keyError(key));
    const value = map.get(key) ?? null;
    if (panics(value, rules)) return panicked('reflect.Value.SetMapIndex');
    const converted = convert(value, rules);
    if (converted.kind !== 'json') return converted;
    object[key] = converted.json;
  }
  return json(object);
}

const keyError = (key: CelValue): string =>
  typeof key === 'boolean'
    ? "type conversion error from bool to 'string'"
    : `unsupported type conversion from '${key instanceof Uint ? 'uint' : key instanceof Float ? 'double' : 'int'}' to string`;

const panics = (value: CelValue, rules: LiteralRules): boolean => value instanceof ObjectLiteral && rules.nestedLiterals === 'panic';

const panicked = (where: string): ProtobufValue => ({
  kind: 'panicked',
  error: `${where}: value of type *structpb.Struct is not assignable to type *structpb.Value`,
});

function literalValue(literal: ObjectLiteral, rules: LiteralRules): ProtobufValue {
  const converted = literalData(literal, rules);
  return converted.ok ? dataValue(converted.data) : fail(converted.error);
}

/** Converts the data of a literal. All numbers become float64, regardless of their original type. */
function dataValue(data: MergeValue): ProtobufValue {
  if (data === null || typeof data === 'string' || typeof data === 'boolean') return json(data);
  if (data instanceof ForeignValue) return data.json === undefined ? fail(`proto: invalid type: ${data.goType}`) : json(data.json);
  if (typeof data === 'number' || typeof data === 'bigint') return throughJson(Number(data));
  if (data instanceof Float) return throughJson(data.value);
  if (Array.isArray(data)) return dataList(data);
  return isMergeObject(data) ? dataObject(data) : json(data);
}

function dataList(data: readonly MergeValue[]): ProtobufValue {
  const list: JsonValue[] = [];
  for (const item of data) {
    const converted = dataValue(item);
    if (converted.kind !== 'json') return converted;
    list.push(converted.json);
  }
  return json(list);
}

function dataObject(data: MergeObject): ProtobufValue {
  const object = newJsonObject();
  for (const [key, member] of Object.entries(data)) {
    const converted = dataValue(member);
    if (converted.kind !== 'json') return converted;
    object[key] = converted.json;
  }
  return json(object);
}
