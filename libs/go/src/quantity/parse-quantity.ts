import { significantDigits } from '../text/number-text.ts';
import { compareQuantities, fitsInt64, MAX_INT64, NANO, powerOfTen, readSuffix, rescaleUp, SAFE_DIGITS } from './quantity.ts';
import type { Quantity, QuantityRules, Suffix } from './quantity.ts';

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

const MIN_INT32 = -(2 ** 31);
const MAX_INT32 = 2 ** 31 - 1;

/**
 * Maximum number of significant digits of a decimal, and of one with a binary suffix, by the bounded rules. Source: quantity.go
 * `maxSignificantDigits`, `maxBinarySISignificantDigits` (1.38.0-beta.0).
 */
const MAX_DIGITS = 29;
const MAX_BINARY_DIGITS = 70;

/**
 * Pattern of a quantity, in which each digit can match only one part of the pattern. If a digit could match two parts, the time for invalid
 * texts would grow with the cube of their length.
 */
const QUANTITY = /^([+-]?)(\d*)(?:\.(\d*))?((?:[eEinumkKMGTP]+[-+]?\d*|[-+]\d*)?)$/;

/** Parts of the text of a quantity. `whole` has no leading zeros, and is `0` if nothing is left of it. */
interface Parts {
  readonly whole: string;
  readonly fraction: string;
  readonly suffix: Suffix;
  readonly negative: boolean;
}

/** Parses a resource quantity in Kubernetes syntax. Source: quantity.go `ParseQuantity` (1.37, 1.38.0-beta.0). */
export function parseQuantity(text: string, rules: QuantityRules): QuantityResult {
  if (text === '') return { ok: false, error: WRONG_FORMAT };
  const match = QUANTITY.exec(text);
  if (match === null) return { ok: false, error: WRONG_FORMAT };
  const [, sign, written = '', fraction = '', suffixText = ''] = match;
  const suffix = readSuffix(suffixText);
  if (suffix === undefined) return { ok: false, error: WRONG_SUFFIX };
  const parts = { whole: significantDigits(written) || '0', fraction, suffix, negative: sign === '-' };
  const small = rules === 'bounded' ? readBoundedInt64(parts) : readInt64(parts);
  if (small !== undefined) {
    const isKept = countsAsCanonical(parts, small);
    return { ok: true, quantity: small, kept: isKept ? text : undefined };
  }
  if (written === '' && fraction === '') return { ok: false, error: WRONG_NUMBER };
  if (rules === 'exact') return { ok: true, quantity: readDecimal(parts), kept: undefined };
  if (suffix.exponent === MIN_INT32) return { ok: false, error: WRONG_SUFFIX };
  return { ok: true, quantity: readBoundedDecimal(parts), kept: undefined };
}

/**
 * Returns true if Go prints the original text of a quantity unchanged. Go does this if its check finds no larger suffix that divides the
 * digits. By the bounded rules, a decimal number of more than 18 digits is always written anew.
 */
function countsAsCanonical({ whole, fraction, suffix: { exponent, format } }: Parts, { scale, rules }: Quantity): boolean {
  const digits = whole + fraction;
  if (format === 'BinarySI') return exponent % 10 === 0 && (BigInt(digits) & 7n) !== 0n;
  if (rules === 'bounded' && digits.length > SAFE_DIGITS) return false;
  return scale % 3 === 0 && !digits.endsWith('000') && !digits.startsWith('0');
}

/**
 * Returns the quantity in int64 form. Returns undefined if this form cannot hold it. Such a quantity has too many digits, is finer than
 * 10^-9, or has a fraction with a binary suffix.
 */
function readInt64(parts: Parts): Quantity | undefined {
  const { whole, fraction, suffix } = parts;
  if (suffix.format === 'BinarySI') return readBinaryInt64(parts, 'exact');
  const scale = suffix.exponent - fraction.length;
  if (whole.length + fraction.length > SAFE_DIGITS || scale < NANO) return undefined;
  return int64Of(parts, 1n, scale, 'exact');
}

/**
 * Returns the quantity in int64 form by the bounded rules: numbers of 19 digits may fit, and the scale wraps around like an int32.
 * Undefined if the quantity does not fit.
 */
function readBoundedInt64(parts: Parts): Quantity | undefined {
  const { whole, fraction, suffix } = parts;
  if (suffix.format === 'BinarySI') return readBinaryInt64(parts, 'bounded');
  if (whole.length + fraction.length > SAFE_DIGITS + 1) return undefined;
  const scale = (suffix.exponent - fraction.length) | 0;
  return scale < NANO ? undefined : int64Of(parts, 1n, scale, 'bounded');
}

function readBinaryInt64(parts: Parts, rules: QuantityRules): Quantity | undefined {
  const { whole, fraction, suffix } = parts;
  const room = 15 - whole.length - Math.trunc((suffix.exponent * 3) / 10) - 1;
  return fraction !== '' || room < 0 ? undefined : int64Of(parts, 1n << BigInt(suffix.exponent), 0, rules);
}

function int64Of(
  { whole, fraction, suffix, negative }: Parts,
  multiplier: bigint,
  scale: number,
  rules: QuantityRules,
): Quantity | undefined {
  const size = BigInt(whole + fraction) * multiplier;
  const unscaled = negative ? -size : size;
  // If there is a binary suffix, Go multiplies before it negates. So the positive number must fit into an int64, which excludes the
  // smallest int64.
  return fitsInt64(multiplier === 1n ? unscaled : size) ? { unscaled, scale, isDecimal: false, format: suffix.format, rules } : undefined;
}

/**
 * Returns the quantity in decimal form, rounded up to a multiple of 10^-9. With a binary suffix, the result is at most the largest int64.
 */
function readDecimal({ whole, fraction, suffix: { exponent, format }, negative }: Parts): Quantity {
  let unscaled = BigInt(whole + fraction);
  let scale = -fraction.length;
  if (format === 'BinarySI') unscaled <<= BigInt(exponent);
  else scale += exponent;
  if (unscaled !== 0n) {
    unscaled = rescaleUp(unscaled, scale, NANO);
    scale = NANO;
  }
  return withSign(capped({ unscaled, scale, isDecimal: true, format, rules: 'exact' }), negative);
}

/**
 * Returns the quantity in decimal form by the bounded rules. It keeps its first digits. It is rounded up to a multiple of 10^-9 only if it
 * is finer.
 */
function readBoundedDecimal({ whole, fraction, suffix: { exponent, format }, negative }: Parts): Quantity {
  const isBinary = format === 'BinarySI';
  const digits = significantDigits(whole + fraction) || '0';
  const kept = digits.slice(0, isBinary ? MAX_BINARY_DIGITS : MAX_DIGITS);
  const dropped = digits.slice(kept.length);
  const size = BigInt(kept) + (/[^0]/.test(dropped) ? 1n : 0n);
  const written = dropped.length - fraction.length;
  const number = { unscaled: isBinary ? size << BigInt(exponent) : size, scale: isBinary ? written : scaleOf(written, exponent) };
  return withSign(capped({ ...atLeastNano(number), isDecimal: true, format, rules: 'bounded' }), negative);
}

/** Returns the sum of two scales, or the nearest value that an int32 can hold. */
const scaleOf = (written: number, exponent: number): number => Math.min(MAX_INT32, Math.max(MIN_INT32, written + exponent));

function atLeastNano({ unscaled, scale }: Pick<Quantity, 'unscaled' | 'scale'>): Pick<Quantity, 'unscaled' | 'scale'> {
  if (scale >= NANO || (unscaled === 0n && scale !== MIN_INT32)) return { unscaled, scale };
  return { unscaled: rescaleUp(unscaled, scale, NANO), scale: NANO };
}

/** Returns the quantity of an absolute value. With a binary suffix, it is at most the largest int64, and a fraction is shown as a decimal. */
function capped(quantity: Quantity): Quantity {
  if (quantity.format !== 'BinarySI') return quantity;
  if (compareQuantities(quantity, { ...quantity, unscaled: MAX_INT64, scale: 0 }) > 0)
    return { ...quantity, unscaled: MAX_INT64, scale: 0 };
  const isFraction = quantity.unscaled > 0n && quantity.scale < 0 && quantity.unscaled < powerOfTen(-quantity.scale);
  return isFraction ? { ...quantity, format: 'DecimalSI' } : quantity;
}

function withSign(quantity: Quantity, negative: boolean): Quantity {
  return negative ? { ...quantity, unscaled: -quantity.unscaled } : quantity;
}
