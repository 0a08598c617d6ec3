/** Time in ms for which the queue remembers how long the items of a definition are expected to take. */
export const PRICE_MS = 86_400_000;

/** Maximum size in bytes of an evaluation's results that are kept for the full retention time. */
export const SMALL_RESULT_BYTES = 4 * 1024 * 1024;
/** Minimum time in ms for which results of any size are kept, unless the full retention time is shorter. */
export const MIN_RETENTION_MS = 300_000;

/**
 * Returns the time in ms for which the results of an evaluation are kept after its end. Large results are kept for proportionally less
 * time, so that results that are never fetched do not fill the storage. `retentionMs` is the time for small results. The Redis scripts use
 * the same rule (`lua/include/life.lua`).
 */
export function retentionOf(bytes: number, retentionMs: number): number {
  const share = Math.min(1, SMALL_RESULT_BYTES / Math.max(bytes, 1));
  return Math.max(Math.floor(retentionMs * share), Math.min(retentionMs, MIN_RETENTION_MS));
}
