import type { QueuedEngine } from '#runner';
import type { Flow } from '#runner/flow';
import type { Span } from '#telemetry';

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
