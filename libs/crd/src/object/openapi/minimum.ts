import type { NumericBound } from './bounds.ts';
import { toInt64 } from './go-integers.ts';

/** `minimum` with `exclusiveMinimum`. */
export function minimum(limit: number, exclusive: boolean): NumericBound {
  return {
    limit,
    integerLimit: toInt64(limit),
    role: 'Minimum boundary',
    violates: exclusive ? (value, min) => value <= min : (value, min) => value < min,
    words: exclusive ? 'greater than' : 'greater than or equal to',
  };
}
