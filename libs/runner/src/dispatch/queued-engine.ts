import { CHUNK_LIMITS } from '#documents';
import type { DocumentSlice, RunLimits } from '#documents';
import type { Status } from '#kube';
import type { Engine } from '../engine.ts';
import type { BatchSize } from '../flow/index.ts';

/** Properties of a batch (the objects of one evaluation) by which its runs wait for threads. */
export interface BatchWork {
  /** Expected time of an item on a thread, in ms. */
  readonly itemMs: number;
  /** Digest of the definition whose price the runs teach; undefined if the batch has several definitions or none. */
  readonly priced: string | undefined;
  /** True if no other task may wait in the engine behind a run, because the cost of the run decides about the next one. */
  readonly isAlone: boolean;
  /** Size of a batch that has arrived, which is accepted as a whole or not at all; undefined if the batch still arrives. */
  readonly whole: BatchSize | undefined;
}

/**
 * Returns the number of runs of a batch that wait for the engine before the result of the first is read. `threads` is the number of threads
 * of the engine.
 */
export const runsAhead = (threads: number): number => 2 * threads + 2;

/** Engine for the runs of consecutive items of one batch. */
export interface BatchEngine extends Engine {
  /** Number of runs that the engine wants to get before the first of them ends. Other processes come and go, so the number changes. */
  readonly ahead: number;
  /** Limits of a run that begins now. Other processes come and go, so the limits change. */
  readonly runLimits: RunLimits;
  /** Yields the runs as the engine wants to get them, while it has room for them. The source is not read while it has none. */
  runs(source: AsyncGenerator<readonly DocumentSlice[]>): AsyncGenerator<readonly DocumentSlice[]>;
  /** Ends the batch. Runs that still wait are answered as not run. */
  close(): void;
}

/** Answer to the opening of a batch: its engine, or a Status with code 429. The queue is full then, or the flow's share of it is. */
export type OpenedBatch = { readonly kind: 'open'; readonly engine: BatchEngine } | { readonly kind: 'full'; readonly status: Status };

/**
 * Engine for one request. The work of the request waits for its turn in the admission queue of its flow. A request is admitted before its
 * first work item and leaves when it no longer needs the engine.
 */
export interface QueuedEngine extends Engine {
  /**
   * Admits the request to the admission queue. Returns a Status with code 429 if the queue is full, or if the flow's share of it is full.
   * Does nothing if the request is already admitted.
   */
  enterQueue(): Status | undefined;
  /** Opens a batch, whose runs take the place of the request in the queue. A request opens at most one batch. */
  openBatch(batch: BatchWork): OpenedBatch;
  /** Removes the request and its batch from the admission queue. Its waiting work is dropped and reported as cancelled. */
  leaveQueue(): void;
}

/** Returns access to an engine that has only one user. It needs no admission queue, so it admits every request. */
export function unqueuedEngine(engine: Engine): QueuedEngine {
  const run: Engine['run'] = (work, settings) => engine.run(work, settings);
  const batch = {
    threads: engine.threads,
    ahead: engine.threads,
    runLimits: CHUNK_LIMITS,
    run,
    runs: (source: AsyncGenerator<readonly DocumentSlice[]>) => source,
    close: () => undefined,
  };
  return {
    threads: engine.threads,
    run,
    enterQueue: () => undefined,
    openBatch: () => ({ kind: 'open', engine: batch }),
    leaveQueue: () => undefined,
  };
}
