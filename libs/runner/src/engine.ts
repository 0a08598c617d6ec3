import type { DefinitionText } from '#evaluation';
import type { Breakage, ResultOf, Work } from './protocol.ts';

/** The end of a task. `broken`: it, or a neighbour, took its thread or host down. `spentMs`: the time for which it occupied a thread. */
export type RunAnswer<Result> =
  | { readonly kind: 'done'; readonly result: Result; readonly spentMs: number }
  | { readonly kind: 'cancelled'; readonly spentMs: number }
  | { readonly kind: 'broken'; readonly breakage: Breakage; readonly detail: string; readonly spentMs: number };

/** Answers work that never reached a thread, that was stopped before it did, or of whose thread nothing is known. */
export const NOT_RUN = { kind: 'cancelled', spentMs: 0 } as const satisfies RunAnswer<never>;

/** Options of a task. */
export interface RunSettings {
  /** Texts of the definitions that the work names by digest. */
  readonly definitions?: readonly DefinitionText[];
  /** Stops the work, waiting or running. */
  readonly signal?: AbortSignal;
  /** The work wants a host to itself, so that a crash is surely its own. */
  readonly alone?: boolean;
  /** The work gives way: it runs on threads of its own, which pause while other work runs. An engine without such threads runs it as other work. */
  readonly background?: boolean;
  /** The path of the flow that the work belongs to; absent if the work has only one user. */
  readonly flow?: string;
}

/** A taker of tasks: the engine host itself, or an admission queue in front of it. */
export interface Engine {
  readonly threads: number;
  /** Runs one task on a thread. Never rejects. */
  run<One extends Work>(work: One, settings?: RunSettings): Promise<RunAnswer<ResultOf<One>>>;
}
