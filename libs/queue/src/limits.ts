import type { FlowLimits } from './flow/flow.ts';

/** What bounds a queue of either kind; beyond it clients get 429. */
export interface QueueLimits {
  /** Evaluations that are not over. */
  readonly evaluations: number;
  /** Bytes of chunks that wait to be run. */
  readonly waitingBytes: number;
  /** How long the results of a detached evaluation are kept after its end, ms. */
  readonly retentionMs: number;
  /** A claimed chunk is given to somebody else when its consumer was not heard of for so long, ms. */
  readonly leaseMs: number;
  /** An evaluation that a client waits for is dropped when the process that serves it was not heard of for so long, ms. */
  readonly attendanceMs: number;
}

/** What bounds a queue where the configuration does not say otherwise. */
export const DEFAULT_QUEUE_LIMITS: QueueLimits = {
  evaluations: 1000,
  waitingBytes: 256 * 1024 * 1024,
  retentionMs: 3_600_000,
  leaseMs: 10_000,
  attendanceMs: 10_000,
};

/** Of one flow, where its key or the configuration does not say otherwise. */
export const DEFAULT_FLOW_LIMITS: FlowLimits = { evaluations: 200, chunks: 2000, bytes: 128 * 1024 * 1024 };

/** Leases are renewed, expired ones looked for, and the state of running chunks is read again this often, ms. */
export const TEND_MS = 1000;
