import type { DocumentSlice } from './item.ts';

/** Bounds of a run. It ends at the first of them. */
export interface RunLimits {
  readonly items: number;
  readonly bytes: number;
  /** Expected thread time, ms. */
  readonly ms: number;
}

/** Bounds of a chunk in this process: short, so that cancelling and sharing stay fine-grained. */
export const CHUNK_LIMITS: RunLimits = { items: 250, bytes: 512 * 1024, ms: 50 };

/** Bounds of a run between processes, where carrying costs much. The process that takes one cuts it into pieces. */
export const LONG_RUN_LIMITS: RunLimits = { items: 10_000, bytes: 4 * 1024 * 1024, ms: 100 };

/** Prices below this count as this, ms. */
const LEAST_ITEM_MS = 1e-6;

/** Cuts items into runs within limits; an item larger than the byte limit is a run of its own. */
export class ChunkCutter {
  readonly #most: number;
  readonly #mostBytes: number;
  #items: DocumentSlice[] = [];
  #bytes = 0;

  /** `itemMs`: the expected thread time of an item, ms. */
  constructor(itemMs = 0, { items, bytes, ms }: RunLimits = CHUNK_LIMITS) {
    this.#most = Math.max(1, Math.min(items, Math.floor(ms / Math.max(itemMs, LEAST_ITEM_MS))));
    this.#mostBytes = bytes;
  }

  /** Takes one more item; returns the run that it completed, if it did. */
  add(item: DocumentSlice): DocumentSlice[] | undefined {
    const full = this.#items.length > 0 && this.#bytes + item.bytes.length > this.#mostBytes ? this.flush() : undefined;
    this.#items.push(item);
    this.#bytes += item.bytes.length;
    return full ?? (this.#items.length >= this.#most ? this.flush() : undefined);
  }

  /** The run collected so far, or undefined when there is none. */
  flush(): DocumentSlice[] | undefined {
    if (this.#items.length === 0) return undefined;
    const run = this.#items;
    this.#items = [];
    this.#bytes = 0;
    return run;
  }
}

/** Returns all runs of a batch that is there as a whole. `itemMs`: the expected thread time of an item, ms. */
export function splitBatch(items: readonly DocumentSlice[], itemMs?: number, limits?: RunLimits): DocumentSlice[][] {
  const cutter = new ChunkCutter(itemMs, limits);
  const runs = items.map((item) => cutter.add(item)).filter((run) => run !== undefined);
  const rest = cutter.flush();
  return rest ? [...runs, rest] : runs;
}
