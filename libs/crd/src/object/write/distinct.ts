import { scalarList } from '#go';
import type { JsonValue } from '#go';
import { areDistinctHashed, mixedAgain, MULTIPLIER, SEED, seededHash } from './distinct-hashes.ts';
import { areDistinctInRange, lieNear } from './distinct-integers.ts';

/** Lists up to this length are compared element by element. */
const SHORT = 12;

/**
 * Returns true if no value occurs twice among strings, or among integers; several times faster than a `Map`. False says nothing: there are
 * duplicates, or values of other kinds, and the caller has to look closer.
 */
export function areDistinct(values: readonly unknown[]): boolean {
  if (values.length <= SHORT) return areDistinctPairwise(values);
  const known = scalarList(values as readonly JsonValue[]);
  if (known?.kind === 'ints' && lieNear(known, values.length)) return areDistinctInRange(values as readonly number[], known);
  const hashes = typeof values[0] === 'string' ? hashesOfStrings(values) : hashesOfIntegers(values);
  return hashes !== undefined && areDistinctHashed(hashes, (a, b) => values[a] === values[b]);
}

function areDistinctPairwise(values: readonly unknown[]): boolean {
  const type = typeof values[0];
  for (let i = 0; i < values.length; i++) {
    const value = values[i];
    if (typeof value !== type || !(type === 'string' || Number.isInteger(value))) return false;
    for (let j = 0; j < i; j++) if (values[j] === value) return false;
  }
  return true;
}

function hashesOfIntegers(values: readonly unknown[]): Int32Array | undefined {
  const hashes = new Int32Array(values.length);
  for (let i = 0; i < values.length; i++) {
    const value = values[i];
    if (typeof value !== 'number' || !Number.isInteger(value)) return undefined;
    // The upper half of large integers must not be lost.
    hashes[i] = seededHash((value | 0) ^ Math.imul(Math.floor(value / 2 ** 32), SEED | 1));
  }
  return hashes;
}

function hashesOfStrings(values: readonly unknown[]): Int32Array | undefined {
  const hashes = new Int32Array(values.length);
  for (let i = 0; i < values.length; i++) {
    const value = values[i];
    if (typeof value !== 'string') return undefined;
    let hash = SEED ^ value.length;
    for (let at = 0; at < value.length; at++) hash = Math.imul(hash ^ value.charCodeAt(at), MULTIPLIER);
    hashes[i] = mixedAgain(hash);
  }
  return hashes;
}
