// The hashed values come from strangers, who must not know where a value lands.
/** The seed of this process. */
export const SEED = Math.floor(Math.random() * 2 ** 31);
/** An odd factor of this process. */
export const MULTIPLIER = Math.floor(Math.random() * 2 ** 30) * 2 + 1;

/** Probes of a value, on average, above which the table is given up: someone chose values that land on each other. */
const MOST_PROBES = 8;

/**
 * Mixes the upper bits into a hash once more. With one multiplication alone, similar values collide under about one
 * seed in a hundred.
 */
export const mixedAgain = (hash: number): number => Math.imul(hash ^ (hash >>> 15), MULTIPLIER);

/** Returns the hash of 32 bits. */
export const seededHash = (bits: number): number => mixedAgain(Math.imul(bits ^ SEED, MULTIPLIER));

/** A hash table of the indices of values. It finds a value that comes twice, and gives up if too many values land on each other. */
export class DistinctTable {
  readonly #slots: Int32Array;
  readonly #isSame: (a: number, b: number) => boolean;
  #probes: number;

  /**
   * @param count how many values there are
   * @param isSame compares the values at two indices
   */
  constructor(count: number, isSame: (a: number, b: number) => boolean) {
    this.#slots = new Int32Array(2 ** (33 - Math.clz32(count)));
    this.#isSame = isSame;
    this.#probes = MOST_PROBES * count;
  }

  /** Adds the value at an index. Returns false if it is there already, and if the table gives up. */
  add(index: number, hash: number): boolean {
    const slots = this.#slots;
    const mask = slots.length - 1;
    // A slot holds an index plus one, and the rest of the hash above it: that tells most values apart without a look at them.
    const upper = ~mask;
    let slot = (hash ^ (hash >>> 16)) & mask;
    // A value whose slot is taken goes to the next one.
    for (let taken = slots[slot] as number; taken !== 0; taken = slots[slot] as number) {
      if ((((taken ^ hash) & upper) === 0 && this.#isSame((taken & mask) - 1, index)) || --this.#probes < 0) return false;
      slot = (slot + 1) & mask;
    }
    slots[slot] = (hash & upper) | (index + 1);
    return true;
  }
}
