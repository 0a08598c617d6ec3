/** A scan of a shorter text is as fast as a comparison. Their first bytes, so many of them, tell most texts apart. */
const FIRST_BYTES = 256;
/** The most bytes of copies. The copy that was not seen for longest is forgotten first. */
const KEPT_BYTES = 64 * 1024 * 1024;
/** Texts with the same beginning that are compared: versions of one definition. */
const MOST_ALIKE = 4;

/**
 * Definitions that came in earlier bodies. Comparing bytes finds them again some hundred times as fast as a scan for their
 * end, and they are digested once. A JSON object is never the beginning of another one: if the bytes are the same, the end is the same.
 */
export class SeenTexts {
  /** Copies by {@link beginningAt}, the newest last. */
  readonly #alike = new Map<number, Uint8Array[]>();
  /** All copies with their key in the other map, the copy that was not seen for longest first. */
  readonly #kept = new Map<Uint8Array, number>();
  readonly #mostBytes: number;
  #bytes = 0;

  constructor(mostBytes = KEPT_BYTES) {
    this.#mostBytes = mostBytes;
  }

  /** Returns the kept copy of the text at a place of a body; undefined if no such text was seen before. */
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

  /** Remembers a text: a whole JSON object, cut out of a body. Returns the copy that is kept; undefined of texts that are not. */
  learn(text: Uint8Array): Uint8Array | undefined {
    const key = beginningAt(text, 0);
    if (key === undefined || text.length > this.#mostBytes) return undefined;
    const copy = new Uint8Array(text);
    const alike = this.#alike.get(key) ?? [];
    this.#alike.set(key, alike);
    alike.push(copy);
    this.#kept.set(copy, key);
    this.#bytes += copy.length;
    const [first] = alike;
    if (alike.length > MOST_ALIKE && first) this.#forget(first, key);
    for (const [oldest, itsKey] of this.#kept) {
      if (this.#bytes <= this.#mostBytes) break;
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

/** Clients choose what is hashed: they must not know the numbers that a `Map` has as keys. */
const SEED = Math.floor(Math.random() * 2 ** 32) | 0;

/** A number for the first bytes at a place (FNV-1a, from a seed); undefined where there are too few of them, or no object begins. */
function beginningAt(bytes: Uint8Array, start: number): number | undefined {
  if (start + FIRST_BYTES > bytes.length || bytes[start] !== 0x7b) return undefined;
  let hash = SEED;
  for (let i = start; i < start + FIRST_BYTES; i++) hash = Math.imul(hash ^ (bytes[i] as number), 0x01000193);
  return hash;
}

/** Returns true if bytes have memory of their own, so that a copy does not keep a whole body. */
export const areOwn = ({ length, buffer }: Uint8Array): boolean => length === buffer.byteLength;
