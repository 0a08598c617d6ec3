import type { NumericBound } from './bounds.ts';
import { toInt64 } from './go-integers.ts';

/** `maximum` with `exclusiveMaximum`. */
export function maximum(limit: number, exclusive: boolean): NumericBound {
  return {
    limit,
    integerLimit: toInt64(limit),
    role: 'Maximum boundary',
    violates: exclusive ? (value, max) => value >= max : (value, max) => value > max,
    words: exclusive ? 'less than' : 'less than or equal to',
  };
}
