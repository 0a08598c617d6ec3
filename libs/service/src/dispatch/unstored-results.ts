import type { ChunkResult } from '#evaluation';
import { isUnavailable } from '#queue';
import type { Claim, WorkQueue } from '#queue';

/**
 * Maximum total size of the results that wait for the storage, in bytes of verdicts. If a result exceeds the remaining size, only the claim
 * is kept, and the chunk is evaluated again.
 */
const KEPT_BYTES = 64 * 1024 * 1024;

interface Unstored {
  /** Result of the chunk; undefined if the result was not kept because of the size limit. */
  readonly result: ChunkResult | undefined;
  readonly bytes: number;
  readonly spentMs: number;
}

/**
 * Results of chunks (parts of evaluations) that could not be stored because the storage is full or unavailable. This process keeps its
 * claims on these chunks, so that no other process evaluates them again meanwhile. No thread waits for the storage. When the storage
 * accepts data again, the kept results are stored. A chunk whose result was not kept returns to the queue instead.
 */
export class UnstoredResults {
  readonly #unstored = new Map<Claim, Unstored>();
  readonly #keptBytes: number;
  #bytes = 0;

  /** `keptBytes` is the maximum total size of all kept verdicts, in bytes. */
  constructor(keptBytes = KEPT_BYTES) {
    this.#keptBytes = keptBytes;
  }

  /** Claims of kept results, whose leases must be renewed. */
  get claims(): readonly Claim[] {
    return [...this.#unstored.keys()];
  }

  /**
   * Keeps the result of a claimed chunk until the storage can store it.
   *
   * @param result undefined if the chunk must be given back
   */
  keep(claim: Claim, result: ChunkResult | undefined, spentMs: number): void {
    const length = result?.verdicts.reduce((sum, verdict) => sum + verdict.length, 0) ?? 0;
    const kept = result !== undefined && this.#bytes + length <= this.#keptBytes;
    this.#unstored.set(claim, { result: kept ? result : undefined, bytes: kept ? length : 0, spentMs });
    if (kept) this.#bytes += length;
  }

  /** Drops a claim that is lost, because another consumer claimed the chunk or its evaluation is over. */
  drop(claim: Claim): void {
    this.#bytes -= this.#unstored.get(claim)?.bytes ?? 0;
    this.#unstored.delete(claim);
  }

  /** Stores the kept results in the order in which they were added. Stops at the first result that still cannot be stored. */
  async retry(work: Pick<WorkQueue, 'commit' | 'release'>): Promise<void> {
    for (const [claim, { result, spentMs }] of this.#unstored) {
      try {
        if (result) await work.commit(claim, result, spentMs);
        else await work.release(claim);
      } catch (error) {
        if (isUnavailable(error)) return;
        throw error;
      }
      this.drop(claim);
    }
  }

  /** Tries to store the kept results one last time. Gives back the chunks whose results cannot be stored. */
  async end(work: Pick<WorkQueue, 'commit' | 'release'>): Promise<void> {
    await this.retry(work);
    for (const claim of this.claims) await work.release(claim);
  }
}
