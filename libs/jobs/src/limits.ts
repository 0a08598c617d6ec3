import type { LoadLimits } from '#runner/flow';

/** Limits and periods of a queue, embedded or in Redis. A request that exceeds a limit is refused with status 429. */
export interface QueueLimits extends LoadLimits {
  /** Maximum total size, in bytes, of the definitions that one process has stored (`definition-load.ts`). */
  readonly definitionBytes: number;
  /** Time in ms for which the results of an evaluation are kept after its end. Large results are kept for less time (`retentionOf`). */
  readonly retentionMs: number;
  /**
   * Time in ms after which a job whose process gave no sign of life may be taken over. Processes look for such jobs three times in this
   * time, so that a job is taken over after at most twice this time.
   */
  readonly leaseMs: number;
  /** Period in ms in which processes send heartbeats and reconcile the stored data. */
  readonly heartbeatMs: number;
}

/** Default limits of a queue, which the configuration can change. */
export const DEFAULT_QUEUE_LIMITS: QueueLimits = {
  evaluations: 1000,
  waitingBytes: 256 * 1024 * 1024,
  resultBytes: 512 * 1024 * 1024,
  definitionBytes: 512 * 1024 * 1024,
  retentionMs: 3_600_000,
  leaseMs: 4500,
  heartbeatMs: 1000,
};

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
