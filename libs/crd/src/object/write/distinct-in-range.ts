/** Bits of a table of what occurred, per element, that are worth their memory. */
const BITS_PER_ELEMENT = 64;

/** Whether integers lie so near each other that a bit for each that could occur is worth its memory. */
export function lieNear({ min, max }: { readonly min: number; readonly max: number }, count: number): boolean {
  return max - min < count * BITS_PER_ELEMENT;
}

/**
 * Whether no two of some integers that {@link lieNear} are the same.
 *
 * @param bounds the least and the greatest of them
 */
export function areDistinctInRange(values: ArrayLike<number>, { min, max }: { readonly min: number; readonly max: number }): boolean {
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
