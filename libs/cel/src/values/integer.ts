import { intValue } from '#go';
import { DIVISION_BY_ZERO, INTEGER_OVERFLOW, MODULUS_BY_ZERO, Uint, UNSIGNED_INTEGER_OVERFLOW } from './value.ts';
import type { CelError } from './value.ts';

/** Value of type int64. It is a number if it is a safe integer, else a bigint. */
export type Int = number | bigint;

/** Bounds of int64 and uint64. */
export const MIN_INT = -(2n ** 63n);
export const MAX_INT = 2n ** 63n - 1n;
export const MAX_UINT = 2n ** 64n - 1n;

function checkedInt(value: bigint): Int | CelError {
  return value < MIN_INT || value > MAX_INT ? INTEGER_OVERFLOW : intValue(value);
}

function checkedUint(value: bigint): Uint | CelError {
  return value < 0n || value > MAX_UINT ? UNSIGNED_INTEGER_OVERFLOW : new Uint(value);
}

/**
 * Returns int64 `a + b`; integer overflow is an error. Safe integers take a fast path without bigint. Source: cel-go
 * common/types/overflow.go (v0.29.2).
 */
export function addInts(a: Int, b: Int): Int | CelError {
  if (typeof a === 'number' && typeof b === 'number') {
    const sum = a + b;
    if (Number.isSafeInteger(sum)) return sum;
  }
  return checkedInt(BigInt(a) + BigInt(b));
}

/** Returns int64 `a - b`; integer overflow is an error. */
export function subtractInts(a: Int, b: Int): Int | CelError {
  if (typeof a === 'number' && typeof b === 'number') {
    const difference = a - b;
    if (Number.isSafeInteger(difference)) return difference;
  }
  return checkedInt(BigInt(a) - BigInt(b));
}

/** Returns int64 `a * b`; integer overflow is an error. */
export function multiplyInts(a: Int, b: Int): Int | CelError {
  if (typeof a === 'number' && typeof b === 'number') {
    const product = a * b;
    if (Number.isSafeInteger(product)) return product + 0;
  }
  return checkedInt(BigInt(a) * BigInt(b));
}

/** Returns int64 `a / b`, truncated towards zero. Division by zero and integer overflow are errors. */
export function divideInts(a: Int, b: Int): Int | CelError {
  if (b === 0) return DIVISION_BY_ZERO;
  if (typeof a === 'number' && typeof b === 'number') return Math.trunc(a / b) + 0;
  return checkedInt(BigInt(a) / BigInt(b));
}

/** Returns int64 `a % b`, with the sign of the dividend. A modulus by zero and integer overflow are errors. */
export function moduloInts(a: Int, b: Int): Int | CelError {
  if (b === 0) return MODULUS_BY_ZERO;
  if (typeof a === 'number' && typeof b === 'number') return (a % b) + 0;
  if (BigInt(a) === MIN_INT && b === -1) return INTEGER_OVERFLOW;
  return intValue(BigInt(a) % BigInt(b));
}

/** Returns int64 `-a`; integer overflow is an error. */
export function negateInt(a: Int): Int | CelError {
  return typeof a === 'number' ? 0 - a : checkedInt(-a);
}

/** Returns uint64 `a + b`; overflow is an error. */
export function addUints(a: Uint, b: Uint): Uint | CelError {
  return checkedUint(a.value + b.value);
}

/** Returns uint64 `a - b`. A result below 0 is an unsigned integer overflow. */
export function subtractUints(a: Uint, b: Uint): Uint | CelError {
  return checkedUint(a.value - b.value);
}

/** Returns uint64 `a * b`; unsigned integer overflow is an error. */
export function multiplyUints(a: Uint, b: Uint): Uint | CelError {
  return checkedUint(a.value * b.value);
}

/** Returns uint64 `a / b`, truncated; division by zero is an error. */
export function divideUints(a: Uint, b: Uint): Uint | CelError {
  return b.value === 0n ? DIVISION_BY_ZERO : new Uint(a.value / b.value);
}

/** Returns uint64 `a % b`; modulus by zero is an error. */
export function moduloUints(a: Uint, b: Uint): Uint | CelError {
  return b.value === 0n ? MODULUS_BY_ZERO : new Uint(a.value % b.value);
}
