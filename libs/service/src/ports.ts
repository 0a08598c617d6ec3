import type { QueueAdapter } from '#queue';
import type { Engine } from '#runner';
import type { Telemetry } from '#telemetry';
import type { Overflow } from './evaluate/overflow.ts';
import type { Declined } from './outcome.ts';

export type { Engine } from '#runner';

/** Limits of evaluations and requests if their client asks for no lower ones. */
export interface ServiceLimits {
  /** Time for an evaluation whose options name none, ms. */
  readonly deadlineMs: number;
  /** The most that an evaluation's options may ask for, ms. */
  readonly maxDeadlineMs: number;
  /** Definitions a request. */
  readonly maxDefinitions: number;
  /** The treatment of a batch with two definitions of one name. */
  readonly sameNames: 'refused' | 'judged';
}

/** Everything outside that use cases reach. */
export interface ServicePorts {
  /** Carries evaluations whose callers wait: in the process that was asked, so that they need no other. */
  readonly queue: QueueAdapter;
  /** Carries detached evaluations, which outlive this process: the same queue with its journal, or the shared queue. */
  readonly durable: QueueAdapter;
  /** Offers work to other processes; absent where there are none. */
  readonly overflow?: Overflow | undefined;
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

/** Returns an engine that belongs to its only user: everything is admitted. */
export function ownEngine(engine: Engine): AdmittedEngine {
  return { threads: engine.threads, run: (work, settings) => engine.run(work, settings), admit: () => undefined, leave: () => undefined };
}
