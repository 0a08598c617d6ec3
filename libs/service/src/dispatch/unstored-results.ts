import type { ChunkResult } from '#evaluation';
import { isUnavailable } from '#queue';
import type { Claim, WorkQueue } from '#queue';

/** Results that are kept, bytes of verdicts; of chunks beyond that only the claim is, and they are judged again. */
const KEPT_BYTES = 64 * 1024 * 1024;

interface Unstored {
  /** Undefined where there was no room for it. */
  readonly result: ChunkResult | undefined;
  readonly bytes: number;
  readonly spentMs: number;
}

/**
 * Results that the storage could not take, because it is full or away. Their chunks stay claimed, so that nobody judges them again and again meanwhile,
 * and no thread waits. When there is room, results are stored. Chunks whose results were not kept are given back.
 */
export class UnstoredResults {
  readonly #unstored = new Map<Claim, Unstored>();
  readonly #keptBytes: number;
  #bytes = 0;

  /** `keptBytes`: of verdicts, all together. */
  constructor(keptBytes = KEPT_BYTES) {
    this.#keptBytes = keptBytes;
  }

  /** Claims whose leases are to be renewed. */
  get claims(): readonly Claim[] {
    return [...this.#unstored.keys()];
  }

  /** @param result undefined if the chunk is to be given back */
  keep(claim: Claim, result: ChunkResult | undefined, spentMs: number): void {
    const length = result?.verdicts.reduce((sum, verdict) => sum + verdict.length, 0) ?? 0;
    const kept = result !== undefined && this.#bytes + length <= this.#keptBytes;
    this.#unstored.set(claim, { result: kept ? result : undefined, bytes: kept ? length : 0, spentMs });
    if (kept) this.#bytes += length;
  }

  /** The chunk is somebody else's, or nobody's. */
  drop(claim: Claim): void {
    this.#bytes -= this.#unstored.get(claim)?.bytes ?? 0;
    this.#unstored.delete(claim);
  }

  /** Stores what can be stored, in the order in which it came; stops at the first that still cannot. */
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

  /** Gives back what could not be stored. */
  async end(work: Pick<WorkQueue, 'commit' | 'release'>): Promise<void> {
    await this.retry(work);
    for (const claim of this.claims) await work.release(claim);
  }
}
