import { BINARY_STEPS, decimalSuffix, MIN_INT64, powerOfTen } from './quantity.ts';
import type { Quantity } from './quantity.ts';

/**
 * Returns the canonical text of a quantity: without a fraction, and with the largest suffix that preserves the value. By the exact rules, a
 * missing suffix is left out with its power of ten. Source: k8s.io/apimachinery/pkg/api/resource/quantity.go `CanonicalizeBytes` (1.37,
 * 1.38.0-beta.0).
 */
export function formatQuantity(quantity: Quantity): string {
  if (quantity.unscaled === 0n) return '0';
  return quantity.rules === 'bounded' ? formatBounded(quantity) : formatExact(quantity);
}

function formatExact({ unscaled, scale, format }: Quantity): string {
  const binary = format === 'BinarySI' ? formatBinary(unscaled, scale) : undefined;
  if (binary !== undefined) return binary;
  const { number, exponent } = inThousands(unscaled, scale);
  if (format === 'DecimalExponent') return withExponent(number, exponent);
  return `${number}${decimalSuffix(exponent) ?? ''}`;
}

/** Returns the text of a quantity by the bounded rules. A power of ten or of 1024 without a suffix is written as an exponent of ten. */
function formatBounded(quantity: Quantity): string {
  const { unscaled, scale, format } = quantity;
  const isHuge = format === 'BinarySI' && exceedsBinary(quantity);
  if (format === 'BinarySI' && !isHuge) {
    // Go does not format the smallest int64 as a binary number, because an int64 cannot hold its absolute value.
    const binary = unscaled === MIN_INT64 && scale === 0 && !quantity.isDecimal ? `${unscaled}` : formatBinary(unscaled, scale);
    if (binary !== undefined) return binary;
  }
  const { number, exponent } = withinInt32(inThousands(unscaled, scale));
  const suffix = format === 'DecimalExponent' || isHuge ? undefined : decimalSuffix(exponent);
  return suffix === undefined ? withExponent(number, exponent) : `${number}${suffix}`;
}

const withExponent = (number: bigint, exponent: number): string => (exponent === 0 ? `${number}` : `${number}e${exponent}`);

/** 1024^7, the least power of 1024 that has no suffix. */
const BEYOND_BINARY = 2n ** 70n;

/** Returns true if a quantity is a multiple of 1024^7. */
function exceedsBinary({ unscaled, scale }: Quantity): boolean {
  if (scale >= 70) return true;
  const one = powerOfTen(Math.abs(scale));
  return scale < 0 ? unscaled % (one * BEYOND_BINARY) === 0n : (unscaled * one) % BEYOND_BINARY === 0n;
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
  return `${value}${BINARY_STEPS[steps] ?? ''}`;
}

interface Thousands {
  readonly number: bigint;
  readonly exponent: number;
}

/** Returns the value as a number and an exponent of 10 that is a multiple of 3. */
function inThousands(unscaled: bigint, scale: number): Thousands {
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

/** Greatest multiple of 3 that an int32 can hold. */
const MAX_EXPONENT = 2 ** 31 - 2;

/** Returns the same value with an exponent that an int32 can hold. */
function withinInt32({ number, exponent }: Thousands): Thousands {
  return exponent <= MAX_EXPONENT ? { number, exponent } : { number: number * powerOfTen(exponent - MAX_EXPONENT), exponent: MAX_EXPONENT };
}
