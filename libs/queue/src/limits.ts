import type { FlowLimits } from './flow/flow.ts';

/** The bounds and the periods of a queue of either kind. Beyond the bounds clients get a 429. */
export interface QueueLimits {
  /** Evaluations that are not over. */
  readonly evaluations: number;
  /** Bytes of chunks that wait to be run. */
  readonly waitingBytes: number;
  /** Bytes of results of detached evaluations that are kept (`result-bytes.ts`). */
  readonly resultBytes: number;
  /** Bytes of definitions that one process has stored (`flow/definition-load.ts`). */
  readonly definitionBytes: number;
  /** Time for which the results of a detached evaluation are kept after its end, ms; less for large ones (`retention.ts`). */
  readonly retentionMs: number;
  /** A claimed chunk is given to another consumer when its own did not renew the lease for so long, ms. */
  readonly leaseMs: number;
  /** An evaluation that a client waits for is dropped when the process that serves it sent no heartbeat for so long, ms. */
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
