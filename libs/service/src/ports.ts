import type { QueueAdapter } from '#queue';
import type { Engine } from '#runner';
import type { Telemetry } from '#telemetry';
import type { Overflow } from './evaluate/overflow.ts';
import type { Declined } from './outcome.ts';

export type { Engine } from '#runner';

/** Limits of evaluations and requests that apply if the client does not request lower ones. */
export interface ServiceLimits {
  /** Deadline in ms of an evaluation whose options set none. */
  readonly deadlineMs: number;
  /** Longest deadline in ms that the options of an evaluation may request. */
  readonly maxDeadlineMs: number;
  /** Highest number of definitions in a request. */
  readonly maxDefinitions: number;
  /** Treatment of a batch with two definitions of the same name: the batch is refused or judged. */
  readonly sameNames: 'refused' | 'judged';
}

/** External services and limits that use cases depend on. */
export interface ServicePorts {
  /**
   * Queue of evaluations whose callers wait for the answer. It lives in the process that received the request, so no other process is
   * needed.
   */
  readonly queue: QueueAdapter;
  /** Queue of detached evaluations, which continue after this process ends: the same queue with its journal, or the shared queue. */
  readonly durable: QueueAdapter;
  /** Port that offers work to other processes; undefined if there are none. */
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
   * Admits the request to the admission queue. Returns a 429 if the queue, or the flow's part of it, is full. Does nothing if the request
   * is already admitted.
   */
  admit(): Declined | undefined;
  /** Removes the request from the admission queue. Work that still waits is dropped and reported as cancelled. */
  leave(): void;
}

/** Returns an admitted engine without an admission queue, for an engine with a single user. It admits every request. */
export function ownEngine(engine: Engine): AdmittedEngine {
  return { threads: engine.threads, run: (work, settings) => engine.run(work, settings), admit: () => undefined, leave: () => undefined };
}
