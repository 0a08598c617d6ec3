import { DistinctTable, seededHash } from './distinct-hashes.ts';

/**
 * Maximum size of a bit table, in bits per element of the list. The table has one bit for each integer in the range, so a larger range
 * would need too much memory.
 */
const BITS_PER_ELEMENT = 64;

/** Smallest and largest integer of a list. */
interface Bounds {
  readonly min: number;
  readonly max: number;
}

/**
 * Returns true if all integers are distinct. If the result is false, they may still be distinct, because the hash table gives up if too
 * many values collide.
 */
export function areDistinctIntegers(values: Int32Array, bounds: Bounds): boolean {
  if (fitBitTable(bounds, values.length)) return areDistinctInRange(values, bounds);
  const table = new DistinctTable(values.length, (a, b) => values[a] === values[b]);
  for (let i = 0; i < values.length; i++) if (!table.add(i, seededHash(values[i] as number))) return false;
  return true;
}

/**
 * Returns true if the range of a list's integers is small enough for a bit table with one bit for each integer in the range. `count` is the
 * number of integers in the list. The limit for the range is proportional to it.
 */
export function fitBitTable({ min, max }: Bounds, count: number): boolean {
  return max - min < count * BITS_PER_ELEMENT;
}

/** Returns true if all integers are distinct. Their range must be small, see {@link fitBitTable}. */
export function areDistinctInRange(values: ArrayLike<number>, { min, max }: Bounds): boolean {
  const seen = new Uint8Array(((max - min) >>> 3) + 1);
  for (let i = 0; i < values.length; i++) {
    const at = (values[i] as number) - min;
    const bit = 1 << (at & 7);
    const byte = seen[at >>> 3] as number;
    if ((byte & bit) !== 0) return false;
    seen[at >>> 3] = byte | bit;
  }
  return true;
}
