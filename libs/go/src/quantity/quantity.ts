/**
 * Resource quantity such as `500m` or `1.5Gi`, with the value `unscaled · 10^scale`. Go stores small quantities as int64 and other
 * quantities as decimals. `isDecimal` keeps this difference, because `isInteger` returns false for decimals. Source:
 * k8s.io/apimachinery/pkg/api/resource (1.37, 1.38).
 */
export interface Quantity {
  readonly unscaled: bigint;
  readonly scale: number;
  readonly isDecimal: boolean;
  readonly format: QuantityFormat;
  /** Rules by which the quantity was parsed. Sums and texts of the quantity follow the same rules. */
  readonly rules: QuantityRules;
}

/** Notation of a quantity: SI suffixes (`k`), binary suffixes (`Ki`) or an exponent (`e3`). */
export type QuantityFormat = 'DecimalSI' | 'BinarySI' | 'DecimalExponent';

/**
 * Rules of parsing, summing and writing quantities. The rules up to Kubernetes 1.37 are `exact`: decimals keep all digits down to 10^-9. The
 * rules since 1.38 are `bounded`. By them, decimals keep at most 29 digits, or 70 with a binary suffix. The scales of two summands differ by
 * at most 29. Source: k8s.io/apimachinery/pkg/api/resource (1.37, 1.38.0-beta.0).
 */
export type QuantityRules = 'exact' | 'bounded';

/** Scale of the smallest unit of a quantity: 10^-9. */
export const NANO = -9;
/** Least value of an int64. */
export const MIN_INT64: bigint = -(2n ** 63n);
/** Greatest value of an int64. */
export const MAX_INT64: bigint = 2n ** 63n - 1n;
/** Maximum number of decimal digits for which every number fits an int64. */
export const SAFE_DIGITS = 18;

/** Returns true if an int64 can hold `value`. */
export const fitsInt64 = (value: bigint): boolean => value >= MIN_INT64 && value <= MAX_INT64;

/** Returns 10 to the power of `exponent`, which must not be negative. */
export const powerOfTen = (exponent: number): bigint => 10n ** BigInt(exponent);

const sign = (value: bigint): -1 | 0 | 1 => (value === 0n ? 0 : value < 0n ? -1 : 1);

/** Returns the number of decimal digits of a whole number, without its sign. */
export const digitCount = (value: bigint): number => (value < 0n ? -value : value).toString().length;

/**
 * Converts a non-negative number from the scale `from` to the scale `to`, rounded away from zero. Throws a RangeError if the result is too
 * large for a bigint.
 */
export function rescaleUp(unscaled: bigint, from: number, to: number): bigint {
  if (from >= to) return unscaled * powerOfTen(from - to);
  // A number far below the scale needs no division. Its divisor could be enormous, as for 1e-2147483647.
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

/** Returns the whole number as a quantity of scale 0 that follows the given rules. */
export function integerQuantity(value: bigint, rules: QuantityRules): Quantity {
  return { unscaled: value, scale: 0, isDecimal: false, format: 'DecimalExponent', rules };
}

/** Returns the sign of a quantity: −1, 0 or 1. Source: resource.Quantity `Sign`. */
export function quantitySign({ unscaled }: Quantity): -1 | 0 | 1 {
  return sign(unscaled);
}

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
  return fitsInt64(value) ? value : undefined;
}

/**
 * Returns the quantity as a float64. The operations have the same order as in Go, so that both round in the same way. Zero with a huge
 * exponent is NaN by the exact rules.
 */
export function quantityFloat64({ unscaled, scale, rules }: Quantity): number {
  if (unscaled === 0n && rules === 'bounded') return 0;
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
