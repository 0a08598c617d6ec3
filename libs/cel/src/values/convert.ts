import {
  Float,
  floatValue,
  formatFixedFloat,
  formatFloat,
  formatRfc3339Nano,
  intValue,
  isUtf8,
  machineInteger,
  parseDuration,
  parseTime,
  RFC3339,
  utf8Text,
} from '#go';
import { runtimeTypeName, STRING } from './types/type.ts';
import type { CelType } from './types/type.ts';
import { isTimestampRange } from './arithmetic.ts';
import type { EvaluationContext } from './evaluation-context.ts';
import {
  CelError,
  Duration,
  INTEGER_OVERFLOW,
  Timestamp,
  TIMESTAMP_OVERFLOW,
  TypeValue,
  Uint,
  UNSIGNED_INTEGER_OVERFLOW,
} from './value.ts';
import type { CelValue } from './value.ts';
import { MAX_INT, MAX_UINT, MIN_INT } from './integer.ts';
import { memoizeShort } from './text.ts';
import { doubleOf, isInt, typeOfValue } from './type-of.ts';
import { PreservedValue } from './wrap.ts';

/**
 * Returns the error for a value that cannot be converted to the type `target`. A value that is already an error is returned unchanged.
 *
 * The conversions in this file follow the `ConvertToType` methods of cel-go common/types (v0.29.2). They return the result of this function
 * if the value's type does not support the conversion.
 */
function conversionError(value: CelValue, target: string): CelError {
  if (value instanceof CelError) return value;
  if (value instanceof PreservedValue) {
    return new CelError(`type conversion to '${target}' not supported for values preserved by x-kubernetes-preserve-unknown-fields`);
  }
  return new CelError(`type conversion error from '${erasedTypeText(value)}' to '${target}'`);
}

/** Returns the name of a value's type as Go prints it. Type parameters are printed as dyn: `list(dyn)`. */
export function erasedTypeText(value: CelValue): string {
  const type = typeOfValue(value);
  return ERASED_NAMES[type.kind] ?? runtimeTypeName(type);
}

/** Names that Go prints for types with parameters. Each parameter is replaced by dyn. */
const ERASED_NAMES: Readonly<Partial<Record<CelType['kind'], string>>> = {
  list: 'list(dyn)',
  map: 'map(dyn, dyn)',
  optional: 'optional_type(dyn)',
};

const INT_TEXT = /^[+-]?\d+$/;

/**
 * Returns `int(value)`. Doubles are truncated, and timestamps become seconds since 1970. A result that does not fit an int64 is an error.
 * Source of all conversions here: cel-go common/types (v0.29.2).
 */
export function toInt(value: CelValue): CelValue {
  if (isInt(value)) return value;
  if (value instanceof Uint) return value.value > MAX_INT ? INTEGER_OVERFLOW : intValue(value.value);
  const double = doubleOf(value);
  if (double !== undefined) return doubleToInt(double) ?? INTEGER_OVERFLOW;
  if (value instanceof Timestamp) return value.seconds;
  if (value instanceof Duration) return intValue(value.nanos);
  if (typeof value === 'string' && INT_TEXT.test(value)) {
    const parsed = machineInteger(value);
    if (parsed !== undefined && parsed >= MIN_INT && parsed <= MAX_INT) return intValue(parsed);
  }
  return conversionError(value, 'int');
}

/** Returns a double truncated to int64, or undefined if the double is at or beyond the ends of the int64 range. */
export function doubleToInt(double: number): number | bigint | undefined {
  if (Number.isNaN(double) || double <= -9223372036854775808 || double >= 9223372036854775807) return undefined;
  return intValue(BigInt(Math.trunc(double)));
}

/** Returns a double truncated to uint64, or undefined if the result does not fit a uint64. */
export function doubleToUint(double: number): Uint | undefined {
  return double >= 0 && double < 18446744073709551616 ? new Uint(BigInt(Math.trunc(double))) : undefined;
}

/** Returns `uint(value)`. Doubles are truncated. A result that does not fit a uint64 is an error. */
export function toUint(value: CelValue): CelValue {
  if (value instanceof Uint) return value;
  if (isInt(value)) return value < 0 ? UNSIGNED_INTEGER_OVERFLOW : new Uint(BigInt(value));
  const double = doubleOf(value);
  if (double !== undefined) return doubleToUint(double) ?? UNSIGNED_INTEGER_OVERFLOW;
  if (typeof value === 'string' && /^\d+$/.test(value)) {
    const parsed = machineInteger(value);
    if (parsed !== undefined && parsed <= MAX_UINT) return new Uint(parsed);
  }
  return conversionError(value, 'uint');
}

/** Returns `double(value)`, which is the nearest float64. A text that is not a number is an error. */
export function toDouble(value: CelValue): CelValue {
  if (doubleOf(value) !== undefined) return value;
  if (isInt(value)) return new Float(Number(value));
  if (value instanceof Uint) return new Float(Number(value.value));
  const parsed = typeof value === 'string' ? parseFloat64(value) : undefined;
  return parsed === undefined ? conversionError(value, 'double') : floatValue(parsed);
}

/** Pattern of digits that may be separated by single underscores. */
const DIGITS = '\\d(?:_?\\d)*';
const DECIMAL_FLOAT = new RegExp(`^[+-]?(?:${DIGITS}(?:\\.(?:${DIGITS})?)?|\\.${DIGITS})(?:[eE][+-]?${DIGITS})?$`);
const HEX_FLOAT = /^([+-]?)0[xX]([\da-fA-F]*)(?:\.([\da-fA-F]*))?[pP]([+-]?\d+)$/;

/**
 * Parses a float64 as Go's strconv.ParseFloat does. Returns undefined if Go rejects the text, for example because the value is out of
 * range.
 */
function parseFloat64(text: string): number | undefined {
  if (/^[+-]?(?:inf|infinity)$/i.test(text)) return text.startsWith('-') ? -Infinity : Infinity;
  if (/^nan$/i.test(text)) return Number.NaN;
  let parsed: number | undefined;
  if (DECIMAL_FLOAT.test(text)) parsed = Number(text.replaceAll('_', ''));
  const hex = HEX_FLOAT.exec(text);
  if (hex !== null && `${hex[2]}${hex[3] ?? ''}` !== '') {
    const digits = `${hex[2]}${hex[3] ?? ''}`;
    const scaled = Number(BigInt(`0x${digits}`)) * 2 ** (Number(hex[4]) - 4 * (hex[3] ?? '').length);
    parsed = hex[1] === '-' ? -scaled : scaled;
  }
  return parsed !== undefined && Number.isFinite(parsed) ? parsed : undefined;
}

const TRUE_TEXTS: ReadonlySet<string> = new Set(['1', 't', 'T', 'TRUE', 'true', 'True']);
const FALSE_TEXTS: ReadonlySet<string> = new Set(['0', 'f', 'F', 'FALSE', 'false', 'False']);

/** Returns `bool(value)`. A text is parsed as Go's `strconv.ParseBool` does. */
export function toBool(value: CelValue): CelValue {
  if (typeof value === 'boolean') return value;
  if (typeof value === 'string') {
    if (TRUE_TEXTS.has(value)) return true;
    if (FALSE_TEXTS.has(value)) return false;
  }
  return conversionError(value, 'bool');
}

const UTF8 = new TextEncoder();

/** Returns `bytes(value)`. A text becomes its UTF-8 encoding. */
export function toBytes(value: CelValue): CelValue {
  if (value instanceof Uint8Array) return value;
  return typeof value === 'string' ? UTF8.encode(value) : conversionError(value, 'bytes');
}

/** Returns `string(value)` for values of the core types. Library types declare their own overloads of `string`. */
export function toText(value: CelValue): CelValue {
  // oxlint-disable-next-line typescript/switch-exhaustiveness-check -- objects follow below
  switch (typeof value) {
    case 'string':
      return value;
    case 'boolean':
    case 'bigint':
      return String(value);
    case 'number':
      return Number.isInteger(value) ? String(value === 0 ? 0 : value) : formatFloat(value);
  }
  if (value === null) return 'null';
  if (value instanceof Float) return formatFloat(value.value);
  if (value instanceof Uint) return String(value.value);
  if (value instanceof Timestamp) return formatRfc3339Nano(value);
  if (value instanceof Duration) return `${formatFixedFloat(durationSeconds(value.nanos))}s`;
  if (value instanceof TypeValue) return value.name;
  if (value instanceof Uint8Array) {
    if (!isUtf8(value)) return new CelError('invalid UTF-8 in bytes, cannot convert to string');
    return utf8Text(value);
  }
  return conversionError(value, runtimeTypeName(STRING));
}

/**
 * Converts a duration in nanoseconds to seconds in float64. As in Go, the whole seconds and the rest are converted separately and then
 * added.
 */
export function durationSeconds(nanos: bigint): number {
  return Number(nanos / 1_000_000_000n) + Number(nanos % 1_000_000_000n) / 1e9;
}

const durationOf = memoizeShort((text: string): Duration | undefined => {
  const parsed = parseDuration(text);
  return parsed.ok ? new Duration(parsed.nanos) : undefined;
});

/** Returns `duration(value)`. A text is parsed as Go's `time.ParseDuration` does. A duration beyond CEL's range is an error. */
export function toDuration(value: CelValue): CelValue {
  if (value instanceof Duration) return value;
  if (typeof value === 'string') {
    const duration = durationOf(value);
    if (duration !== undefined) return duration;
  }
  return conversionError(value, 'google.protobuf.Duration');
}

/**
 * Returns `timestamp(value)`. An int is a number of seconds since 1970, and a text must be in RFC 3339. The year must be from 1 to 9999.
 */
export function toTimestamp(value: CelValue): CelValue {
  if (value instanceof Timestamp) return value;
  if (isInt(value)) return isTimestampRange(Number(value)) ? new Timestamp(Number(value), 0) : TIMESTAMP_OVERFLOW;
  if (typeof value === 'string') {
    const parsed = parseTime(RFC3339, value);
    if (parsed.ok) {
      const { seconds, nanos, offset } = parsed.instant;
      return isTimestampRange(seconds) ? new Timestamp(seconds, nanos, offset) : TIMESTAMP_OVERFLOW;
    }
  }
  return conversionError(value, 'google.protobuf.Timestamp');
}

/** Returns `type(value)`, which is the type of the value as a CEL value. */
export function toType(context: EvaluationContext, value: CelValue): CelValue {
  if (value instanceof PreservedValue) return conversionError(value, 'type');
  const type: CelType = typeOfValue(value);
  return value instanceof CelError ? value : new TypeValue(type, runtimeTypeName(type, context.semantics));
}
