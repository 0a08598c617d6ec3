import type { DefinitionText } from '#evaluation';

/** The definition texts that the engine host has. The least recently used text is forgotten first. */
export class HostTexts {
  readonly #bytes = new Map<string, number>();
  readonly #limit: number;
  #total = 0;

  /** `limit`: bytes of all texts together. */
  constructor(limit: number) {
    this.#limit = limit;
  }

  /** Counts a text as used just now; true when the host lacks it and must be sent it. */
  use({ digest, slice }: DefinitionText): boolean {
    const known = this.#bytes.delete(digest);
    this.#bytes.set(digest, slice.bytes.length);
    if (!known) this.#total += slice.bytes.length;
    return !known;
  }

  /** Takes out what is beyond the limit and returns it; texts of running work stay. */
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
