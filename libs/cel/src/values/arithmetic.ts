import { Float, floatValue, concatBytes } from '#go';
import { addToMapList, addToSet, escapedKeys } from './equality.ts';
import type { EvaluationContext } from './evaluation-context.ts';
import { Duration, INTEGER_OVERFLOW, noSuchOverload, Timestamp, TIMESTAMP_OVERFLOW, Uint } from './value.ts';
import type { CelList, CelValue, CelError } from './value.ts';
import {
  addInts,
  addUints,
  divideInts,
  divideUints,
  MAX_INT,
  MIN_INT,
  moduloInts,
  moduloUints,
  multiplyInts,
  multiplyUints,
  negateInt,
  subtractInts,
  subtractUints,
} from './integer.ts';
import type { Int } from './integer.ts';
import { ConcatList, MergedList, MutableList } from './list.ts';
import { TypedList } from './typed-view.ts';
import { doubleOf, isInt, isList } from './type-of.ts';
import { RawList } from './wrap.ts';

/** Implementations of one operator for the three number types. */
interface NumberOperator {
  readonly ints: ((a: Int, b: Int) => CelValue) | undefined;
  readonly uints: ((a: Uint, b: Uint) => CelValue) | undefined;
  readonly doubles: ((a: number, b: number) => number) | undefined;
}

const SUM: NumberOperator = { ints: addInts, uints: addUints, doubles: (a, b) => a + b };
const DIFFERENCE: NumberOperator = { ints: subtractInts, uints: subtractUints, doubles: (a, b) => a - b };
const PRODUCT: NumberOperator = { ints: multiplyInts, uints: multiplyUints, doubles: (a, b) => a * b };
const QUOTIENT: NumberOperator = { ints: divideInts, uints: divideUints, doubles: (a, b) => a / b };
const REMAINDER: NumberOperator = { ints: moduloInts, uints: moduloUints, doubles: undefined };

/** Applies an operator to two numbers of the same type. */
function calculate(operator: NumberOperator, a: CelValue, b: CelValue): CelValue {
  if (isInt(a)) return isInt(b) && operator.ints ? operator.ints(a, b) : noSuchOverload(b);
  if (a instanceof Uint) return b instanceof Uint && operator.uints ? operator.uints(a, b) : noSuchOverload(b);
  const left = doubleOf(a);
  const right = doubleOf(b);
  if (left === undefined || right === undefined || operator.doubles === undefined) return noSuchOverload(left === undefined ? a : b);
  return floatValue(operator.doubles(left, right));
}

/**
 * Returns `a + b` for numbers, texts, bytes, lists, timestamps or durations. The type of `a` selects the operation. Source: the `Add`
 * methods of cel-go common/types (v0.29.2).
 */
export function add(context: EvaluationContext, a: CelValue, b: CelValue): CelValue {
  if (typeof a === 'string') return typeof b === 'string' ? a + b : noSuchOverload(b);
  if (typeof a === 'number' || typeof a === 'bigint' || a instanceof Float || a instanceof Uint) return calculate(SUM, a, b);
  if (a instanceof Timestamp) return b instanceof Duration ? shift(a, b.nanos) : noSuchOverload(b);
  if (a instanceof Duration) {
    if (b instanceof Timestamp) return shift(b, a.nanos);
    return b instanceof Duration ? durationWithin(a.nanos + b.nanos) : noSuchOverload(b);
  }
  if (a instanceof Uint8Array) return b instanceof Uint8Array ? concatBytes([a, b]) : noSuchOverload(b);
  return isList(a) ? addLists(context, a, b) : noSuchOverload(a);
}

function addLists(context: EvaluationContext, a: CelList, b: CelValue): CelValue {
  if (!isList(b)) return noSuchOverload(b);
  if (a instanceof MutableList) return a.append(b);
  if (a instanceof RawList && a.schema.listType === 'set') return addToSet(context, a, b);
  if (a instanceof RawList && a.schema.listType === 'map') return addToMapList(context, a, b, escapedKeys(a.schema.listMapKeys));
  if (a instanceof MergedList) return a.keys === undefined ? addToSet(context, a, b) : addToMapList(context, a, b, a.keys);
  if (a instanceof RawList || a instanceof TypedList) return new ConcatList(a, b, 'copied');
  if (a.size === 0) return b;
  return b.size === 0 ? a : new ConcatList(a, b, 'concatenated');
}

/** Returns `a - b` for two numbers of the same type, timestamps or durations, or an error on overflow. */
export function subtract(a: CelValue, b: CelValue): CelValue {
  if (a instanceof Timestamp) {
    if (b instanceof Timestamp) return between(a, b);
    if (!(b instanceof Duration)) return noSuchOverload(b);
    return b.nanos === MIN_INT ? INTEGER_OVERFLOW : shift(a, -b.nanos);
  }
  if (a instanceof Duration) return b instanceof Duration ? durationWithin(a.nanos - b.nanos) : noSuchOverload(b);
  return calculate(DIFFERENCE, a, b);
}

/** Returns `a * b` of two numbers of the same type, or an error on overflow. */
export function multiply(a: CelValue, b: CelValue): CelValue {
  return calculate(PRODUCT, a, b);
}

/** Returns `a / b` of two numbers of the same type. Integer results are truncated towards zero. Integer division by zero is an error. */
export function divide(a: CelValue, b: CelValue): CelValue {
  return calculate(QUOTIENT, a, b);
}

/** Returns `a % b` of two integers of the same type, with the sign of `a`. If `b` is 0, the result is an error. */
export function modulo(a: CelValue, b: CelValue): CelValue {
  return calculate(REMAINDER, a, b);
}

/** Returns `-a`. A duration can be negated only in an expression in which its static type is dyn. */
export function negate(a: CelValue): CelValue {
  if (isInt(a)) return negateInt(a);
  if (a instanceof Duration) return durationWithin(-a.nanos);
  const double = doubleOf(a);
  return double === undefined ? noSuchOverload(a) : floatValue(-double);
}

function durationWithin(nanos: bigint): CelValue {
  return nanos < MIN_INT || nanos > MAX_INT ? INTEGER_OVERFLOW : new Duration(nanos);
}

const NANOS_PER_SECOND = 1_000_000_000n;
const MIN_SECONDS = -62_135_596_800;
const MAX_SECONDS = 253_402_300_799;

/** Returns true if a timestamp in seconds since 1970 is within the years 1 to 9999. */
export function isTimestampRange(seconds: number): boolean {
  return seconds >= MIN_SECONDS && seconds <= MAX_SECONDS;
}

function shift(instant: Timestamp, nanos: bigint): Timestamp | CelError {
  const total = BigInt(instant.seconds) * NANOS_PER_SECOND + BigInt(instant.nanos) + nanos;
  let seconds = total / NANOS_PER_SECOND;
  let rest = total % NANOS_PER_SECOND;
  if (rest < 0n) {
    rest += NANOS_PER_SECOND;
    seconds -= 1n;
  }
  return isTimestampRange(Number(seconds)) ? new Timestamp(Number(seconds), Number(rest), instant.offset) : TIMESTAMP_OVERFLOW;
}

/**
 * Returns the duration from `b` to `a`. The difference in seconds is first converted to nanoseconds. This step may overflow even if the
 * whole difference fits an int64.
 */
function between(a: Timestamp, b: Timestamp): CelValue {
  const scaled = BigInt(a.seconds - b.seconds) * NANOS_PER_SECOND;
  if (scaled < MIN_INT || scaled > MAX_INT) return INTEGER_OVERFLOW;
  return durationWithin(scaled + BigInt(a.nanos - b.nanos));
}
