import { lostStatus, resultsTooLargeStatus } from '#evaluation';
import type { EvaluationRecord, Progress } from '#queue';
import { traceOf } from '#telemetry';
import type { EvaluationArchive } from '#service';

/** Events come at most this often, ms. */
const EVENT_INTERVAL_MS = 100;

/** An evaluation as `GET /evaluations/{id}` shows it. */
export function stateOf(record: EvaluationRecord, progress: Progress): Record<string, unknown> {
  return {
    id: record.id,
    state: progress.phase,
    createdAt: new Date(record.createdAt).toISOString(),
    deadline: new Date(record.settings.deadlineAt).toISOString(),
    chunks: { done: progress.chunksDone, total: progress.chunksTotal },
    definitions: record.definitions,
    ...(record.policyReports && { policyReports: record.policyReports }),
    summary: progress.tally,
    ...(progress.phase === 'tooLarge' && { status: resultsTooLargeStatus() }),
    ...traceOf(record.settings.traceparent),
  };
}

/** Server-sent events: the state whenever it changed, and a last event named after how the evaluation ended. */
export async function* progressEvents(
  evaluations: EvaluationArchive,
  id: string,
  mayRead: (owner: string | undefined) => boolean,
  signal: AbortSignal,
): AsyncGenerator<string> {
  for (;;) {
    const change = evaluations.changed(id, signal);
    const [record, progress] = await Promise.all([evaluations.find(id, mayRead), evaluations.progress(id)]);
    if (signal.aborted) return;
    if (!record || !progress) return yield `event: failed\ndata: ${JSON.stringify(lostStatus())}\n\n`;
    const over = progress.phase !== 'receiving' && progress.phase !== 'running';
    yield `event: ${over ? progress.phase : 'progress'}\ndata: ${JSON.stringify(stateOf(record, progress))}\n\n`;
    if (over) return;
    await change;
    await new Promise((resolve) => setTimeout(resolve, EVENT_INTERVAL_MS));
  }
}
