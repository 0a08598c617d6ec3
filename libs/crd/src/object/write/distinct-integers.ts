import { DistinctTable, seededHash } from './distinct-hashes.ts';

/** Bits of a table of what occurred, per element, that are worth their memory. */
const BITS_PER_ELEMENT = 64;

/** The least and the greatest of some integers. */
interface Bounds {
  readonly min: number;
  readonly max: number;
}

/** Returns true if no two of some machine integers are the same; false says nothing. */
export function areDistinctIntegers(values: Int32Array, bounds: Bounds): boolean {
  if (lieNear(bounds, values.length)) return areDistinctInRange(values, bounds);
  const table = new DistinctTable(values.length, (a, b) => values[a] === values[b]);
  for (let i = 0; i < values.length; i++) if (!table.add(i, seededHash(values[i] as number))) return false;
  return true;
}

/** Returns true if integers lie so near each other that a bit for each that could occur is worth its memory. */
export function lieNear({ min, max }: Bounds, count: number): boolean {
  return max - min < count * BITS_PER_ELEMENT;
}

/** Returns true if no two of some integers that {@link lieNear} are the same. */
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
