import type { ChunkResult } from '#evaluation';

/** Maximum total length of the verdicts that wait for the storage, in characters. */
const KEPT_LENGTH = 64 * 1024 * 1024;

/**
 * Account of the results of this process that wait because the storage is full or does not answer. It limits their total size. No thread
 * waits for the storage.
 */
export class UnstoredResults {
  readonly #most: number;
  #length = 0;

  /** @param most maximum total length of all kept verdicts, in characters */
  constructor(most = KEPT_LENGTH) {
    this.#most = most;
  }

  /** Counts a result that waits. Returns a function that ends this, or undefined if the result must be dropped. */
  keep({ verdicts }: ChunkResult): (() => void) | undefined {
    const length = verdicts.reduce((sum, verdict) => sum + verdict.length, 0);
    if (this.#length + length > this.#most) return undefined;
    this.#length += length;
    return () => void (this.#length -= length);
  }
}
