import type { QueueAdapter } from '#queue';
import type { Engine } from '#runner';
import type { Telemetry } from '#telemetry';
import type { Declined } from './outcome.ts';

export type { Engine } from '#runner';

/** How long evaluations may take, and how many definitions a request may bring, where the client does not ask for less. */
export interface ServiceLimits {
  /** Time for an evaluation whose options name none, ms. */
  readonly deadlineMs: number;
  /** The most that an evaluation's options may ask for, ms. */
  readonly maxDeadlineMs: number;
  /** Definitions a request. */
  readonly maxDefinitions: number;
  /** What becomes of a batch with two definitions of one name. */
  readonly sameNames: 'refused' | 'judged';
}

/** Everything outside that use cases reach. */
export interface ServicePorts {
  readonly queue: QueueAdapter;
  readonly telemetry: Telemetry;
  readonly limits: ServiceLimits;
}

/**
 * The engine as one request has it: its work waits its turn in the admission queue, by flow. A request is admitted before its first piece of
 * work and leaves when it needs the engine no more.
 */
export interface AdmittedEngine extends Engine {
  /** Takes the request in; the 429 where the admission queue, or the flow's part of it, is full. Does nothing for a request that is in. */
  admit(): Declined | undefined;
  /** Takes the request out of the admission queue. Its waiting work is dropped and answered as cancelled. */
  leave(): void;
}

/** An engine that belongs to its only user: everything is admitted. */
export function ownEngine(engine: Engine): AdmittedEngine {
  return { threads: engine.threads, run: (work, settings) => engine.run(work, settings), admit: () => undefined, leave: () => undefined };
}
