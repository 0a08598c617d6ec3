import type { Flow } from '#queue';
import type { Span } from '#telemetry';
import type { AdmittedEngine } from './ports.ts';

/** The bounds of one caller. */
export interface CallerLimits {
  /** Cost limits above the server's are permitted. */
  readonly allowUnlimited: boolean;
  /** Maximum CEL cost of an evaluation in cost units; Infinity if there is no limit. */
  readonly maxEvaluationCost: number;
}

/** Caller of the service: its name, the flow of its work, its trace, and a signal that ends its requests. */
export interface Caller {
  /** The name of the access key; undefined where none is asked for. */
  readonly owner: string | undefined;
  readonly flow: Flow;
  readonly limits: CallerLimits;
  readonly engine: AdmittedEngine;
  /** The span that the work belongs to; undefined: it is not traced. */
  readonly span: Span | undefined;
  /** Signal that is aborted when the client disconnects. */
  readonly signal: AbortSignal;
}
