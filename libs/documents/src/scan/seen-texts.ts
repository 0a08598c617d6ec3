/**
 * Number of bytes that are hashed at the start of a text. They distinguish most texts. Shorter texts are not kept, because scanning them is
 * as fast as comparing them.
 */
const FIRST_BYTES = 256;
/** Maximum size of all kept copies together, in bytes. The cache first drops the copy that was not found for the longest time. */
const KEPT_BYTES = 64 * 1024 * 1024;
/** Maximum number of kept copies that begin with the same bytes, such as versions of one definition. */
const MAX_ALIKE = 4;

/**
 * Cache of definitions from earlier request bodies. Comparing bytes is some hundred times as fast as scanning for the end of a definition,
 * and each definition is digested only once. A JSON object is never a prefix of another JSON object. If the bytes of a copy match, its end
 * is therefore the end of the definition.
 */
export class SeenTexts {
  /** Kept copies by the hash of their beginning ({@link beginningAt}). In each list, the newest copy is last. */
  readonly #alike = new Map<number, Uint8Array[]>();
  /** All kept copies with their key in `#alike`. The copy that was not found for the longest time comes first. */
  readonly #kept = new Map<Uint8Array, number>();
  readonly #maxBytes: number;
  #bytes = 0;

  constructor(maxBytes = KEPT_BYTES) {
    this.#maxBytes = maxBytes;
  }

  /** Returns the kept copy that equals the text at `start` in a body. Returns undefined if no such text is kept. */
  find(body: Uint8Array, start: number): Uint8Array | undefined {
    const key = beginningAt(body, start);
    const alike = key === undefined ? undefined : this.#alike.get(key);
    if (key === undefined || alike === undefined) return undefined;
    for (const copy of alike) {
      const end = start + copy.length;
      if (end > body.length || Buffer.compare(body.subarray(start, end), copy) !== 0) continue;
      this.#kept.delete(copy);
      this.#kept.set(copy, key);
      return copy;
    }
    return undefined;
  }

  /**
   * Stores a copy of a text, which must be a whole JSON object cut out of a body. Returns the copy. Returns undefined if the text is not
   * stored, because it is shorter than {@link FIRST_BYTES} or larger than the whole cache.
   */
  learn(text: Uint8Array): Uint8Array | undefined {
    const key = beginningAt(text, 0);
    if (key === undefined || text.length > this.#maxBytes) return undefined;
    const copy = new Uint8Array(text);
    const alike = this.#alike.get(key) ?? [];
    this.#alike.set(key, alike);
    alike.push(copy);
    this.#kept.set(copy, key);
    this.#bytes += copy.length;
    const [first] = alike;
    if (alike.length > MAX_ALIKE && first) this.#forget(first, key);
    for (const [oldest, itsKey] of this.#kept) {
      if (this.#bytes <= this.#maxBytes) break;
      this.#forget(oldest, itsKey);
    }
    return copy;
  }

  #forget(copy: Uint8Array, key: number): void {
    this.#kept.delete(copy);
    this.#bytes -= copy.length;
    const rest = (this.#alike.get(key) ?? []).filter((one) => one !== copy);
    if (rest.length > 0) this.#alike.set(key, rest);
    else this.#alike.delete(key);
  }
}

/** Random seed of the hash. Clients choose the texts that are hashed, so they must not be able to predict the keys of the `Map`. */
const SEED = Math.floor(Math.random() * 2 ** 32) | 0;

/**
 * Returns a seeded hash (FNV-1a) of the first {@link FIRST_BYTES} bytes from `start`. Returns undefined if fewer bytes are left, or if no
 * object begins at `start`.
 */
function beginningAt(bytes: Uint8Array, start: number): number | undefined {
  if (start + FIRST_BYTES > bytes.length || bytes[start] !== 0x7b) return undefined;
  let hash = SEED;
  for (let i = start; i < start + FIRST_BYTES; i++) hash = Math.imul(hash ^ (bytes[i] as number), 0x01000193);
  return hash;
}

/**
 * Returns true if the array fills its whole buffer. If it does not, the array is usually a part of a request body. A reference to the array
 * then keeps the whole body in memory.
 */
export const ownsBuffer = ({ length, buffer }: Uint8Array): boolean => length === buffer.byteLength;
