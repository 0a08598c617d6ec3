import type { DocumentSlice } from '../item/item.ts';

/** Limits of a run: a stretch of consecutive items that form one unit of work. A run ends when it reaches any of the limits. */
export interface RunLimits {
  readonly items: number;
  readonly bytes: number;
  /** Maximum expected computing time of a run on one thread, in ms. */
  readonly ms: number;
}

/**
 * Limits of a chunk (consecutive items that one thread evaluates as a unit) inside one process. Chunks are short so that work can be
 * cancelled and shared in small units.
 */
export const CHUNK_LIMITS: RunLimits = { items: 250, bytes: 512 * 1024, ms: 50 };

/**
 * Limits of a run of a batch that still arrives, while other processes may evaluate its runs. Sending a run costs the processes more than one
 * ms of computing time, so runs of small items are longer.
 */
export const OFFERED_RUN_LIMITS: RunLimits = { ...CHUNK_LIMITS, items: 1000 };

/**
 * Limits of a part of a job (an evaluation that continues after its request). Storing a part and its result is expensive, so parts are
 * longer than chunks. The process that performs the job divides each part into runs.
 */
export const JOB_PART_LIMITS: RunLimits = { items: 10_000, bytes: 4 * 1024 * 1024, ms: 100 };

/** Minimum expected time of an item, in ms. Lower values are replaced by this value. */
const MIN_ITEM_MS = 1e-6;

/**
 * Cutter that divides a sequence of items into runs. A run is a stretch of consecutive items within limits. An item above the byte limit
 * becomes a separate run.
 */
export class ChunkCutter {
  readonly #most: number;
  readonly #maxBytes: number;
  #items: DocumentSlice[] = [];
  #bytes = 0;

  /** `itemMs` is the expected computing time of one item on a thread, in ms. */
  constructor(itemMs = 0, { items, bytes, ms }: RunLimits = CHUNK_LIMITS) {
    this.#most = Math.max(1, Math.min(items, Math.floor(ms / Math.max(itemMs, MIN_ITEM_MS))));
    this.#maxBytes = bytes;
  }

  /** Adds an item to the current run of consecutive items. Returns the run if it is now complete. Otherwise returns undefined. */
  add(item: DocumentSlice): DocumentSlice[] | undefined {
    const full = this.#items.length > 0 && this.#bytes + item.bytes.length > this.#maxBytes ? this.flush() : undefined;
    this.#items.push(item);
    this.#bytes += item.bytes.length;
    return full ?? (this.#items.length >= this.#most ? this.flush() : undefined);
  }

  /** Returns the incomplete run of items that was collected so far, or undefined if no item was collected. */
  flush(): DocumentSlice[] | undefined {
    if (this.#items.length === 0) return undefined;
    const run = this.#items;
    this.#items = [];
    this.#bytes = 0;
    return run;
  }
}

/**
 * Splits a batch that is completely in memory into runs of consecutive items. `itemMs` is the expected computing time of one item on a
 * thread, in ms.
 */
export function splitBatch(items: readonly DocumentSlice[], itemMs?: number, limits?: RunLimits): DocumentSlice[][] {
  const cutter = new ChunkCutter(itemMs, limits);
  const runs = items.map((item) => cutter.add(item)).filter((run) => run !== undefined);
  const rest = cutter.flush();
  return rest ? [...runs, rest] : runs;
}
