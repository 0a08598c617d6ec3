/**
 * Expected time of a chunk on a seat, in ms. Objects are priced by the time that earlier objects of the same definitions took (an
 * exponentially weighted moving average, EWMA). Bytes are priced by the time for reading them. A wrong estimate is corrected when the chunk
 * is done, so an approximate value is sufficient.
 */

/** Estimated thread time of an object whose definition was not seen before, ms. */
export const UNKNOWN_ITEM_MS = 0.1;
/** Time for reading in ms per byte, which corresponds to about 100 MB/s. */
export const MS_PER_BYTE = 1e-5;
/** Lower and upper limit of an estimated cost, in ms. */
export const LEAST_COST_MS = 1;
export const GREATEST_COST_MS = 60_000;
/** Weight of a new sample in the average. A sample with fewer than `SAMPLE_ITEMS` items has less weight, because cold code distorts it. */
export const LEARNING_RATE = 0.3;
export const SAMPLE_ITEMS = 25;
/**
 * Upper limit of a sample, as a multiple of the average, but at least `LEAST_SAMPLE_CAP_MS` ms. The limit excludes times that result from
 * cold code or busy machines.
 */
export const SAMPLE_GROWTH = 4;
export const LEAST_SAMPLE_CAP_MS = 0.05;
/** Returns the time that a chunk is expected to occupy a thread, ms. */
export function expectedMs(itemMs: number, items: number, bytes: number): number {
  return items * itemMs + bytes * MS_PER_BYTE;
}

/** Returns the time that a flow is charged for a chunk before it runs, ms. */
export function chunkCost(itemMs: number, items: number, bytes: number): number {
  return Math.min(Math.max(expectedMs(itemMs, items, bytes), LEAST_COST_MS), GREATEST_COST_MS);
}

/** Returns the price of an item after the items of a chunk took `judgedMs` on their thread (without compiling definitions and passing messages). */
export function learnedPrice(itemMs: number, items: number, bytes: number, judgedMs: number): number {
  const measured = Math.max(judgedMs - bytes * MS_PER_BYTE, 0) / Math.max(items, 1);
  const sample = Math.min(measured, Math.max(itemMs * SAMPLE_GROWTH, LEAST_SAMPLE_CAP_MS));
  return itemMs + (sample - itemMs) * LEARNING_RATE * Math.min(items / SAMPLE_ITEMS, 1);
}

/** Returns the price of an item of several definitions, ms: the mean of the known prices. */
export function meanPrice(known: readonly number[]): number {
  return known.length === 0 ? UNKNOWN_ITEM_MS : known.reduce((sum, price) => sum + price, 0) / known.length;
}
