// The hashed values come from strangers, who must not know where a value lands.
/** The seed of this process. */
export const SEED = Math.floor(Math.random() * 2 ** 31);
/** An odd factor of this process. */
export const MULTIPLIER = Math.floor(Math.random() * 2 ** 30) * 2 + 1;

/** Probes of a value, on average, above which the table is given up: someone chose values that land on each other. */
const MOST_PROBES = 8;

/** Mixes the upper bits of a hash into it once more: under one seed of a hundred one multiplication alone lets neighbours land on each other. */
export const mixedAgain = (hash: number): number => Math.imul(hash ^ (hash >>> 15), MULTIPLIER);

/** Returns the hash of 32 bits. */
export const seededHash = (bits: number): number => mixedAgain(Math.imul(bits ^ SEED, MULTIPLIER));

/**
 * Returns true if no two of some values are the same. False says nothing: two may be the same, or too many of them land on each other.
 *
 * @param hashes the hash of each value
 * @param isSame compares the values at two indices
 */
export function areDistinctHashed(hashes: Int32Array, isSame: (a: number, b: number) => boolean): boolean {
  const table = new Int32Array(2 ** (33 - Math.clz32(hashes.length)));
  const mask = table.length - 1;
  // A slot holds an index plus one, and the rest of the hash above it: that tells most values apart without a look at them.
  const upper = ~mask;
  let probes = MOST_PROBES * hashes.length;
  for (let i = 0; i < hashes.length; i++) {
    const hash = hashes[i] as number;
    let slot = (hash ^ (hash >>> 16)) & mask;
    // A value whose slot is taken goes to the next one.
    for (let taken = table[slot] as number; taken !== 0; taken = table[slot] as number) {
      if ((((taken ^ hash) & upper) === 0 && isSame((taken & mask) - 1, i)) || --probes < 0) return false;
      slot = (slot + 1) & mask;
    }
    table[slot] = (hash & upper) | (i + 1);
  }
  return true;
}
