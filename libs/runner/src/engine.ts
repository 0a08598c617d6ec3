import type { ChunkResult, DefinitionText } from '#documents';
import type { Breakage, ResultOf, Work } from './protocol.ts';

/**
 * Result of running a task on the engine. `broken`: the task, or a task that ran at the same time, crashed or blocked its thread or the
 * process that runs the threads. `spentMs` is the time in ms for which the task occupied a thread. `node` is the name of the process that
 * ran the task. Absent if it is known to be this process.
 */
export type RunAnswer<Result> = (
  | { readonly kind: 'done'; readonly result: Result; readonly spentMs: number }
  | { readonly kind: 'cancelled'; readonly spentMs: number }
  | { readonly kind: 'broken'; readonly breakage: Breakage; readonly detail: string; readonly spentMs: number }
) & { readonly node?: string };

/**
 * Result of a task that is cancelled and has used no thread time, because it did not run on a thread. It is also the result if the state of
 * its thread is unknown.
 */
export const NOT_RUN = { kind: 'cancelled', spentMs: 0 } as const satisfies RunAnswer<never>;

/** Options for running one task on an {@link Engine}. */
export interface RunSettings {
  /** Texts of the definitions to which the work refers by digest. */
  readonly definitions?: readonly DefinitionText[];
  /** Signal that stops the work, whether it waits or runs. */
  readonly signal?: AbortSignal;
  /** True if the work must run while its host runs no other work, so that the cause of a crash is certain. */
  readonly alone?: boolean;
  /**
   * True if the work has low priority: it runs on separate threads that pause while other work runs. An engine without such threads ignores
   * this option.
   */
  readonly background?: boolean;
  /** Path of the flow to which the work belongs; absent if the engine has only one user. */
  readonly flow?: string;
}

/**
 * Interface for running tasks on threads. The engine host (the process with the threads) implements it, and so does the admission queue in
 * front of the host.
 */
export interface Engine {
  readonly threads: number;
  /** Runs one task on a thread. Never rejects. */
  run<One extends Work>(work: One, settings?: RunSettings): Promise<RunAnswer<ResultOf<One>>>;
}

/** Returns the result of a run; undefined for other work, and if the run has no result. */
function resultOf(answer: RunAnswer<unknown>): ChunkResult | undefined {
  if (answer.kind !== 'done') return undefined;
  const { result } = answer;
  return typeof result === 'object' && result !== null && 'tally' in result ? (result as ChunkResult) : undefined;
}

/** Returns true if a task was stopped before all of its items were evaluated. */
export function wasStopped(answer: RunAnswer<unknown>): boolean {
  return answer.kind === 'cancelled' || (resultOf(answer)?.tally.cancelled ?? 0) > 0;
}

/** Returns the time in ms that a thread needed for the verdicts of a run; undefined if the run was stopped or has no result. */
export function judgedMsOf(answer: RunAnswer<unknown>): number | undefined {
  return wasStopped(answer) ? undefined : resultOf(answer)?.tally.phases.total;
}
