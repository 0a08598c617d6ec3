import { compareBytes, Float, goQuote, hexText, utf8Bytes } from '#go';
import { grouped } from '#numbers';
import { toDouble, toText } from '../../values/convert.ts';
import type { EvaluationContext } from '../../values/evaluation-context.ts';
import { doubleOf, isInt, isList, isMap, typeOfValue } from '../../values/type-of.ts';
import { runtimeTypeName } from '../../values/types/type.ts';
import { CelError, Duration, EvaluationPanic, Timestamp, TypeValue, Uint } from '../../values/value.ts';
import type { CelList, CelMap, CelValue } from '../../values/value.ts';
import { RawMap } from '../../values/wrap.ts';
import type { FormatClause } from './format-clauses.ts';

const DEFAULT_PRECISION = 6;

const typeName = (context: EvaluationContext, value: CelValue): string => runtimeTypeName(typeOfValue(value), context.semantics);

/**
 * Returns one argument of the CEL function `format` as text, according to its clause, such as `%d` or `%.2f`. `times` is the text between
 * the mantissa and `10` in scientific notation. Source: cel-go ext/formatting.go `stringFormatter`, locale en_US (v0.29.2).
 */
export function renderClause(
  context: EvaluationContext,
  { verb, precision = DEFAULT_PRECISION }: FormatClause,
  value: CelValue,
  times: string,
): string | CelError {
  switch (verb) {
    case 's':
      return renderText(context, value);
    case 'd':
      return renderDecimal(context, value);
    case 'f':
      return renderDouble(context, value, 'fixed-point', (double) => fixed(double, precision));
    case 'e':
      return renderDouble(context, value, 'scientific', (double) => scientific(double, precision, times));
    case 'b':
      return renderBinary(context, value);
    case 'o':
      return (
        integerOf(value)?.toString(8) ?? new CelError(`octal clause can only be used on integers, was given ${typeName(context, value)}`)
      );
    case 'x':
      return renderHex(context, value);
    case 'X': {
      const hex = renderHex(context, value);
      return hex instanceof CelError ? hex : hex.toUpperCase();
    }
  }
}

function integerOf(value: CelValue): bigint | undefined {
  if (isInt(value)) return BigInt(value);
  return value instanceof Uint ? value.value : undefined;
}

function renderText(context: EvaluationContext, value: CelValue): string | CelError {
  if (isList(value)) return renderList(context, value);
  if (isMap(value)) return renderMap(context, value);
  if (value === null) return 'null';
  if (isPlain(value)) {
    const text = toText(value);
    return typeof text === 'string'
      ? text
      : new CelError(`could not convert argument ${goQuote(text instanceof CelError ? text.message : '')} to string`);
  }
  return new CelError(
    `string clause can only be used on strings, bools, bytes, ints, doubles, maps, lists, types, durations, and timestamps, was given ${typeName(context, value)}`,
  );
}

/** Returns true if `%s` formats a value by a simple conversion to text. Lists, maps and unsupported values are formatted differently. */
function isPlain(value: CelValue): boolean {
  return (
    typeof value !== 'object' ||
    value instanceof Float ||
    value instanceof Uint ||
    value instanceof Timestamp ||
    value instanceof Duration ||
    value instanceof Uint8Array ||
    value instanceof TypeValue
  );
}

function renderDecimal(context: EvaluationContext, value: CelValue): string | CelError {
  return integerOf(value)?.toString() ?? new CelError(`decimal clause can only be used on integers, was given ${typeName(context, value)}`);
}

const SPECIAL_DOUBLES: ReadonlySet<CelValue> = new Set(['NaN', 'Infinity', '-Infinity']);

function renderDouble(context: EvaluationContext, value: CelValue, clause: string, render: (double: number) => string): string | CelError {
  const double = SPECIAL_DOUBLES.has(value) ? doubleOf(toDouble(value)) : doubleOf(value);
  return double === undefined
    ? new CelError(`${clause} clause can only be used on doubles, was given ${typeName(context, value)}`)
    : render(double);
}

function special(double: number): string | undefined {
  if (Number.isNaN(double)) return 'NaN';
  return Number.isFinite(double) ? undefined : double > 0 ? '∞' : '-∞';
}

/** Modulus to which the minimum number of digits after the decimal point is reduced, because x/text stores this number in one byte. */
const FRACTION_DIGITS_WRAP = 256;

/** Formats a double as golang.org/x/text/message prints `%f`, with English grouping: `1,234.500000`. Zero has no sign. */
function fixed(double: number, precision: number): string {
  const named = special(double);
  if (named !== undefined) return named;
  const [whole, digits = ''] = fixedDigits(double, precision).split('.') as [string, string | undefined];
  const least = precision % FRACTION_DIGITS_WRAP;
  const fraction = digits.slice(0, least) + digits.slice(least).replace(/0+$/, '');
  return `${double < 0 ? '-' : ''}${grouped(whole)}${fraction === '' ? '' : `.${fraction}`}`;
}

const SUPERSCRIPT = '⁰¹²³⁴⁵⁶⁷⁸⁹';
/**
 * Number of digits after the decimal point in scientific notation. It is constant because upstream uses the clause's precision as the width
 * instead.
 */
const SCIENTIFIC_DIGITS = 6;

/** Formats a double in scientific notation like `2.718280×10⁰⁰`. The result is padded on the left to `width`. */
function scientific(double: number, width: number, times: string): string {
  const named = special(double);
  if (named !== undefined) return named.padStart(width);
  const { mantissa, exponent } = scientificDigits(double, SCIENTIFIC_DIGITS);
  const digits = String(Math.abs(exponent)).padStart(2, '0');
  const power = `${exponent < 0 ? '⁻' : ''}${[...digits].map((digit) => SUPERSCRIPT[Number(digit)]).join('')}`;
  return `${double < 0 ? '-' : ''}${mantissa}${times}10${power}`.padStart(width);
}

function renderBinary(context: EvaluationContext, value: CelValue): string | CelError {
  if (typeof value === 'boolean') return value ? '1' : '0';
  return (
    integerOf(value)?.toString(2) ??
    new CelError(`only integers and bools can be formatted as binary, was given ${typeName(context, value)}`)
  );
}

function renderHex(context: EvaluationContext, value: CelValue): string | CelError {
  if (typeof value === 'string') return hexText(utf8Bytes(value));
  if (value instanceof Uint8Array) return hexText(value);
  return (
    integerOf(value)?.toString(16) ??
    new CelError(`only integers, byte buffers, and strings can be formatted as hex, was given ${typeName(context, value)}`)
  );
}

/** Formats a value inside a list or map as a CEL literal. */
function renderNested(context: EvaluationContext, value: CelValue): string | CelError {
  if (typeof value === 'string') return goQuote(value);
  if (integerOf(value) !== undefined) return renderDecimal(context, value);
  if (value instanceof Uint8Array) {
    const text = renderText(context, value);
    return text instanceof CelError ? text : `b${goQuote(text)}`;
  }
  if (value instanceof Timestamp) return `timestamp(${goQuote(toText(value) as string)})`;
  if (value instanceof Duration) return `duration(${goQuote(toText(value) as string)})`;
  const double = doubleOf(value);
  if (double !== undefined) return renderNestedDouble(double);
  if (typeof value === 'boolean' || value === null || value instanceof TypeValue || isList(value) || isMap(value))
    return renderText(context, value);
  return new CelError(`no formatting function for ${typeName(context, value)}`);
}

function renderNestedDouble(double: number): string {
  if (Number.isNaN(double)) return '"NaN"';
  if (!Number.isFinite(double)) return double > 0 ? '"+Inf"' : '"-Inf"';
  const sign = double < 0 || Object.is(double, -0) ? '-' : '';
  return sign + fixedDigits(double, DEFAULT_PRECISION);
}

function renderList(context: EvaluationContext, list: CelList): string | CelError {
  const parts: string[] = [];
  for (let i = 0; i < list.size; i++) {
    context.poll();
    const part = renderNested(context, list.at(i));
    if (part instanceof CelError) return part;
    parts.push(part);
  }
  return `[${parts.join(', ')}]`;
}

/** Formats a map. Its entries are sorted by the text of their keys. */
function renderMap(context: EvaluationContext, map: CelMap): string | CelError {
  const entries: (readonly [key: string, value: string])[] = [];
  for (const key of map.keys()) {
    context.poll();
    // A RawMap yields a null key for a field without a schema. Kubernetes panics at such a key.
    if (key === null && map instanceof RawMap)
      throw new EvaluationPanic('runtime error: invalid memory address or nil pointer dereference');
    if (typeof key !== 'string' && typeof key !== 'boolean' && integerOf(key) === undefined) {
      return new CelError(`no formatting function for map key of type ${typeName(context, key)}`);
    }
    const value = map.get(key);
    if (value === undefined) return new CelError(`could not find key: ${goQuote(String(key))}`);
    const keyText = renderNested(context, key);
    if (keyText instanceof CelError) return keyText;
    const valueText = renderNested(context, value);
    if (valueText instanceof CelError) return valueText;
    entries.push([keyText, valueText]);
  }
  entries.sort(([a], [b]) => compareBytes(a, b));
  return `{${entries.map(([key, value]) => `${key}:${value}`).join(', ')}}`;
}

/** Returns a positive double as an exact fraction: `mantissa · 2^exponent`. */
function parts(double: number): { readonly mantissa: bigint; readonly exponent: number } {
  const view = new DataView(new ArrayBuffer(8));
  view.setFloat64(0, double);
  const bits = view.getBigUint64(0);
  const raw = Number((bits >> 52n) & 0x7ffn);
  return { mantissa: (bits & 0xf_ffff_ffff_ffffn) | (raw === 0 ? 0n : 1n << 52n), exponent: Math.max(raw, 1) - 1075 };
}

/** Returns `numerator / denominator`, rounded to the nearest integer. A tie is rounded to the even integer. */
function divideToEven(numerator: bigint, denominator: bigint): bigint {
  const quotient = numerator / denominator;
  const rest = (numerator % denominator) * 2n;
  return rest > denominator || (rest === denominator && quotient % 2n === 1n) ? quotient + 1n : quotient;
}

/** Returns `double · 10^power`, rounded to the nearest integer. A tie is rounded to the even integer. The double must not be negative. */
function scaled(double: number, power: number): bigint {
  const { mantissa, exponent } = parts(double);
  const numerator = mantissa * 10n ** BigInt(Math.max(power, 0)) * 2n ** BigInt(Math.max(exponent, 0));
  return divideToEven(numerator, 10n ** BigInt(Math.max(-power, 0)) * 2n ** BigInt(Math.max(-exponent, 0)));
}

/** Returns a finite double without its sign as Go's %.nf prints it, with the given number of digits after the decimal point. */
function fixedDigits(double: number, digits: number): string {
  const text = scaled(Math.abs(double), digits)
    .toString()
    .padStart(digits + 1, '0');
  const point = text.length - digits;
  return digits === 0 ? text : `${text.slice(0, point)}.${text.slice(point)}`;
}

/** Returns a finite double without its sign as Go's %.ne prints it: as digits `d.ddd` and a power of ten. */
function scientificDigits(double: number, digits: number): { readonly mantissa: string; readonly exponent: number } {
  const size = Math.abs(double);
  if (size === 0) return { mantissa: `0.${'0'.repeat(digits)}`, exponent: 0 };
  let exponent = Number(size.toExponential().split('e')[1]);
  let text = scaled(size, digits - exponent).toString();
  if (text.length > digits + 1) {
    exponent++;
    text = scaled(size, digits - exponent).toString();
  }
  return { mantissa: `${text.charAt(0)}.${text.slice(1)}`, exponent };
}
