// What is hashed comes from strangers: where a value lands must not be known to them.
/** The seed of this process. */
export const SEED = Math.floor(Math.random() * 2 ** 31);
/** An odd factor of this process. */
export const MULTIPLIER = Math.floor(Math.random() * 2 ** 30) * 2 + 1;

/** Probes of an element, on average, above which a table is given up: someone chose values that land on each other. */
export const MOST_PROBES = 8;

/** Mixes the upper bits of a hash into it once more: under one seed of a hundred one multiplication alone lets neighbours land on each other. */
export const mixedAgain = (hash: number): number => Math.imul(hash ^ (hash >>> 15), MULTIPLIER);

/** Returns the hash of 32 bits. */
export const seededHash = (bits: number): number => mixedAgain(Math.imul(bits ^ SEED, MULTIPLIER));
