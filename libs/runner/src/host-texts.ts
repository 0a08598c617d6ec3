import type { DefinitionText } from '#documents';

/**
 * Record of the definition texts that the engine host (the process that runs the evaluations) currently stores, by digest and size. The
 * least recently used text is forgotten first.
 */
export class HostTexts {
  readonly #bytes = new Map<string, number>();
  readonly #limit: number;
  #total = 0;

  /** `limit` is the maximum total size of all texts, in bytes. */
  constructor(limit: number) {
    this.#limit = limit;
  }

  /** Records the use of a text. Returns true if the host does not have the text, so that the text must be sent. */
  use({ digest, slice }: DefinitionText): boolean {
    const known = this.#bytes.delete(digest);
    this.#bytes.set(digest, slice.bytes.length);
    if (!known) this.#total += slice.bytes.length;
    return !known;
  }

  /**
   * Removes the least recently used texts until the limit is met, except the texts whose digests `inUse` returns. Returns the digests of
   * the removed texts.
   */
  trim(inUse: () => ReadonlySet<string>): string[] {
    if (this.#total <= this.#limit) return [];
    const kept = inUse();
    const forgotten: string[] = [];
    for (const [digest, bytes] of this.#bytes) {
      if (this.#total <= this.#limit) break;
      if (kept.has(digest)) continue;
      this.#bytes.delete(digest);
      this.#total -= bytes;
      forgotten.push(digest);
    }
    return forgotten;
  }
}
