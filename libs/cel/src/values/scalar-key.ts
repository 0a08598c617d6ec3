import { Float, latin1Text } from '#go';
import { Duration, Timestamp, Uint } from './value.ts';
import type { CelValue } from './value.ts';

/** Key that identifies a value in a JavaScript map or set. A value that is no scalar is its own key. */
export type ScalarKey = string | number | bigint | boolean | null | object;

/**
 * Returns the key under which a CEL value is stored in a JavaScript map or set. Two scalars have the same key if they have the same type
 * and value. A value that is no scalar is its own key.
 */
export function scalarKey(value: CelValue): ScalarKey {
  if (typeof value === 'string') return `"${value}`;
  if (typeof value !== 'object' || value === null) return value;
  if (value instanceof Float) return `d${value.value}`;
  if (value instanceof Uint) return `u${value.value}`;
  if (value instanceof Timestamp) return `t${value.seconds}.${value.nanos}.${value.offset}`;
  if (value instanceof Duration) return `n${value.nanos}`;
  if (value instanceof Uint8Array) return `b${latin1Text(value)}`;
  return value;
}
