import type { QueueAdapter } from '#queue';
import type { Engine } from '#runner';
import type { Telemetry } from '#telemetry';
import type { Overflow } from './evaluate/overflow.ts';
import type { Declined } from './outcome.ts';

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
  /**
   * Queue of evaluations whose callers wait for the answer. It lives in the process that received the request, so no other process is
   * needed.
   */
  readonly queue: QueueAdapter;
  /**
   * Queue of detached evaluations, which continue after this process ends. It is `queue` if `queue` has a journal, otherwise the shared
   * queue.
   */
  readonly durable: QueueAdapter;
  /** Port that offers runs (stretches of consecutive items) to other processes; undefined if there are no other processes. */
  readonly overflow?: Overflow | undefined;
  readonly telemetry: Telemetry;
  readonly limits: ServiceLimits;
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
  /** Removes the request from the admission queue. Its waiting work is dropped and reported as cancelled. */
  leave(): void;
}

/** Returns access to an engine that has only one user. It needs no admission queue, so it admits every request. */
export function ownEngine(engine: Engine): AdmittedEngine {
  return { threads: engine.threads, run: (work, settings) => engine.run(work, settings), admit: () => undefined, leave: () => undefined };
}
