import { Float } from '#go';
import { MAX_INT, MIN_INT } from '../integer.ts';
import { ArrayList } from '../list.ts';
import { EntryMap } from '../map.ts';
import { isList, isMap, typeOfValue } from '../type-of.ts';
import {
  BOOL,
  BYTES,
  DOUBLE,
  DURATION,
  DYN,
  EMPTY_TYPE,
  INT,
  listOf,
  mapOf,
  nullableOf,
  STRING,
  TIMESTAMP,
  typeText,
  UINT,
} from '../types/type.ts';
import type { CelType } from '../types/type.ts';
import { CelError, Duration, Timestamp, Uint } from '../value.ts';
import type { CelValue, Constant } from '../value.ts';
import { EMPTY } from './message-value.ts';
import type { MessageType, MessageTypes } from './message-value.ts';
import { listValueOf, structOf, toNative } from './native-conversion.ts';
import type { NativeType } from './native-conversion.ts';

/**
 * Field of a message: its CEL type, and the Go type that holds it. `native` is `list` for a repeated field and `map` for a map field. The
 * value of such a field is converted as a whole.
 */
interface Field {
  readonly type: CelType;
  readonly native: NativeType | 'map' | 'list';
}

type Fields = Readonly<Record<string, Field>>;
type Converted = ReadonlyMap<string, CelValue>;

const PACKAGE = 'google.protobuf.';

function convert(name: string, { native }: Field, value: CelValue): CelValue {
  const fits = native === 'map' ? isMap(value) : native !== 'list' || isList(value);
  if (!fits) return new CelError(`unsupported field type for ${name}: ${typeText(typeOfValue(value))}`);
  const converted =
    native === 'map' && isMap(value)
      ? structOf(value)
      : native === 'list' && isList(value)
        ? listValueOf(value)
        : toNative(value, native as NativeType);
  return converted instanceof CelError
    ? new CelError(`field type conversion error for ${name} value type: ${converted.message}`)
    : converted;
}

/** Returns a message type whose literals become values of the type `valueType`. */
function wellKnown(name: string, valueType: CelType, fields: Fields, make: (fields: Converted) => CelValue): MessageType {
  const types = new Map(Object.entries(fields).map(([field, { type }]) => [field, type]));
  return {
    type: { kind: 'object', name: PACKAGE + name, fields: types },
    valueType,
    make(given) {
      const converted = new Map<string, CelValue>();
      for (const [field, value] of given) {
        const one = convert(`${PACKAGE}${name}.${field}`, fields[field] as Field, value);
        if (one instanceof CelError) return one;
        converted.set(field, one);
      }
      return make(converted);
    },
  };
}

const wrapper = (name: string, type: CelType, native: NativeType, zero: CelValue): MessageType =>
  wellKnown(name, nullableOf(type), { value: { type, native } }, (fields) => fields.get('value') ?? zero);

const SECOND = 1_000_000_000n;
const TIMES: Fields = { seconds: { type: INT, native: 'int64' }, nanos: { type: INT, native: 'int32' } };

function timeParts(fields: Converted): readonly [seconds: bigint, nanos: bigint] {
  const part = (name: string): bigint => BigInt((fields.get(name) ?? 0) as number | bigint);
  return [part('seconds'), part('nanos')];
}

/**
 * Returns the duration of a `google.protobuf.Duration` literal, limited to the range of int64 nanoseconds. Source:
 * google.golang.org/protobuf types/known/durationpb `AsDuration` (v1.36).
 */
function durationOf(fields: Converted): Duration {
  const [seconds, nanos] = timeParts(fields);
  const whole = seconds * SECOND;
  if (whole > MAX_INT || whole + nanos > MAX_INT) return new Duration(MAX_INT);
  return new Duration(whole < MIN_INT || whole + nanos < MIN_INT ? MIN_INT : whole + nanos);
}

/**
 * Returns the timestamp of a `google.protobuf.Timestamp` literal. Source: google.golang.org/protobuf types/known/timestamppb `AsTime`
 * (v1.36).
 */
function timestampOf(fields: Converted): Timestamp {
  const [seconds, nanos] = timeParts(fields);
  const rest = ((nanos % SECOND) + SECOND) % SECOND;
  return new Timestamp(Number(seconds + (nanos - rest) / SECOND), Number(rest));
}

const DATA_MAP = mapOf(STRING, DYN);
const DATA_LIST = listOf(DYN);
const ONE_OF: Fields = {
  null_value: { type: INT, native: 'protoreflect.EnumNumber' },
  number_value: { type: DOUBLE, native: 'float64' },
  string_value: { type: STRING, native: 'string' },
  bool_value: { type: BOOL, native: 'bool' },
  struct_value: { type: DATA_MAP, native: '*structpb.Struct' },
  list_value: { type: DATA_LIST, native: '*structpb.ListValue' },
};

/**
 * Returns the value of a `google.protobuf.Value` literal: the value of the last field in the literal. The result is null if this field is
 * `null_value` or if there is no field.
 */
function dataOf(fields: Converted): CelValue {
  const last = [...fields].at(-1);
  return last === undefined || last[0] === 'null_value' ? null : last[1];
}

const ZERO = new Float(0);
const TYPES: ReadonlyMap<string, MessageType> = new Map(
  [
    wrapper('BoolValue', BOOL, 'bool', false),
    wrapper('BytesValue', BYTES, '[]uint8', new Uint8Array()),
    wrapper('DoubleValue', DOUBLE, 'float64', ZERO),
    wrapper('FloatValue', DOUBLE, 'float32', ZERO),
    wrapper('Int32Value', INT, 'int32', 0),
    wrapper('Int64Value', INT, 'int64', 0),
    wrapper('StringValue', STRING, 'string', ''),
    wrapper('UInt32Value', UINT, 'uint32', new Uint(0n)),
    wrapper('UInt64Value', UINT, 'uint64', new Uint(0n)),
    wellKnown('Duration', DURATION, TIMES, durationOf),
    wellKnown('Timestamp', TIMESTAMP, TIMES, timestampOf),
    wellKnown('Struct', DATA_MAP, { fields: { type: DATA_MAP, native: 'map' } }, (fields) => fields.get('fields') ?? new EntryMap()),
    wellKnown(
      'ListValue',
      DATA_LIST,
      { values: { type: DATA_LIST, native: 'list' } },
      (fields) => fields.get('values') ?? new ArrayList([]),
    ),
    wellKnown('Value', DYN, ONE_OF, dataOf),
    wellKnown('Empty', EMPTY_TYPE, {}, () => EMPTY),
  ].map((message) => [message.type.name, message]),
);

const NULL_VALUE: Constant = { type: 'int', value: 0n };

/**
 * Names that the checker replaces with constants: enum values of well-known types. Source: cel-go common/types/provider.go `FindIdent`
 * (v0.29.2).
 */
export const WELL_KNOWN_CONSTANTS: ReadonlyMap<string, Constant> = new Map([[`${PACKAGE}NullValue.NULL_VALUE`, NULL_VALUE]]);

/**
 * Message types of literals in all expressions: protobuf's well-known types, whose literals become values of other CEL types, such as ints.
 * Source: cel-go common/types/provider.go `NewValue`, `FindStructType`, common/types/pb/checked.go (v0.29.2). `Any` is not among them.
 */
export const WELL_KNOWN_MESSAGES: MessageTypes = (name) => TYPES.get(name);
