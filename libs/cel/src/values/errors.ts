import { CelError } from './value.ts';
import type { CelValue } from './value.ts';

/** Error of a call for which no overload accepts the arguments. Source of all texts here: cel-go common/types/err.go (v0.29.2). */
export const NO_SUCH_OVERLOAD = new CelError('no such overload', 'noSuchOverload');
export const INTEGER_OVERFLOW = new CelError('integer overflow');
export const UNSIGNED_INTEGER_OVERFLOW = new CelError('unsigned integer overflow');
export const TIMESTAMP_OVERFLOW = new CelError('timestamp overflow');
export const DIVISION_BY_ZERO = new CelError('division by zero');
export const MODULUS_BY_ZERO = new CelError('modulus by zero');
export const NAN_NOT_ORDERED = new CelError('NaN values cannot be ordered');

/** Returns `value` itself if it is an error, and the error `no such overload` if it is not. */
export function noSuchOverload(value: CelValue): CelError {
  return value instanceof CelError ? value : NO_SUCH_OVERLOAD;
}

/**
 * Exception for operations on which upstream's code panics. It ends the evaluation with `internal error: …`. Panics are reproduced because
 * the cost and the message of such an expression are part of the server's verdict.
 */
export class EvaluationPanic extends Error {}
