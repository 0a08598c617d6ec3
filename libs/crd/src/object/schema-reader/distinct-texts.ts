import { DistinctTable, mixedAgain, MULTIPLIER, SEED } from '../write/distinct-hashes.ts';

/** Second secret factor of the hash. It prevents the multiplications of the hash from being combined into a single multiplication. */
const INNER = Math.floor(Math.random() * 2 ** 31) * 2 + 1;

/**
 * Returns true if all texts are distinct. Only their bytes are compared, without creating strings. `false` is inconclusive.
 *
 * @param bytes Document whose texts contain no escapes, so that equal texts have equal bytes.
 * @param places Offsets of each text: at twice its index the offset of its first byte, followed by the offset after its last byte.
 * @param count Number of texts.
 */
export function areDistinctTexts(bytes: Uint8Array, places: Int32Array, count: number): boolean {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const table = new DistinctTable(count, (a, b) => isSameText(bytes, places, a, b));
  for (let i = 0; i < count; i++) {
    const from = places[2 * i] as number;
    const to = places[2 * i + 1] as number;
    const length = to - from;
    let hash = SEED ^ length;
    if (length >= 4) {
      for (let at = from; at < to - 4; at += 4) hash = mixed(hash, view.getInt32(at, true));
      // If the length is not a multiple of four, the last word overlaps the previous one.
      hash = mixed(hash, view.getInt32(to - 4, true));
    } else if (length > 0) {
      const middle = bytes[from + (length >> 1)] as number;
      hash = mixed(hash, (bytes[from] as number) | (middle << 8) | ((bytes[to - 1] as number) << 16));
    }
    if (!table.add(i, mixedAgain(hash))) return false;
  }
  return true;
}

/**
 * Adds a word of four bytes to a hash. Both factors are secret. The upper bits of the first product are mixed into the lower bits before
 * the second multiplication.
 */
function mixed(hash: number, word: number): number {
  const product = Math.imul(word, INNER);
  return Math.imul(((hash << 13) | (hash >>> 19)) ^ product ^ (product >>> 15), MULTIPLIER);
}

function isSameText(bytes: Uint8Array, places: Int32Array, a: number, b: number): boolean {
  const [from, to, other] = [places[2 * a] as number, places[2 * a + 1] as number, places[2 * b] as number];
  if (to - from !== (places[2 * b + 1] as number) - other) return false;
  for (let i = 0; i < to - from; i++) if (bytes[from + i] !== bytes[other + i]) return false;
  return true;
}
