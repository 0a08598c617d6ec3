import type { FlowLimits } from './flow/flow.ts';

/** Limits and periods of a queue, embedded or over Redis. Requests above the limits are refused with status 429. */
export interface QueueLimits {
  /** Maximum number of evaluations that are not over. */
  readonly evaluations: number;
  /** Maximum size, in bytes, of chunks that wait to run. */
  readonly waitingBytes: number;
  /** Maximum size, in bytes, of stored results of detached evaluations (`result-bytes.ts`). */
  readonly resultBytes: number;
  /** Maximum size, in bytes, of definitions that one process has stored (`flow/definition-load.ts`). */
  readonly definitionBytes: number;
  /** Time for which the results of a detached evaluation are kept after its end, ms; less for large ones (`retention.ts`). */
  readonly retentionMs: number;
  /** Time in ms without renewal of its lease after which a claimed chunk is given to another consumer. */
  readonly leaseMs: number;
  /** Time in ms without a heartbeat of the serving process after which an evaluation is dropped if its client waits on that process. */
  readonly servingMs: number;
  /** The period, ms, in which processes send heartbeats, reconcile what is stored, and look for leases that ran out. */
  readonly heartbeatMs: number;
}

/** The bounds of a queue, unless the configuration says otherwise. */
export const DEFAULT_QUEUE_LIMITS: QueueLimits = {
  evaluations: 1000,
  waitingBytes: 256 * 1024 * 1024,
  resultBytes: 512 * 1024 * 1024,
  definitionBytes: 512 * 1024 * 1024,
  retentionMs: 3_600_000,
  leaseMs: 10_000,
  servingMs: 10_000,
  heartbeatMs: 1000,
};

/** The bounds of one flow, unless its key or the configuration says otherwise. */
export const DEFAULT_FLOW_LIMITS: FlowLimits = {
  evaluations: 200,
  chunks: 2000,
  bytes: 128 * 1024 * 1024,
  resultBytes: 128 * 1024 * 1024,
  definitionBytes: 128 * 1024 * 1024,
};
