import type { QueueAdapter } from '#jobs';
import type { QueuedEngine } from '#runner';
import type { Flow, PriceBook } from '#runner/flow';
import type { Span, Telemetry } from '#telemetry';

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

/** Limits of one caller of the service. */
export interface CallerLimits {
  /** True if the caller may use cost limits above the server's limits. */
  readonly allowUnlimited: boolean;
  /** Maximum CEL cost of an evaluation in cost units; Infinity if there is no limit. */
  readonly maxEvaluationCost: number;
}

/** Caller of the service: its name, its flow (the queue for its work), its trace, and a signal that ends its requests. */
export interface Caller {
  /** Name of the access key; undefined if the service requires no key. */
  readonly owner: string | undefined;
  readonly flow: Flow;
  readonly limits: CallerLimits;
  readonly engine: QueuedEngine;
  /** Span to which the work of the request belongs; undefined if the request is not traced. */
  readonly span: Span | undefined;
  /** Signal that is aborted when the client disconnects. */
  readonly signal: AbortSignal;
}
