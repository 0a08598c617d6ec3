import { lostStatus } from '#evaluation';
import type { StudyProgress, StudyService, StudyState } from '#service';
import { traceOf } from '#telemetry';
import { serverEvents } from '../server-events.ts';

/** The findings about a rule. */
type Findings = StudyProgress['latest'];

/** Returns a study as `GET /benchmarks/{id}` shows it. */
export function stateOf({ record, phase, restarts, progress, latest, threadMs, status }: StudyState): Record<string, unknown> {
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

/** Returns the findings about a rule in short. */
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

/** Yields server-sent events: the state whenever it changed, and a last event named after how the study ended. */
export function studyEvents(
  studies: StudyService,
  id: string,
  mayRead: (owner: string | undefined) => boolean,
  signal: AbortSignal,
): AsyncGenerator<string> {
  return serverEvents(
    async () => {
      const state = await studies.find(id, mayRead);
      if (state === undefined) return { event: 'failed', data: lostStatus(), isLast: true };
      const { phase } = state;
      const isLast = phase !== 'waiting' && phase !== 'running';
      return { event: isLast ? phase : 'progress', data: stateOf(state), isLast };
    },
    () => studies.changed(id, signal),
    signal,
  );
}
