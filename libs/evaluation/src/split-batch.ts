import type { DocumentSlice } from './item.ts';

/** A chunk ends at this many items or bytes, whichever comes first: some 20–50 ms of work, so that cancelling and sharing stay fine-grained. */
export const CHUNK_LIMITS = { items: 250, bytes: 512 * 1024 } as const;

/** Cuts items into runs within {@link CHUNK_LIMITS}; an item larger than the byte limit is a run of its own. */
export class ChunkCutter {
  readonly #most: number;
  #items: DocumentSlice[] = [];
  #bytes = 0;

  /** `items`: fewer than the limit, where each takes long. */
  constructor(items: number = CHUNK_LIMITS.items) {
    this.#most = Math.min(items, CHUNK_LIMITS.items);
  }

  /** Takes one more item; returns the run that it completed, if it did. */
  add(item: DocumentSlice): DocumentSlice[] | undefined {
    const full = this.#items.length > 0 && this.#bytes + item.bytes.length > CHUNK_LIMITS.bytes ? this.flush() : undefined;
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

/** All runs of a batch that is there as a whole, of `most` items or fewer. */
export function splitBatch(items: readonly DocumentSlice[], most?: number): DocumentSlice[][] {
  const cutter = new ChunkCutter(most);
  const runs = items.map((item) => cutter.add(item)).filter((run) => run !== undefined);
  const rest = cutter.flush();
  return rest ? [...runs, rest] : runs;
}
