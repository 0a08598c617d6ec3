import { verdictBytes } from '#documents';
import type { ChunkResult } from '#documents';

/** Maximum total size of the verdicts that wait for the storage, in bytes. */
const KEPT_BYTES = 64 * 1024 * 1024;

/**
 * Account of the results of this process that wait because the storage is full or does not answer. It limits their total size. No thread
 * waits for the storage.
 */
export class UnstoredResults {
  readonly #most: number;
  #bytes = 0;

  /** @param most maximum total size of all kept verdicts, in bytes */
  constructor(most = KEPT_BYTES) {
    this.#most = most;
  }

  /** Counts a result that waits. Returns a function that ends this, or undefined if the result must be dropped. */
  keep(result: ChunkResult): (() => void) | undefined {
    const bytes = verdictBytes(result);
    if (this.#bytes + bytes > this.#most) return undefined;
    this.#bytes += bytes;
    return () => void (this.#bytes -= bytes);
  }
}
