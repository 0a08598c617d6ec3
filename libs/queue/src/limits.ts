/** What bounds the embedded queue; beyond it clients get 429. */
export interface QueueLimits {
  /** Evaluations that are not over. */
  readonly evaluations: number;
  /** Bytes of chunks that wait to be run. */
  readonly waitingBytes: number;
  /** How long the results of a detached evaluation are kept after its end, ms. */
  readonly retentionMs: number;
}

export const DEFAULT_QUEUE_LIMITS: QueueLimits = { evaluations: 1000, waitingBytes: 256 * 1024 * 1024, retentionMs: 3_600_000 };
