import { notFoundStatus } from '#kube';
import type { Status } from '#kube';
import type { Studies, StudyProgress, StudyState } from '#service';
import { traceOf } from '#telemetry';
import type { ShownJobs } from '../jobs/jobs.controller.ts';

/** Findings of a study about one rule. */
type Findings = StudyProgress['latest'];

/** Returns the state of a study in the form of the answer to `GET /benchmarks/{id}`. */
export function studyStateAnswer({ record, phase, restarts, progress, latest, threadMs, status }: StudyState): Record<string, unknown> {
  return {
    id: record.id,
    state: phase,
    createdAt: new Date(record.createdAt).toISOString(),
    budgetMs: record.budgetMs,
    seed: record.seed,
    restarts,
    threadMs: Math.round(threadMs),
    ...(progress && { progress: { ...progress, leftMs: Math.round(progress.leftMs) } }),
    ...(latest && { latest: inShort(latest) }),
    ...(status && { status }),
    ...traceOf(record.traceparent),
  };
}

/**
 * Returns the short form of a study's findings about one rule: its location, the field with which its cost grows most, and its highest
 * cost.
 */
export function inShort({ definition, version, path, growsWith: [steepest], worst, isPartial, notStudied }: Findings): object {
  return {
    definition,
    version,
    path,
    ...(steepest && { growsWith: steepest.field, costExponent: steepest.costExponent }),
    ...(worst && { cost: worst.cost }),
    isPartial,
    ...(notStudied !== undefined && { notStudied }),
  };
}

/** Returns studies as clients see them. */
export const shownStudies = (jobs: Pick<Studies, 'find' | 'changed' | 'remove'>): ShownJobs<StudyState> => ({
  jobs,
  phaseOf: ({ phase }) => phase,
  stateOf: studyStateAnswer,
  unknown: unknownStudy,
});

/**
 * Returns Status 404 for a study that does not exist, or that the client may not read. The two cases have the same answer, so that the
 * client cannot find out if the study exists.
 */
export function unknownStudy(id: string): Status {
  return notFoundStatus({ group: 'assay', resource: 'benchmarks' }, id.slice(0, 64));
}
