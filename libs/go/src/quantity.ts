import { machineInteger } from './text/machine-integer.ts';
/**
 * Resource quantity such as `500m` or `1.5Gi`, with the value `unscaled · 10^scale`. Go stores small quantities as int64 and other
 * quantities as decimals. `isDecimal` keeps this difference, because `isInteger` returns false for decimals. Source:
 * k8s.io/apimachinery/pkg/api/resource (1.37).
 */
export interface Quantity {
  readonly unscaled: bigint;
  readonly scale: number;
  readonly isDecimal: boolean;
  readonly format: QuantityFormat;
}

/** Notation of a quantity: SI suffixes (`k`), binary suffixes (`Ki`) or an exponent (`e3`). */
export type QuantityFormat = 'DecimalSI' | 'BinarySI' | 'DecimalExponent';

/** Result of parsing a quantity: the quantity, or the error text of the Go package. */
export type QuantityResult =
  | {
      readonly ok: true;
      readonly quantity: Quantity;
      /**
       * Original text if Go considers it canonical and therefore prints it unchanged. Go's check is inexact and also accepts `1E3` and
       * `1.500`. Otherwise undefined.
       */
      readonly kept: string | undefined;
    }
  | { readonly ok: false; readonly error: string };

const WRONG_FORMAT = "quantities must match the regular expression '^([+-]?[0-9.]+)([eEinumkKMGTP]*[-+]?[0-9]*)$'";
const WRONG_SUFFIX = "unable to parse quantity's suffix";
const WRONG_NUMBER = 'unable to parse numeric part of quantity';

const DECIMAL_SUFFIXES: Readonly<Record<string, number>> = { n: -9, u: -6, m: -3, '': 0, k: 3, M: 6, G: 9, T: 12, P: 15, E: 18 };
const BINARY_SUFFIXES: Readonly<Record<string, number>> = { Ki: 10, Mi: 20, Gi: 30, Ti: 40, Pi: 50, Ei: 60 };

const NANO = -9;
const MIN_INT64 = -(2n ** 63n);
const MAX_INT64 = 2n ** 63n - 1n;
/** Maximum number of decimal digits for which every number fits an int64. */
const SAFE_DIGITS = 18;

const fits = (value: bigint): boolean => value >= MIN_INT64 && value <= MAX_INT64;
const powerOfTen = (exponent: number): bigint => 10n ** BigInt(exponent);

interface Suffix {
  readonly exponent: number;
  readonly format: QuantityFormat;
}

function readSuffix(text: string): Suffix | undefined {
  if (Object.hasOwn(DECIMAL_SUFFIXES, text)) return { exponent: DECIMAL_SUFFIXES[text] as number, format: 'DecimalSI' };
  if (Object.hasOwn(BINARY_SUFFIXES, text)) return { exponent: BINARY_SUFFIXES[text] as number, format: 'BinarySI' };
  const match = /^[eE]([+-]?\d+)$/.exec(text);
  if (match === null) return undefined;
  const exponent = machineInteger(match[1] as string);
  return exponent !== undefined && fits(exponent)
    ? { exponent: Number(BigInt.asIntN(32, exponent)), format: 'DecimalExponent' }
    : undefined;
}

/**
 * Pattern of a quantity, in which each digit can match only one part of the pattern. If a digit could match two parts, the time for invalid
 * texts would grow with the cube of their length.
 */
const QUANTITY = /^([+-]?)(\d*)(?:\.(\d*))?((?:[eEinumkKMGTP]+[-+]?\d*|[-+]\d*)?)$/;

/** Parses a resource quantity in Kubernetes syntax. */
export function parseQuantity(text: string): QuantityResult {
  if (text === '') return { ok: false, error: WRONG_FORMAT };
  const match = QUANTITY.exec(text);
  if (match === null) return { ok: false, error: WRONG_FORMAT };
  const [, sign, written = '', fraction = '', suffixText = ''] = match;
  const digits = written.replace(/^0+/, '');
  const suffix = readSuffix(suffixText);
  if (suffix === undefined) return { ok: false, error: WRONG_SUFFIX };
  const whole = digits === '' ? '0' : digits;
  const small = readInt64(whole, fraction, suffix, sign === '-');
  if (small === 'bad number') return { ok: false, error: WRONG_NUMBER };
  if (small !== undefined) {
    const isKept = countsAsCanonical(whole + fraction, small.scale, suffix);
    return { ok: true, quantity: small, kept: isKept ? text : undefined };
  }
  if (written === '' && fraction === '') return { ok: false, error: WRONG_NUMBER };
  return { ok: true, quantity: readDecimal(`${digits}${fraction}`, fraction.length, suffix, sign === '-'), kept: undefined };
}

/**
 * Returns true if Go prints the original text of a quantity unchanged. Go does this if its check finds no larger suffix that divides the
 * digits. Source: quantity.go `ParseQuantity`.
 */
function countsAsCanonical(digits: string, scale: number, { exponent, format }: Suffix): boolean {
  if (format === 'BinarySI') return exponent % 10 === 0 && (BigInt(digits) & 7n) !== 0n;
  return scale % 3 === 0 && !digits.endsWith('000') && !digits.startsWith('0');
}

/**
 * Returns the quantity in int64 form. Returns undefined if this form cannot hold it. Such a quantity has too many digits, is finer than
 * 10^-9, or has a fraction with a binary suffix.
 */
function readInt64(whole: string, fraction: string, { exponent, format }: Suffix, negative: boolean): Quantity | 'bad number' | undefined {
  let scale = -fraction.length;
  let multiplier = 1n;
  let room: number;
  if (format === 'BinarySI') {
    if (fraction !== '') return undefined;
    multiplier = BigInt.asIntN(64, 1n << BigInt(exponent));
    room = 15 - whole.length - Math.trunc((exponent * 3) / 10) - 1;
  } else {
    scale += exponent;
    room = SAFE_DIGITS - whole.length - fraction.length;
  }
  if (room < 0 || scale < NANO) return undefined;
  const value = BigInt(whole + fraction) * multiplier;
  if (!fits(value)) return undefined;
  return { unscaled: negative ? -value : value, scale, isDecimal: false, format };
}

/**
 * Returns the quantity in decimal form, rounded up to a multiple of 10^-9. With a binary suffix, the result is at most the largest int64.
 */
function readDecimal(digits: string, fractionDigits: number, { exponent, format }: Suffix, negative: boolean): Quantity {
  let unscaled = BigInt(digits === '' ? '0' : digits);
  let scale = -fractionDigits;
  if (format === 'BinarySI') unscaled <<= BigInt(exponent);
  else scale += exponent;
  if (unscaled !== 0n) {
    unscaled = rescaleUp(unscaled, scale, NANO);
    scale = NANO;
  }
  let shown = format;
  if (format === 'BinarySI') {
    const one = powerOfTen(-scale);
    if (unscaled > MAX_INT64 * one) {
      unscaled = MAX_INT64;
      scale = 0;
    } else if (unscaled > 0n && unscaled < one) shown = 'DecimalSI';
  }
  return { unscaled: negative ? -unscaled : unscaled, scale, isDecimal: true, format: shown };
}

/**
 * Converts a non-negative number from the scale `from` to the scale `to`, rounded away from zero. Throws a RangeError if the result is too
 * large for a bigint.
 */
function rescaleUp(unscaled: bigint, from: number, to: number): bigint {
  if (from >= to) return unscaled * powerOfTen(from - to);
  // A number far below the scale needs no division, whose divisor may be beyond all bounds: 1e-2147483647.
  if (to - from > digitCount(unscaled)) return unscaled === 0n ? 0n : 1n;
  const divisor = powerOfTen(to - from);
  return (unscaled + divisor - 1n) / divisor;
}

/**
 * Returns the quantity rounded away from zero to a multiple of 10^`scale`. For example, the scale -3 keeps thousandths. Source:
 * resource.Quantity `RoundUp`.
 */
export function roundUpQuantity(quantity: Quantity, scale: number): Quantity {
  if (quantity.scale >= scale) return quantity;
  const size = quantity.unscaled < 0n ? -quantity.unscaled : quantity.unscaled;
  const rounded = rescaleUp(size, quantity.scale, scale);
  return { ...quantity, unscaled: quantity.unscaled < 0n ? -rounded : rounded, scale };
}

/** Returns the whole number as a quantity of scale 0. */
export function integerQuantity(value: bigint): Quantity {
  return { unscaled: value, scale: 0, isDecimal: false, format: 'DecimalExponent' };
}

const sign = (value: bigint): -1 | 0 | 1 => (value === 0n ? 0 : value < 0n ? -1 : 1);

/** Returns the sign of a quantity: −1, 0 or 1. Source: resource.Quantity `Sign`. */
export function quantitySign({ unscaled }: Quantity): -1 | 0 | 1 {
  return sign(unscaled);
}

const digitCount = (value: bigint): number => (value < 0n ? -value : value).toString().length;

/** Compares two quantities by value. Does not compute all digits if the orders of magnitude of the quantities differ. */
export function compareQuantities(a: Quantity, b: Quantity): -1 | 0 | 1 {
  const [signA, signB] = [sign(a.unscaled), sign(b.unscaled)];
  if (signA !== signB || signA === 0) return signA === signB ? 0 : signA < signB ? -1 : 1;
  if (a.scale === b.scale) return sign(a.unscaled - b.unscaled);
  const magnitude = digitCount(a.unscaled) + a.scale - (digitCount(b.unscaled) + b.scale);
  if (magnitude !== 0) return (Math.sign(magnitude) * signA) as -1 | 1;
  const scale = Math.min(a.scale, b.scale);
  return sign(a.unscaled * powerOfTen(a.scale - scale) - b.unscaled * powerOfTen(b.scale - scale));
}

/** Returns the int64 value. Returns undefined if the quantity is fractional, too large, or stored as a decimal. */
export function quantityInt64({ unscaled, scale, isDecimal }: Quantity): bigint | undefined {
  if (isDecimal || scale < 0) return undefined;
  if (unscaled === 0n) return 0n;
  if (scale > SAFE_DIGITS) return undefined;
  const value = unscaled * powerOfTen(scale);
  return fits(value) ? value : undefined;
}

/** Returns the quantity as a float64. The operations have the same order as in Go, so that both round in the same way. */
export function quantityFloat64({ unscaled, scale }: Quantity): number {
  return scale === 0 ? Number(unscaled) : Number(unscaled) * goPow10(scale);
}

/** Returns the result of Go's math.Pow10, which multiplies two table entries. */
function goPow10(exponent: number): number {
  if (exponent < -323) return 0;
  if (exponent > 308) return Infinity;
  const high = Math.trunc(Math.abs(exponent) / 32) * 32;
  const low = Math.abs(exponent) % 32;
  return exponent >= 0 ? Number(`1e${high}`) * Number(`1e${low}`) : Number(`1e-${high}`) / Number(`1e${low}`);
}

/** Returns the sum `a + b` in the format of `a`. If `a` is zero, the result has the format of `b`. */
export function addQuantities(a: Quantity, b: Quantity): Quantity {
  return combine(a, b, b.unscaled);
}

/** Returns `a - b` in the format of `a`. Source: k8s.io/apimachinery/pkg/api/resource/quantity.go `Sub` (1.37). */
export function subtractQuantities(a: Quantity, b: Quantity): Quantity {
  // Int64 values wrap around where the sum fits.
  const wrapped = combine(a, b, BigInt.asIntN(64, -b.unscaled));
  return wrapped.isDecimal ? combine(a, b, -b.unscaled) : wrapped;
}

function combine(a: Quantity, b: Quantity, added: bigint): Quantity {
  const format = a.unscaled === 0n ? b.format : a.format;
  const isDecimal = a.isDecimal || b.isDecimal;
  if (!isDecimal) {
    if (added === 0n) return { ...a, format };
    if (a.unscaled === 0n) return { unscaled: added, scale: b.scale, isDecimal, format };
  }
  const scale = Math.min(a.scale, b.scale);
  const left = a.unscaled * powerOfTen(a.scale - scale);
  const right = added * powerOfTen(b.scale - scale);
  const sum = left + right;
  return { unscaled: sum, scale, isDecimal: isDecimal || !fits(left) || !fits(right) || !fits(sum), format };
}

/** Returns the canonical text of a quantity: without a fraction, and with the largest suffix that preserves the value. */
export function formatQuantity(quantity: Quantity): string {
  const { unscaled, scale, format } = quantity;
  if (unscaled === 0n) return '0';
  if (format === 'BinarySI') {
    const binary = formatBinary(unscaled, scale);
    if (binary !== undefined) return binary;
  }
  const { number, exponent } = inThousands(unscaled, scale);
  if (format === 'DecimalExponent') return exponent === 0 ? `${number}` : `${number}e${exponent}`;
  const suffix = Object.entries(DECIMAL_SUFFIXES).find(([, power]) => power === exponent)?.[0] ?? '';
  return `${number}${suffix}`;
}

/**
 * Returns the text of a quantity with a binary suffix. Returns undefined for values between -1024 and 1024 and for fractions, which are
 * shown as decimals.
 */
function formatBinary(unscaled: bigint, scale: number): string | undefined {
  const one = powerOfTen(Math.max(0, -scale));
  if (unscaled % one !== 0n) return undefined;
  let value = scale < 0 ? unscaled / one : unscaled * powerOfTen(scale);
  if (value > -1024n && value < 1024n) return undefined;
  let steps = 0;
  while (value % 1024n === 0n && steps < 6) {
    value /= 1024n;
    steps++;
  }
  return `${value}${['', 'Ki', 'Mi', 'Gi', 'Ti', 'Pi', 'Ei'][steps] ?? ''}`;
}

/** Returns the value as a number and an exponent of 10 that is a multiple of 3. */
function inThousands(unscaled: bigint, scale: number): { readonly number: bigint; readonly exponent: number } {
  let number = unscaled;
  let exponent = scale;
  while (number % 10n === 0n) {
    number /= 10n;
    exponent++;
  }
  while (exponent % 3 !== 0) {
    number *= 10n;
    exponent--;
  }
  return { number, exponent };
}
