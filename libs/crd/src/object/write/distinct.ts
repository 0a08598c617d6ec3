import { scalarList } from '#go';
import type { JsonValue } from '#go';
import { DistinctTable, mixedAgain, MULTIPLIER, SEED, seededHash } from './distinct-hashes.ts';
import { areDistinctInRange, fitBitTable } from './distinct-integers.ts';

/** Maximum length of a list whose elements are all compared with each other. Longer lists use a table. */
const SHORT = 12;

/**
 * Returns true if the values are all strings or all integers, and no two of them are equal. This function is several times faster than a
 * test with a `Map`. If the result is false, the caller must compare the values exactly, because they may still be distinct.
 */
export function areDistinct(values: readonly unknown[]): boolean {
  if (values.length <= SHORT) return areDistinctPairwise(values);
  const known = scalarList(values as readonly JsonValue[]);
  if (known?.kind === 'ints' && fitBitTable(known, values.length)) return areDistinctInRange(values as readonly number[], known);
  const table = new DistinctTable(values.length, (a, b) => values[a] === values[b]);
  return typeof values[0] === 'string' ? areDistinctStrings(values, table) : areDistinctIntegers(values, table);
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

function areDistinctIntegers(values: readonly unknown[], table: DistinctTable): boolean {
  for (let i = 0; i < values.length; i++) {
    const value = values[i];
    if (typeof value !== 'number' || !Number.isInteger(value)) return false;
    // The hash must include the upper half of large integers.
    if (!table.add(i, seededHash((value | 0) ^ Math.imul(Math.floor(value / 2 ** 32), SEED | 1)))) return false;
  }
  return true;
}

function areDistinctStrings(values: readonly unknown[], table: DistinctTable): boolean {
  for (let i = 0; i < values.length; i++) {
    const value = values[i];
    if (typeof value !== 'string') return false;
    let hash = SEED ^ value.length;
    for (let at = 0; at < value.length; at++) hash = Math.imul(hash ^ value.charCodeAt(at), MULTIPLIER);
    if (!table.add(i, mixedAgain(hash))) return false;
  }
  return true;
}
