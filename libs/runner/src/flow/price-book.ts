import { LRUCache } from 'lru-cache';

/**
 * Constants for estimating the time of a chunk on an engine thread, in ms. The estimate for an item is the time that earlier items of the
 * same definitions took (an exponentially weighted moving average, EWMA). The estimate for bytes is the time for reading them. Estimates
 * may be approximate, because each charge is corrected when the chunk is done.
 */

/** Estimated time in which a thread evaluates one object, in ms. It is used if no object of the same definition was timed before. */
export const UNKNOWN_ITEM_MS = 0.1;
/** Estimated time in which a thread reads one byte of a chunk, in ms. It corresponds to about 100 MB/s. */
export const MS_PER_BYTE = 1e-5;
/** Minimum of the estimated time of a chunk, in ms. `MAX_COST_MS` is the maximum. */
const MIN_COST_MS = 1;
const MAX_COST_MS = 60_000;
/**
 * Weight of a new sample (measured time per item) in the moving average of the expected time per item. A sample with fewer than
 * `SAMPLE_ITEMS` items has less weight, because code that is not yet optimized distorts it.
 */
const LEARNING_RATE = 0.3;
const SAMPLE_ITEMS = 25;
/**
 * Maximum value of a sample (measured time per item), as a multiple of the average. The maximum is never below `MIN_SAMPLE_CAP_MS` ms. It
 * limits the effect of unoptimized code and busy machines.
 */
const SAMPLE_GROWTH = 4;
const MIN_SAMPLE_CAP_MS = 0.05;
/** Returns the time in ms for which a chunk is expected to occupy a thread. */
export function expectedMs(itemMs: number, items: number, bytes: number): number {
  return items * itemMs + bytes * MS_PER_BYTE;
}

/**
 * Returns the time in ms that is charged to a flow for a chunk before the chunk runs. It is the expected time, within a lower and an upper
 * limit.
 */
export function chunkCost(itemMs: number, items: number, bytes: number): number {
  return Math.min(Math.max(expectedMs(itemMs, items, bytes), MIN_COST_MS), MAX_COST_MS);
}

/**
 * Returns the corrected price (expected time in ms) of an item, after a chunk with `items` items and `bytes` bytes took `judgedMs` on a
 * thread. `itemMs` is the price before the correction. `judgedMs` excludes compiling definitions and passing messages.
 */
export function learnedPrice(itemMs: number, items: number, bytes: number, judgedMs: number): number {
  const measured = Math.max(judgedMs - bytes * MS_PER_BYTE, 0) / Math.max(items, 1);
  const sample = Math.min(measured, Math.max(itemMs * SAMPLE_GROWTH, MIN_SAMPLE_CAP_MS));
  return itemMs + (sample - itemMs) * LEARNING_RATE * Math.min(items / SAMPLE_ITEMS, 1);
}

/** Returns the price (expected time in ms) of an item that is checked against several definitions. It is the mean of the known prices. */
function meanPrice(known: readonly number[]): number {
  return known.length === 0 ? UNKNOWN_ITEM_MS : known.reduce((sum, price) => sum + price, 0) / known.length;
}

/** Relative change of a price since its last report. If the change is greater, the price is reported to other processes again. */
const REPORTED_CHANGE = 0.25;
/** Maximum number of prices that are reported or requested in one exchange. */
const MAX_EXCHANGED = 1000;

/** Price (expected time) of a definition's items and the price that was last reported to the other processes, both in ms. */
interface Price {
  readonly itemMs: number;
  readonly reportedMs: number | undefined;
}

/** Prices that a process reports to the other processes, and digests of definitions whose prices the process requests. */
export interface PriceUpdates {
  /** Prices that this process measured, in ms per item by definition digest. */
  readonly learned: ReadonlyMap<string, number>;
  /** Digests of definitions whose price this process does not know. */
  readonly wanted: readonly string[];
}

/** Cache of prices (expected times per item) in ms, by definition digest. The least recently used price is dropped first. */
export class PriceBook {
  readonly #byDigest: LRUCache<string, Price>;
  readonly #updates = new Set<string>();
  readonly #wanted = new Set<string>();

  /** @param limit maximum number of digests */
  constructor(limit = 10_000) {
    this.#byDigest = new LRUCache({ max: limit });
  }

  /**
   * Returns the expected time in ms for an item of these definitions: the mean of their known prices, or a default if none is known. A
   * digest without a price is added to the digests to request, unless these are too many.
   */
  priceOf(digests: readonly string[]): number {
    const known: number[] = [];
    for (const digest of digests) {
      const price = this.#byDigest.get(digest);
      if (price) known.push(price.itemMs);
      else if (this.#wanted.size < MAX_EXCHANGED) this.#wanted.add(digest);
    }
    return meanPrice(known);
  }

  /** Returns true if the price of each of these digests is known. */
  knows(digests: readonly string[]): boolean {
    return digests.every((digest) => this.#byDigest.has(digest));
  }

  /** Stores a price (time per item) that this process measured. Marks the price to be reported if it changed by more than `REPORTED_CHANGE`. */
  set(digest: string, itemMs: number): void {
    const reportedMs = this.#byDigest.peek(digest)?.reportedMs;
    this.#byDigest.set(digest, { itemMs, reportedMs });
    this.#wanted.delete(digest);
    const isReported = reportedMs === undefined || Math.abs(itemMs - reportedMs) > REPORTED_CHANGE * reportedMs;
    if (isReported && this.#updates.size < MAX_EXCHANGED) this.#updates.add(digest);
  }

  /** Stores a price (time per item) that another process measured, unless this process already has a price for the digest. */
  adopt(digest: string, itemMs: number): void {
    if (!this.#byDigest.has(digest)) this.#byDigest.set(digest, { itemMs, reportedMs: itemMs });
  }

  /**
   * Returns what was collected since the last call: the prices to report and the digests to request. Marks the returned prices as reported.
   */
  drainUpdates(): PriceUpdates {
    const learned = new Map<string, number>();
    for (const digest of this.#updates) {
      const price = this.#byDigest.peek(digest);
      if (price === undefined) continue;
      learned.set(digest, price.itemMs);
      this.#byDigest.set(digest, { ...price, reportedMs: price.itemMs });
    }
    const wanted = [...this.#wanted];
    this.#updates.clear();
    this.#wanted.clear();
    return { learned, wanted };
  }
}
