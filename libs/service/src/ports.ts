import type { DocumentSlice } from '#evaluation';
import type { BatchSize, PriceBook, QueueAdapter } from '#queue';
import type { Engine } from '#runner';
import type { Telemetry } from '#telemetry';
import type { Overflow } from './evaluate/overflow.ts';
import { answered } from './outcome.ts';
import type { Declined, Outcome } from './outcome.ts';

export type { Engine } from '#runner';

/** Limits of evaluations and requests. Clients may request lower limits. */
export interface ServiceLimits {
  /** Deadline in ms of an evaluation whose options specify no deadline. */
  readonly deadlineMs: number;
  /** Maximum deadline in ms that the options of an evaluation may request. */
  readonly maxDeadlineMs: number;
  /** Maximum number of definitions in a request. */
  readonly maxDefinitions: number;
}

/** External services and limits that use cases depend on. */
export interface ServicePorts {
  /** Queue of detached evaluations, which continue after their request: in this process with a journal, or in Redis. */
  readonly durable: QueueAdapter;
  /** Port that offers runs (stretches of consecutive items) to other processes; undefined if there are no other processes. */
  readonly overflow?: Overflow | undefined;
  /** Prices (expected times per item) that this process has measured or learned from other processes. */
  readonly prices: PriceBook;
  readonly telemetry: Telemetry;
  readonly limits: ServiceLimits;
}

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
 * Returns the number of runs (stretches of consecutive items) of a batch that wait for the engine before the result of the first is read.
 * `threads` is the number of threads of the engine.
 */
export const runsAhead = (threads: number): number => 2 * threads + 2;

/** Engine for the runs (stretches of consecutive items) of one batch. */
export interface BatchEngine extends Engine {
  /** Number of runs that the engine wants to get before the first of them ends. Other processes come and go, so the number changes. */
  readonly ahead: number;
  /** Yields the runs as the engine wants to get them, while it has room for them. The source is not read while it has none. */
  runs(source: AsyncGenerator<readonly DocumentSlice[]>): AsyncGenerator<readonly DocumentSlice[]>;
  /** Returns true if another process evaluated the run that begins with the item `firstItem`. */
  wasElsewhere(firstItem: number): boolean;
  /** Ends the batch. Runs that still wait are answered as not run. */
  close(): void;
}

/**
 * Engine for one request. The work of the request waits for its turn in the admission queue of its flow. A request is admitted before its
 * first work item and leaves when it no longer needs the engine.
 */
export interface AdmittedEngine extends Engine {
  /**
   * Admits the request to the admission queue. Returns a refusal with status 429 if the queue is full, or if the flow's share of it is
   * full. Does nothing if the request is already admitted.
   */
  admit(): Declined | undefined;
  /**
   * Opens a batch, whose runs take the place of the request in the queue. Returns a refusal with status 429 if the queue is full, or if the
   * flow's share of it is full. A request opens at most one batch.
   */
  openBatch(batch: BatchWork): Outcome<BatchEngine>;
  /** Removes the request and its batch from the admission queue. Its waiting work is dropped and reported as cancelled. */
  leave(): void;
}

/** Returns access to an engine that has only one user. It needs no admission queue, so it admits every request. */
export function ownEngine(engine: Engine): AdmittedEngine {
  const run: Engine['run'] = (work, settings) => engine.run(work, settings);
  const batch = {
    threads: engine.threads,
    ahead: engine.threads,
    run,
    runs: (source: AsyncGenerator<readonly DocumentSlice[]>) => source,
    wasElsewhere: () => false,
    close: () => undefined,
  };
  return { threads: engine.threads, run, admit: () => undefined, openBatch: () => answered(batch), leave: () => undefined };
}
