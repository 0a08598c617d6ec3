import type { ChunkResult } from '#evaluation';
import { isUnavailable } from '#queue';
import type { Claim, WorkQueue } from '#queue';

/**
 * Maximum size of kept results, in bytes of verdicts. For chunks above this size, only the claim is kept, and the chunks are judged again.
 */
const KEPT_BYTES = 64 * 1024 * 1024;

interface Unstored {
  /** Result of the chunk; undefined if there was no room for the result. */
  readonly result: ChunkResult | undefined;
  readonly bytes: number;
  readonly spentMs: number;
}

/**
 * Results that the storage could not store because it is full or unavailable. Their chunks stay claimed, so that they are not judged
 * repeatedly meanwhile, and no thread waits. When the storage has room, the results are stored. Chunks whose results were not kept are
 * given back.
 */
export class UnstoredResults {
  readonly #unstored = new Map<Claim, Unstored>();
  readonly #keptBytes: number;
  #bytes = 0;

  /** `keptBytes` is the maximum size of all kept verdicts together, in bytes. */
  constructor(keptBytes = KEPT_BYTES) {
    this.#keptBytes = keptBytes;
  }

  /** Claims whose leases are to be renewed. */
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

  /** Tries to store the kept results a last time, and gives back the chunks whose results cannot be stored. */
  async end(work: Pick<WorkQueue, 'commit' | 'release'>): Promise<void> {
    await this.retry(work);
    for (const claim of this.claims) await work.release(claim);
  }
}
