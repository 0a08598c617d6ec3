import type { LoadLimits } from '#runner/flow';

/** Limits and periods of a queue, embedded or in Redis. A request that exceeds a limit is refused with status 429. */
export interface QueueLimits extends LoadLimits {
  /** Maximum total size, in bytes, of the definitions that one process has stored (`definition-load.ts`). */
  readonly definitionBytes: number;
  /** Time in ms for which the results of an evaluation are kept after its end. Large results are kept for less time (`retention.ts`). */
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
