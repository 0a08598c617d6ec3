import type { DefinitionText } from '#evaluation';

/** Definition texts by digest, the least recently used forgotten first. */
export class RecentTexts {
  readonly #texts = new Map<string, DefinitionText>();
  readonly #limit: number;
  #bytes = 0;

  /** `limit`: bytes of all texts together; the latest stays whatever its size. */
  constructor(limit: number) {
    this.#limit = limit;
  }

  get(digest: string): DefinitionText | undefined {
    const text = this.#texts.get(digest);
    if (text) {
      this.#texts.delete(digest);
      this.#texts.set(digest, text);
    }
    return text;
  }

  set(digest: string, text: DefinitionText): void {
    this.#bytes += text.slice.bytes.length - (this.#texts.get(digest)?.slice.bytes.length ?? 0);
    this.#texts.delete(digest);
    this.#texts.set(digest, text);
    for (const [oldest, { slice }] of this.#texts) {
      if (this.#bytes <= this.#limit || oldest === digest) break;
      this.#texts.delete(oldest);
      this.#bytes -= slice.bytes.length;
    }
  }
}
