const MASK = 2n ** 64n - 1n;

/** Returns the inverse of an odd number modulo 2^64. */
function inverse(odd: bigint): bigint {
  let found = odd;
  for (let i = 0; i < 6; i++) found = (found * (2n - odd * found)) & MASK;
  return found;
}

/** Returns the word for which `word ^ (word >> shift)` equals `mixed`. */
function unmixed(mixed: bigint, shift: bigint): bigint {
  let word = mixed;
  for (let i = 0n; i <= 64n / shift; i++) word = mixed ^ (word >> shift);
  return word;
}

/**
 * Returns 64-bit words with equal hashes. V8 hashes doubles and bigints without a seed, so it puts these words into the same bucket of a
 * `Map` or `Set` of any size. Source: V8 src/utils/utils.h `ComputeLongHash`.
 */
export function collidingWords(count: number): bigint[] {
  return Array.from({ length: count }, (_, i) => {
    const mixed = unmixed((BigInt(i) << 30n) | 0x1234567n, 22n);
    const middle = unmixed((mixed * inverse(65n)) & MASK, 11n);
    const first = unmixed((middle * inverse(21n)) & MASK, 31n);
    return ((first + 1n) * inverse((1n << 18n) - 1n)) & MASK;
  });
}

/** Returns non-integer doubles that V8 puts into the same bucket of a `Map` or `Set`. */
export function collidingDoubles(count: number): number[] {
  const words = new BigUint64Array(collidingWords(2 * count));
  return [...new Float64Array(words.buffer)].filter((double) => Number.isFinite(double) && !Number.isInteger(double)).slice(0, count);
}

/** Returns 64-bit integers outside the safe range that V8 puts into the same bucket of a `Map` or `Set`. */
export function collidingIntegers(count: number): bigint[] {
  return collidingWords(2 * count)
    .map((word) => BigInt.asIntN(64, word))
    .filter((integer) => integer > 2n ** 53n || integer < -(2n ** 53n))
    .slice(0, count);
}
