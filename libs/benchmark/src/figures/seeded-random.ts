/** Returns a generator of numbers from 0 up to 1, excluding 1. The same seed produces the same numbers. The algorithm is xorshift32. */
export function seededRandom(seed: number): () => number {
  // The state must not be 0. The multiplication spreads neighbouring seeds.
  let state = (Math.imul(seed, 0x9e37_79b1) ^ 0x5bd1_e995) >>> 0 || 1;
  return () => {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    state >>>= 0;
    return state / 0x1_0000_0000;
  };
}
