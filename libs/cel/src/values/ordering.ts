import { compareBytes } from '#go';
import { Duration, NAN_NOT_ORDERED, noSuchOverload, Timestamp, Uint } from './value.ts';
import type { CelValue, CelError } from './value.ts';
import { doubleOf, isInt } from './type-of.ts';

/** Order of two values `a` and `b`: -1 if `a < b`, 0 if they are equal, 1 if `a > b`. An error if the values cannot be ordered. */
export type Ordering = -1 | 0 | 1 | CelError;

function order<T extends number | bigint | boolean>(a: T, b: T): -1 | 0 | 1 {
  return a < b ? -1 : a > b ? 1 : 0;
}

const MIN_INT_DOUBLE = -9223372036854775808;
const MAX_INT_DOUBLE = 9223372036854775807;
const MAX_UINT_DOUBLE = 18446744073709551615;

/**
 * Compares a double with an int. A double beyond the int range is smaller or greater than every int. For all other doubles, the int is
 * converted to a double and compared. Source: cel-go common/types/compare.go (v0.29.2).
 */
function orderDoubleInt(a: number, b: number | bigint): -1 | 0 | 1 {
  if (a < MIN_INT_DOUBLE) return -1;
  return a > MAX_INT_DOUBLE ? 1 : order(a, Number(b));
}

function orderDoubleUint(a: number, b: Uint): -1 | 0 | 1 {
  if (a < 0) return -1;
  return a > MAX_UINT_DOUBLE ? 1 : order(a, Number(b.value));
}

/**
 * Compares two numbers, each an int, uint or double. Returns undefined if one value is no number. Callers must handle NaN before the call.
 */
export function orderNumbers(a: CelValue, b: CelValue): -1 | 0 | 1 | undefined {
  if (isInt(a)) {
    if (isInt(b)) return order(a, b);
    if (b instanceof Uint) return order(BigInt(a), b.value);
    const double = doubleOf(b);
    return double === undefined ? undefined : (-orderDoubleInt(double, a) as -1 | 0 | 1);
  }
  if (a instanceof Uint) {
    if (b instanceof Uint) return order(a.value, b.value);
    if (isInt(b)) return order(a.value, BigInt(b));
    const double = doubleOf(b);
    return double === undefined ? undefined : (-orderDoubleUint(double, a) as -1 | 0 | 1);
  }
  const double = doubleOf(a);
  if (double === undefined) return undefined;
  if (isInt(b)) return orderDoubleInt(double, b);
  if (b instanceof Uint) return orderDoubleUint(double, b);
  const other = doubleOf(b);
  return other === undefined ? undefined : order(double, other);
}

function orderBytes(a: Uint8Array, b: Uint8Array): -1 | 0 | 1 {
  const length = Math.min(a.length, b.length);
  for (let i = 0; i < length; i++) {
    if (a[i] !== b[i]) return (a[i] as number) < (b[i] as number) ? -1 : 1;
  }
  return order(a.length, b.length);
}

/** Compares two values of a type that has an order (trait `comparer`). Source: the `Compare` methods of cel-go common/types (v0.29.2). */
export function compareValues(a: CelValue, b: CelValue): Ordering {
  if (typeof a === 'number' && typeof b === 'number' && a === a && b === b) return a < b ? -1 : a > b ? 1 : 0;
  if (typeof a === 'string') return typeof b === 'string' ? (Math.sign(compareBytes(a, b)) as -1 | 0 | 1) : noSuchOverload(b);
  if (typeof a === 'boolean') return typeof b === 'boolean' ? order(a, b) : noSuchOverload(b);
  if (a instanceof Timestamp) {
    if (!(b instanceof Timestamp)) return noSuchOverload(b);
    return order(a.seconds, b.seconds) || order(a.nanos, b.nanos);
  }
  if (a instanceof Duration) return b instanceof Duration ? order(a.nanos, b.nanos) : noSuchOverload(b);
  if (a instanceof Uint8Array) return b instanceof Uint8Array ? orderBytes(a, b) : noSuchOverload(b);
  const left = doubleOf(a);
  if (left !== undefined && Number.isNaN(left)) return NAN_NOT_ORDERED;
  const right = doubleOf(b);
  if (right !== undefined && Number.isNaN(right)) return NAN_NOT_ORDERED;
  return orderNumbers(a, b) ?? noSuchOverload(b);
}
