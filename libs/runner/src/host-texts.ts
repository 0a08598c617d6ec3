import type { DefinitionText } from '#evaluation';

/** The definition texts that the engine host has. The least recently used text is forgotten first. */
export class HostTexts {
  readonly #bytes = new Map<string, number>();
  readonly #limit: number;
  #total = 0;

  /** `limit` is the maximum size in bytes of all texts together. */
  constructor(limit: number) {
    this.#limit = limit;
  }

  /** Records that a text is used now. Returns true if the host does not have the text, so that it must be sent. */
  use({ digest, slice }: DefinitionText): boolean {
    const known = this.#bytes.delete(digest);
    this.#bytes.set(digest, slice.bytes.length);
    if (!known) this.#total += slice.bytes.length;
    return !known;
  }

  /** Removes texts until the limit is met, and returns the digests of the removed texts. Texts of running work are kept. */
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
