import { Float, base64Text, floatValue } from '#go';
import { toText } from '../convert.ts';
import { EMPTY } from './message-value.ts';
import { LibraryValue } from '../library-value.ts';
import { ArrayList } from '../list.ts';
import { EntryMap } from '../map.ts';
import { doubleOf, isInt, isList, isMap } from '../type-of.ts';
import { CelError, Duration, Optional, Timestamp, TypeValue, Uint } from '../value.ts';
import type { CelList, CelMap, CelValue } from '../value.ts';

/** Name of a Go type that a message field can have. */
export type NativeType = keyof typeof CONVERSIONS;

/** Function that converts a value to one Go type. It returns undefined if the value cannot be converted to this type. */
type Conversion = (value: CelValue) => CelValue | undefined;

const INT_OVERFLOW = new CelError('integer overflow');
const UINT_OVERFLOW = new CelError('unsigned integer overflow');

const int32: Conversion = (value) => {
  if (!isInt(value)) return undefined;
  return value >= -(2 ** 31) && value < 2 ** 31 ? value : INT_OVERFLOW;
};

const uint32: Conversion = (value) => {
  if (!(value instanceof Uint)) return undefined;
  return value.value < 2n ** 32n ? value : UINT_OVERFLOW;
};

const float64: Conversion = (value) => (doubleOf(value) === undefined ? undefined : value);

const float32: Conversion = (value) => {
  const double = doubleOf(value);
  return double === undefined ? undefined : floatValue(Math.fround(double));
};

/**
 * Pattern that matches the Go types whose library values convert to a string. Source: k8s.io/apiserver/pkg/cel `ConvertToNative` of URL,
 * Quantity, IP and CIDR (1.37).
 */
const WRITTEN = /\.(?:URL|Quantity|IP|CIDR)$/;

const text: Conversion = (value) => {
  if (typeof value === 'string') return value;
  return value instanceof LibraryValue && WRITTEN.test(value.goType) ? value.toString() : undefined;
};

/**
 * Converts a value to bytes. Go converts lists element by element to `uint8`, which fails for every non-empty list because no CEL value is
 * a `uint8`.
 */
const bytes: Conversion = (value) => {
  if (value instanceof Uint8Array) return value;
  if (!isList(value) || value.schema !== undefined) return undefined;
  return value.size === 0 ? new Uint8Array() : new CelError(noConversion(value.at(0), 'uint8'));
};

const CONVERSIONS = {
  int32,
  int64: (value: CelValue) => (isInt(value) ? value : undefined),
  uint32,
  uint64: (value: CelValue) => (value instanceof Uint ? value : undefined),
  float32,
  float64,
  bool: (value: CelValue) => (typeof value === 'boolean' ? value : undefined),
  string: text,
  '[]uint8': bytes,
  'protoreflect.EnumNumber': int32,
  '*structpb.Struct': (value: CelValue) => (isMap(value) && value.schema === undefined ? structOf(value) : undefined),
  '*structpb.ListValue': (value: CelValue) => {
    if (isList(value)) return value.schema === undefined ? listValueOf(value) : undefined;
    if (!isMap(value) || value.schema !== undefined) return undefined;
    for (const key of value.keys()) return new CelError(noField(toText(key) as string));
    return new ArrayList([]);
  },
  '*structpb.Value': dataOf,
} as const satisfies Readonly<Record<string, Conversion>>;

const noField = (key: string): string =>
  `type conversion error, no such field '${key.slice(0, 1).toUpperCase()}${key.slice(1)}' in type 'structpb.ListValue'`;

/**
 * Converts a value to the Go type of a field, or returns the conversion error. In fields of type `*structpb.Value`, numbers are doubles;
 * bytes, times and integers beyond 2^53 become strings. Source: cel-go common/types `ConvertToNative` of all types (v0.29.2).
 */
export function toNative(value: CelValue, type: NativeType): CelValue {
  if (value instanceof Optional)
    return value.value === undefined ? new CelError('optional.none() dereference') : toNative(value.value, type);
  const conversion: Conversion = CONVERSIONS[type];
  const converted = conversion(value);
  return converted === undefined ? new CelError(noConversion(value, type)) : converted;
}

/** Returns the error message for a value that cannot be converted to the Go type `type`. */
function noConversion(value: CelValue, type: string): string {
  if (isInt(value)) return `unsupported type conversion from 'int' to ${type}`;
  if (value instanceof Uint) return `unsupported type conversion from 'uint' to ${type}`;
  if (typeof value === 'string') return `unsupported native conversion from string to '${type}'`;
  if (value instanceof TypeValue) return "type conversion not supported for 'type'";
  return `type conversion error from ${nameOf(value)} to '${type}'`;
}

function nameOf(value: CelValue): string {
  if (value === null) return "'null_type'";
  if (typeof value === 'boolean') return 'bool';
  if (doubleOf(value) !== undefined) return 'Double';
  if (value instanceof Uint8Array) return 'Bytes';
  if (value instanceof Duration) return "'Duration'";
  if (value instanceof Timestamp) return "'Timestamp'";
  if (isList(value)) return value.schema === undefined ? 'list' : "'list(dyn)'";
  if (value === EMPTY) return "'*dynamicpb.Message'";
  if (isMap(value)) return value.schema === undefined ? 'map' : "'map(dyn, dyn)'";
  return `'${value instanceof LibraryValue ? value.goType.replace(/^.*\./, '') : 'unknown'}'`;
}

function dataOf(value: CelValue): CelValue | undefined {
  if (value === null || typeof value === 'string' || typeof value === 'boolean') return value;
  if (typeof value === 'bigint') return String(value);
  if (typeof value === 'number') return Number.isInteger(value) ? new Float(value) : value;
  if (value instanceof Float) return value;
  if (value instanceof Uint) return value.value <= BigInt(Number.MAX_SAFE_INTEGER) ? new Float(Number(value.value)) : String(value.value);
  if (value instanceof Uint8Array) return base64Text(value);
  if (value instanceof Timestamp || value instanceof Duration) return toText(value);
  if (value === EMPTY) return new EntryMap();
  if (isList(value)) return value.schema === undefined ? listValueOf(value) : undefined;
  return isMap(value) && value.schema === undefined ? structOf(value) : undefined;
}

/** Converts a list to the elements of a `google.protobuf.ListValue`, or returns the first conversion error. */
export function listValueOf(list: CelList): CelValue {
  const elements: CelValue[] = [];
  for (let i = 0; i < list.size; i++) {
    const element = toNative(list.at(i), '*structpb.Value');
    if (element instanceof CelError) return element;
    elements.push(element);
  }
  return new ArrayList(elements);
}

/** Converts a map to a `google.protobuf.Struct`, which is a map with string keys. If a conversion fails, returns the first error. */
export function structOf(map: CelMap): CelValue {
  const struct = new EntryMap();
  for (const key of map.keys()) {
    const name = toNative(key, 'string');
    if (name instanceof CelError) return name;
    const value = toNative(map.get(key) ?? null, '*structpb.Value');
    if (value instanceof CelError) return value;
    struct.set(name, value);
  }
  return struct;
}
