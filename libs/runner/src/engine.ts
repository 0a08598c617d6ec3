import type { DefinitionText } from '#evaluation';
import type { Breakage, ResultOf, Work } from './protocol.ts';

/**
 * Answer to a task. `broken` means that the task, or another task next to it, crashed its thread or host. `spentMs` is the time in ms for
 * which the task occupied a thread.
 */
export type RunAnswer<Result> =
  | { readonly kind: 'done'; readonly result: Result; readonly spentMs: number }
  | { readonly kind: 'cancelled'; readonly spentMs: number }
  | { readonly kind: 'broken'; readonly breakage: Breakage; readonly detail: string; readonly spentMs: number };

/** Answer to work that never reached a thread, was stopped before it did, or whose thread is in an unknown state. */
export const NOT_RUN = { kind: 'cancelled', spentMs: 0 } as const satisfies RunAnswer<never>;

/** Options of a task. */
export interface RunSettings {
  /** Texts of the definitions that the work names by digest. */
  readonly definitions?: readonly DefinitionText[];
  /** Stops the work, waiting or running. */
  readonly signal?: AbortSignal;
  /** True if the work needs a host without other work, so that a crash can be attributed to it. */
  readonly alone?: boolean;
  /**
   * True if the work has low priority: it runs on separate threads that pause while other work runs. An engine without such threads runs it
   * like other work.
   */
  readonly background?: boolean;
  /** The path of the flow that the work belongs to; absent if the work has only one user. */
  readonly flow?: string;
}

/** Service that runs tasks: the engine host itself, or an admission queue in front of it. */
export interface Engine {
  readonly threads: number;
  /** Runs one task on a thread. Never rejects. */
  run<One extends Work>(work: One, settings?: RunSettings): Promise<RunAnswer<ResultOf<One>>>;
}
