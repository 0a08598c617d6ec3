import { LRUCache } from 'lru-cache';
import { meanPrice } from './chunk-cost.ts';

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
