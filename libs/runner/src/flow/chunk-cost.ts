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
export function meanPrice(known: readonly number[]): number {
  return known.length === 0 ? UNKNOWN_ITEM_MS : known.reduce((sum, price) => sum + price, 0) / known.length;
}
