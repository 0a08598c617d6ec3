import { resultsTooLargeStatus } from '#evaluation';
import type { EvaluationRecord, Progress } from '#jobs';
import { traceOf } from '#telemetry';
import { unknownEvaluation } from '#service';
import type { EvaluationArchive } from '#service';
import { serverEvents } from '../server-events.ts';

/** Returns the state of an evaluation as `GET /evaluations/{id}` shows it. */
export function stateOf(record: EvaluationRecord, progress: Progress): Record<string, unknown> {
  return {
    id: record.id,
    state: progress.phase,
    createdAt: new Date(record.createdAt).toISOString(),
    deadline: new Date(record.settings.deadlineAt).toISOString(),
    chunks: { done: progress.partsDone, total: progress.partsTotal },
    definitions: record.definitions,
    ...(record.policyReports && { policyReports: record.policyReports }),
    summary: progress.tally,
    ...(progress.phase === 'tooLarge' && { status: resultsTooLargeStatus() }),
    ...traceOf(record.settings.traceparent),
  };
}

/**
 * Yields server-sent events about an evaluation: its state after each change, and a last event. The last event is named after the final
 * phase of the evaluation. If the evaluation was deleted or expired, the last event is `failed`, with a 404.
 */
export function progressEvents(
  evaluations: EvaluationArchive,
  id: string,
  mayRead: (owner: string | undefined) => boolean,
  signal: AbortSignal,
): AsyncGenerator<string> {
  return serverEvents(
    async () => {
      const [record, progress] = await Promise.all([evaluations.find(id, mayRead), evaluations.progress(id)]);
      if (!record || !progress) return { event: 'failed', data: unknownEvaluation(id), isLast: true };
      const isLast = progress.phase !== 'receiving' && progress.phase !== 'running';
      return { event: isLast ? progress.phase : 'progress', data: stateOf(record, progress), isLast };
    },
    () => evaluations.changed(id, signal),
    signal,
  );
}
