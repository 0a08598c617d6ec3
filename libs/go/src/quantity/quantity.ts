import { machineInteger } from '../text/number-text.ts';

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
  // If all digits are below the scale, the result is 1, or 0 for zero. A division could need an enormous divisor, as for 1e-2147483647.
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

/**
 * Maximum difference between the scales of two summands, by the bounded rules. A summand that is finer is rounded first. Source:
 * k8s.io/apimachinery/pkg/api/resource/amount.go `maxScaleGap` (1.38.0-beta.0).
 */
const MAX_SCALE_GAP = 29;

/** Returns the sum `a + b` in the format of `a`. If `a` is zero, the result has the format of `b`. */
export function addQuantities(a: Quantity, b: Quantity): Quantity {
  return a.rules === 'bounded' ? (sumOfInts(a, b) ?? sumOfDecimals(a, b)) : combine(a, b, b.unscaled);
}

/** Returns `a - b` in the format of `a`. Source: k8s.io/apimachinery/pkg/api/resource/quantity.go `Sub` (1.37, 1.38.0-beta.0). */
export function subtractQuantities(a: Quantity, b: Quantity): Quantity {
  if (a.rules === 'bounded') {
    const negated = { ...b, unscaled: -b.unscaled };
    // An int64 cannot hold the negation of the smallest int64, so Go continues with decimals.
    const sum = !b.isDecimal && b.unscaled === MIN_INT64 ? undefined : sumOfInts(a, negated);
    return sum ?? sumOfDecimals(a, negated);
  }
  // The older rules let the negation of an int64 wrap around if the sum fits into an int64.
  const wrapped = combine(a, b, BigInt.asIntN(64, -b.unscaled));
  return wrapped.isDecimal ? combine(a, b, -b.unscaled) : wrapped;
}

function combine(a: Quantity, b: Quantity, added: bigint): Quantity {
  const format = formatOf(a, b);
  const isDecimal = a.isDecimal || b.isDecimal;
  if (!isDecimal) {
    if (added === 0n) return { ...a, format };
    if (a.unscaled === 0n) return { ...b, unscaled: added, format };
  }
  const scale = Math.min(a.scale, b.scale);
  const left = a.unscaled * powerOfTen(a.scale - scale);
  const right = added * powerOfTen(b.scale - scale);
  const sum = left + right;
  return { ...a, unscaled: sum, scale, isDecimal: isDecimal || !fitsInt64(left) || !fitsInt64(right) || !fitsInt64(sum), format };
}

const formatOf = (a: Quantity, b: Quantity): Quantity['format'] => (a.unscaled === 0n ? b.format : a.format);

/** Returns the sum of two int64 quantities. Returns undefined if a quantity is a decimal, or if an int64 overflows. */
function sumOfInts(a: Quantity, b: Quantity): Quantity | undefined {
  if (a.isDecimal || b.isDecimal) return undefined;
  const format = formatOf(a, b);
  if (b.unscaled === 0n) return { ...a, format };
  if (a.unscaled === 0n) return { ...b, format };
  if (Math.abs(a.scale - b.scale) > SAFE_DIGITS) return undefined;
  const sum = combine(a, b, b.unscaled);
  return sum.isDecimal ? undefined : sum;
}

/**
 * Returns the sum of two quantities as a decimal. If one is zero, the sum has the scale of the other. Source:
 * k8s.io/apimachinery/pkg/api/resource/amount.go `addDecBoundedScale`, `subDecBoundedScale` (1.38.0-beta.0).
 */
function sumOfDecimals(a: Quantity, b: Quantity): Quantity {
  const format = formatOf(a, b);
  if (b.unscaled === 0n) return { ...a, isDecimal: true, format };
  if (a.unscaled === 0n) return { ...b, isDecimal: true, format };
  const left = roundUpQuantity(a, b.scale - MAX_SCALE_GAP);
  const right = roundUpQuantity(b, a.scale - MAX_SCALE_GAP);
  const scale = Math.min(left.scale, right.scale);
  const unscaled = left.unscaled * powerOfTen(left.scale - scale) + right.unscaled * powerOfTen(right.scale - scale);
  return { ...a, unscaled, scale, isDecimal: true, format };
}

const DECIMAL_SUFFIXES: Readonly<Record<string, number>> = { n: -9, u: -6, m: -3, '': 0, k: 3, M: 6, G: 9, T: 12, P: 15, E: 18 };
const BINARY_SUFFIXES: Readonly<Record<string, number>> = { Ki: 10, Mi: 20, Gi: 30, Ti: 40, Pi: 50, Ei: 60 };

/** Suffix of a number of factors of 1024, by this number. */
export const BINARY_STEPS: readonly string[] = ['', ...Object.keys(BINARY_SUFFIXES)];

/** Suffix of a quantity: its notation, and the exponent of 10, or of 2 for `BinarySI`, as an int32. */
export interface Suffix {
  readonly exponent: number;
  readonly format: QuantityFormat;
}

/** Returns the meaning of a suffix, or undefined if there is no such suffix. An exponent wraps around like an int32. */
export function readSuffix(text: string): Suffix | undefined {
  if (Object.hasOwn(DECIMAL_SUFFIXES, text)) return { exponent: DECIMAL_SUFFIXES[text] as number, format: 'DecimalSI' };
  if (Object.hasOwn(BINARY_SUFFIXES, text)) return { exponent: BINARY_SUFFIXES[text] as number, format: 'BinarySI' };
  const match = /^[eE]([+-]?\d+)$/.exec(text);
  if (match === null) return undefined;
  const exponent = machineInteger(match[1] as string);
  return exponent !== undefined && fitsInt64(exponent)
    ? { exponent: Number(BigInt.asIntN(32, exponent)), format: 'DecimalExponent' }
    : undefined;
}

/** Returns the SI suffix of a power of ten, or undefined if it has none. */
export function decimalSuffix(exponent: number): string | undefined {
  return Object.entries(DECIMAL_SUFFIXES).find(([, power]) => power === exponent)?.[0];
}
