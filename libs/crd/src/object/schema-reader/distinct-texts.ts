/** Probes of an element, on average, above which the table is given up: someone chose texts that land on each other. */
const MOST_PROBES = 8;

// What is hashed comes from strangers: where a text lands must not be known to them.
const odd = (): number => Math.floor(Math.random() * 2 ** 31) * 2 + 1;
const SEED = odd();
const INNER = odd();
const OUTER = odd();

/**
 * Whether no two of some texts are the same, told by their bytes alone: none becomes a string. False says nothing.
 *
 * @param bytes a text without escapes, in which equal texts are equal bytes
 * @param places at twice the index of a text the offset of its first byte, behind that the offset behind its last one
 * @param count how many texts there are
 */
export function areDistinctTexts(bytes: Uint8Array, places: Int32Array, count: number): boolean {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const bits = 33 - Math.clz32(count);
  const table = new Int32Array(2 ** bits);
  const mask = table.length - 1;
  // A slot holds an index plus one, and above it what is left of the hash: most other texts are told apart without a look at them.
  const upper = ~mask;
  let probes = MOST_PROBES * count;
  for (let i = 0; i < count; i++) {
    const from = places[2 * i] as number;
    const to = places[2 * i + 1] as number;
    const length = to - from;
    let hash = SEED ^ length;
    if (length >= 4) {
      for (let at = from; at < to - 4; at += 4) hash = mixed(hash, view.getInt32(at, true));
      // The last word overlaps the one before it where the length is no multiple of four.
      hash = mixed(hash, view.getInt32(to - 4, true));
    } else if (length > 0) {
      const middle = bytes[from + (length >> 1)] as number;
      hash = mixed(hash, (bytes[from] as number) | (middle << 8) | ((bytes[to - 1] as number) << 16));
    }
    hash = Math.imul(hash ^ (hash >>> 15), OUTER);
    let slot = (hash ^ (hash >>> 16)) & mask;
    for (let taken = table[slot] as number; taken !== 0; taken = table[slot] as number) {
      if (((taken ^ hash) & upper) === 0 && isSameText(bytes, places, (taken & mask) - 1, i)) return false;
      if (--probes < 0) return false;
      slot = (slot + 1) & mask;
    }
    table[slot] = (hash & upper) | (i + 1);
  }
  return true;
}

/** Adds a word of four bytes to a hash. Both factors are secret, and the upper bits of the first product become lower ones of the second. */
function mixed(hash: number, word: number): number {
  const product = Math.imul(word, INNER);
  return Math.imul(((hash << 13) | (hash >>> 19)) ^ product ^ (product >>> 15), OUTER);
}

function isSameText(bytes: Uint8Array, places: Int32Array, a: number, b: number): boolean {
  const [from, to, other] = [places[2 * a] as number, places[2 * a + 1] as number, places[2 * b] as number];
  if (to - from !== (places[2 * b + 1] as number) - other) return false;
  for (let i = 0; i < to - from; i++) if (bytes[from + i] !== bytes[other + i]) return false;
  return true;
}
