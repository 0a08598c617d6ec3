/** The price of a definition's items is remembered for this time, ms. */
export const PRICE_MS = 86_400_000;

/** Results of an evaluation up to so many bytes are kept for the whole time. */
export const SMALL_RESULT_BYTES = 4 * 1024 * 1024;
/** However large, results are kept for so long, ms, where the whole time is longer. */
export const LEAST_RETENTION_MS = 300_000;

/**
 * Returns the time for which the results of a detached evaluation are kept after its end, ms. Large results are kept for less, in proportion, so that
 * results that nobody fetches do not fill the storage. `retentionMs`: the time for small ones. The Redis scripts have the same (`lua/include/results.lua`).
 */
export function retentionOf(bytes: number, retentionMs: number): number {
  const share = Math.min(1, SMALL_RESULT_BYTES / Math.max(bytes, 1));
  return Math.max(Math.floor(retentionMs * share), Math.min(retentionMs, LEAST_RETENTION_MS));
}
