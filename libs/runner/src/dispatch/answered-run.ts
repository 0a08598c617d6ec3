import type { ChunkResult } from '#documents';
import type { RunAnswer } from '../engine.ts';

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
