import { resultsTooLargeStatus } from '#documents';
import type { EvaluationForms } from '#jobs';
import { unknownEvaluation } from '#service';
import type { EvaluationArchive, StoredJob } from '#service';
import { traceOf } from '#telemetry';
import type { ShownJobs } from '../jobs/jobs.controller.ts';

/** Asynchronous evaluation that is stored. */
type StoredEvaluation = StoredJob<EvaluationForms>;

/** Returns the state of an evaluation as `GET /evaluations/{id}` shows it. */
export function evaluationStateAnswer({ record, progress }: StoredEvaluation): Record<string, unknown> {
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

/** Returns the asynchronous evaluations of an archive as clients see them. */
export const shownEvaluations = (jobs: Pick<EvaluationArchive, 'find' | 'changed' | 'remove'>): ShownJobs<StoredEvaluation> => ({
  jobs,
  phaseOf: ({ progress: { phase } }) => phase,
  stateOf: evaluationStateAnswer,
  unknown: unknownEvaluation,
});
