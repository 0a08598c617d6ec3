import { scalarList } from '#go';
import type { JsonValue } from '#go';

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
  return typeof values[0] === 'string' ? areDistinctStrings(values, table) : areDistinctNumbers(values, table);
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

function areDistinctNumbers(values: readonly unknown[], table: DistinctTable): boolean {
  for (let i = 0; i < values.length; i++) {
    const value = values[i];
    if (typeof value !== 'number' || !Number.isInteger(value)) return false;
    // `value | 0` is only the lower half of a large integer, so the hash must also include the upper half.
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
function fitBitTable({ min, max }: Bounds, count: number): boolean {
  return max - min < count * BITS_PER_ELEMENT;
}

/** Returns true if all integers are distinct. Their range must be small, see {@link fitBitTable}. */
function areDistinctInRange(values: ArrayLike<number>, { min, max }: Bounds): boolean {
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

// Clients choose the values. With a random hash, they cannot predict which slot of the table a value gets.
/** Random hash seed of this process. It prevents clients from choosing values that collide. */
export const SEED = Math.floor(Math.random() * 2 ** 31);
/** Random odd factor of the hash function in this process. It prevents clients from choosing values that collide. */
export const MULTIPLIER = Math.floor(Math.random() * 2 ** 30) * 2 + 1;

/**
 * Limit of the average number of probes per value in a `DistinctTable`. A table that exceeds the limit gives up, because the values may
 * have been chosen to collide.
 */
const MAX_PROBES = 8;

/**
 * Mixes the upper bits of a hash into its lower bits and multiplies the result. Callers have already multiplied the hash once. Without this
 * second multiplication, similar values would collide under about one seed in a hundred.
 */
export const mixedAgain = (hash: number): number => Math.imul(hash ^ (hash >>> 15), MULTIPLIER);

/** Returns the seeded hash of a 32-bit integer. */
const seededHash = (bits: number): number => mixedAgain(Math.imul(bits ^ SEED, MULTIPLIER));

/** Hash table that detects whether a value occurs twice. It stores the indices of the values. It gives up if too many values collide. */
export class DistinctTable {
  readonly #slots: Int32Array;
  readonly #isSame: (a: number, b: number) => boolean;
  #probes: number;

  /**
   * @param count Number of values.
   * @param isSame Returns true if the values at two indices are equal.
   */
  constructor(count: number, isSame: (a: number, b: number) => boolean) {
    this.#slots = new Int32Array(2 ** (33 - Math.clz32(count)));
    this.#isSame = isSame;
    this.#probes = MAX_PROBES * count;
  }

  /**
   * Adds the value at an index. Returns false if an equal value is already present, or if the table gives up because too many values
   * collide.
   */
  add(index: number, hash: number): boolean {
    const slots = this.#slots;
    const mask = slots.length - 1;
    // A slot contains an index plus one, and the upper bits of the hash. These bits distinguish most values without comparing them.
    const upper = ~mask;
    let slot = (hash ^ (hash >>> 16)) & mask;
    // If a slot is taken, the value goes to the next slot.
    for (let taken = slots[slot] as number; taken !== 0; taken = slots[slot] as number) {
      if ((((taken ^ hash) & upper) === 0 && this.#isSame((taken & mask) - 1, index)) || --this.#probes < 0) return false;
      slot = (slot + 1) & mask;
    }
    slots[slot] = (hash & upper) | (index + 1);
    return true;
  }
}
