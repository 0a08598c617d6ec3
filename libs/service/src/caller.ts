import type { Flow } from '#queue';
import type { Span } from '#telemetry';
import type { AdmittedEngine } from './ports.ts';

/** The bounds of one caller. */
export interface CallerLimits {
  /** Cost limits above the server's are permitted. */
  readonly allowUnlimited: boolean;
  /** CEL cost units an evaluation; Infinity: not bounded. */
  readonly maxEvaluationCost: number;
}

/** A caller: its name, the flow of its work, its trace, and the time until which somebody listens. */
export interface Caller {
  /** The name of the access key; undefined where none is asked for. */
  readonly owner: string | undefined;
  readonly flow: Flow;
  readonly limits: CallerLimits;
  readonly engine: AdmittedEngine;
  /** The span that the work belongs to; undefined: it is not traced. */
  readonly span: Span | undefined;
  /** Raised when the client has gone. */
  readonly signal: AbortSignal;
}
