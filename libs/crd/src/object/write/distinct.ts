import { scalarList } from '#go';
import type { JsonValue } from '#go';
import { areDistinctInRange, lieNear } from './distinct-in-range.ts';
import { mixedAgain, MOST_PROBES, MULTIPLIER, SEED, seededHash } from './seeded-hash.ts';

/** Lists up to this length are compared element by element. */
const SHORT = 12;

/**
 * Whether no value occurs twice among strings, or among integers; found several times faster than by a `Map`. False says nothing: there are
 * duplicates, or values of other kinds, and someone has to look closer.
 */
export function areDistinct(values: readonly unknown[]): boolean {
  if (values.length <= SHORT) return areDistinctPairwise(values);
  const known = scalarList(values as readonly JsonValue[]);
  if (known?.kind === 'ints' && lieNear(known, values.length)) return areDistinctInRange(values as readonly number[], known);
  const table = new Int32Array(2 ** (33 - Math.clz32(values.length)));
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

/** Tables hold an index plus one; what falls on a slot that is taken goes to the next. */
function areDistinctIntegers(values: readonly unknown[], table: Int32Array): boolean {
  const shift = Math.clz32(table.length) + 1;
  const mask = table.length - 1;
  let probes = MOST_PROBES * values.length;
  for (let i = 0; i < values.length; i++) {
    const value = values[i];
    if (typeof value !== 'number' || !Number.isInteger(value)) return false;
    // The upper half of large integers must not be lost.
    const mixed = (value | 0) ^ Math.imul(Math.floor(value / 2 ** 32), SEED | 1);
    let slot = seededHash(mixed) >>> shift;
    for (let taken = table[slot] as number; taken !== 0; taken = table[slot] as number) {
      if (values[taken - 1] === value || --probes < 0) return false;
      slot = (slot + 1) & mask;
    }
    table[slot] = i + 1;
  }
  return true;
}

function areDistinctStrings(values: readonly unknown[], table: Int32Array): boolean {
  const shift = Math.clz32(table.length) + 1;
  const mask = table.length - 1;
  const hashes = new Int32Array(values.length);
  let probes = MOST_PROBES * values.length;
  for (let i = 0; i < values.length; i++) {
    const value = values[i];
    if (typeof value !== 'string') return false;
    let hash = SEED ^ value.length;
    for (let at = 0; at < value.length; at++) hash = Math.imul(hash ^ value.charCodeAt(at), MULTIPLIER);
    hash = mixedAgain(hash);
    hashes[i] = hash;
    let slot = hash >>> shift;
    for (let taken = table[slot] as number; taken !== 0; taken = table[slot] as number) {
      if ((hashes[taken - 1] === hash && values[taken - 1] === value) || --probes < 0) return false;
      slot = (slot + 1) & mask;
    }
    table[slot] = i + 1;
  }
  return true;
}
