// Clients choose the hashed values, so they must not be able to predict a value's slot.
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
export const seededHash = (bits: number): number => mixedAgain(Math.imul(bits ^ SEED, MULTIPLIER));

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
