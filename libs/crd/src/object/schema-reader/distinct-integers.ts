import { areDistinctInRange, lieNear } from '../write/distinct-in-range.ts';
import { MOST_PROBES, seededHash } from '../write/seeded-hash.ts';

/**
 * Whether no two of some machine integers are the same; false says nothing.
 *
 * @param bounds the least and the greatest of them
 */
export function areDistinctIntegers(values: Int32Array, bounds: { readonly min: number; readonly max: number }): boolean {
  return lieNear(bounds, values.length) ? areDistinctInRange(values, bounds) : areDistinctFarApart(values);
}

/** The table holds an index plus one; what falls on a slot that is taken goes to the next. */
function areDistinctFarApart(values: Int32Array): boolean {
  const table = new Int32Array(2 ** (33 - Math.clz32(values.length)));
  const shift = Math.clz32(table.length) + 1;
  const mask = table.length - 1;
  let probes = MOST_PROBES * values.length;
  for (let i = 0; i < values.length; i++) {
    const value = values[i] as number;
    let slot = seededHash(value) >>> shift;
    for (let taken = table[slot] as number; taken !== 0; taken = table[slot] as number) {
      if (values[taken - 1] === value || --probes < 0) return false;
      slot = (slot + 1) & mask;
    }
    table[slot] = i + 1;
  }
  return true;
}
