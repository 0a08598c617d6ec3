import type { QueueAdapter } from '#jobs';
import type { PriceBook } from '#runner/flow';
import type { Telemetry } from '#telemetry';

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
  /** Prices that this process has measured or learned from other processes. */
  readonly prices: PriceBook;
  readonly telemetry: Telemetry;
  readonly limits: ServiceLimits;
}
