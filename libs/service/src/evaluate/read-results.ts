import { randomUUID } from 'node:crypto';
import { timeoutStatus } from '#kube';
import { joinResults, lostStatus, splitBatch, steadyNow, stoppedStatus } from '#evaluation';
import type { ChunkResult, DocumentSlice } from '#evaluation';
import type { EvaluationRecord } from '#queue';
import { untilDeadline } from '../deadline.ts';
import { declined } from '../outcome.ts';
import type { Declined } from '../outcome.ts';
import type { ServicePorts } from '../ports.ts';
import { unjudged } from '../run/unjudged.ts';
import { cancelEvaluation } from './cancel-evaluation.ts';
import { queueWhenRoom, untilTaken } from './queue-runs.ts';
import type { QueuedRun } from './queue-runs.ts';

/**
 * Time in ms after the deadline for which results are still awaited. Within this time, each consumer reports as cancelled the items whose
 * evaluation it has not begun.
 */
const LATE_RESULT_MS = 5000;

/** Result of a chunk (the items of an evaluation that one thread evaluates together), and the way in which the chunk ended. */
export interface ChunkAnswer {
  readonly result: ChunkResult;
  /** Way in which the chunk ended. `lost`: the queue no longer has the chunk; `cancelled`: the evaluation ended early. */
  readonly end: 'judged' | 'cancelled' | 'lost';
}

/**
 * Yields the results of an evaluation's chunks (groups of items that one thread evaluates together), in input order. If a chunk gets no
 * result, its items are reported as cancelled. If the queue lost the chunk, its items are reported as not evaluated. After the last result,
 * or when the caller stops reading, ends and deletes the evaluation.
 */
export async function* readResults(
  ports: ServicePorts,
  record: EvaluationRecord,
  runs: AsyncIterable<QueuedRun> | readonly QueuedRun[],
  signal: AbortSignal,
): AsyncGenerator<ChunkAnswer> {
  const late = cancelWhenLate(ports, record);
  const ends: ChunkAnswer['end'][] = [];
  let whole = false;
  try {
    for await (const run of runs) {
      const answer = await answerOf(ports, record, run, signal);
      if (!ends.includes(answer.end)) ends.push(answer.end);
      yield answer;
    }
    whole = true;
    countEnd(ports, record, ends);
  } finally {
    await end(ports, record, late, whole);
  }
}

/**
 * Returns the failure of a request, which its first chunk determines. The request fails if the queue lost this chunk, or if the deadline
 * passed before any object of the chunk was evaluated. Returns undefined if there is no failure.
 */
export function failureOf({ end, result: { tally } }: ChunkAnswer): Declined | undefined {
  if (end === 'lost') return declined('lost', lostStatus());
  if (tally.cancelled === 0 || tally.cancelled < tally.items) return undefined;
  return declined('late', timeoutStatus('the deadline of the evaluation passed before any object was judged', 0, 408));
}

/**
 * Waits for the result of an evaluation that has only one chunk, and returns it. Then ends and deletes the evaluation, like {@link
 * readResults}. The evaluation counts as complete unless {@link failureOf} returns a failure for the result.
 */
export async function readResult(ports: ServicePorts, record: EvaluationRecord, run: QueuedRun, signal: AbortSignal): Promise<ChunkAnswer> {
  const late = cancelWhenLate(ports, record);
  let whole = false;
  try {
    const answer = await answerOf(ports, record, run, signal);
    whole = failureOf(answer) === undefined;
    if (whole) countEnd(ports, record, [answer.end]);
    return answer;
  } finally {
    await end(ports, record, late, whole);
  }
}

/** Ends and deletes an evaluation. If `whole` is false, not all results were read, so the evaluation is cancelled first. */
async function end(ports: ServicePorts, { id }: EvaluationRecord, late: NodeJS.Timeout, whole: boolean): Promise<void> {
  clearTimeout(late);
  ports.overflow?.end(id);
  if (!whole) await cancelEvaluation(ports, id).catch(() => undefined);
  // Forgetting only frees memory, so it is not awaited; where it fails, the evaluation expires.
  void ports.queue.results.forget(id).catch(() => undefined);
}

async function answerOf(ports: ServicePorts, record: EvaluationRecord, run: QueuedRun, signal: AbortSignal): Promise<ChunkAnswer> {
  const { results } = ports.queue;
  const { id } = record;
  const { index, items, firstItem, overflowResult } = run;
  const result = overflowResult ? await overflowResult : await results.result(id, index, signal);
  if (result) {
    if (!overflowResult) void results.discard(id, index).catch(() => undefined);
    return { result, end: 'judged' };
  }
  const cancelled = signal.aborted || (await results.progress(id))?.phase === 'cancelled';
  return overflowResult && !cancelled ? judgeHere(ports, record, run, signal) : unanswered(items, firstItem, cancelled);
}

/** Returns an answer for items that will get no result: cancelled if `cancelled` is true, otherwise lost. */
function unanswered(items: readonly DocumentSlice[], firstItem: number, cancelled: boolean): ChunkAnswer {
  return cancelled
    ? { result: unjudged(items, firstItem, 'cancelled', stoppedStatus()), end: 'cancelled' }
    : { result: unjudged(items, firstItem, 'notEvaluated', lostStatus()), end: 'lost' };
}

/**
 * Evaluates a run (stretch of consecutive items) in this process, as a separate evaluation, because no other process answered the offer of
 * the run.
 */
async function judgeHere(ports: ServicePorts, record: EvaluationRecord, run: QueuedRun, signal: AbortSignal): Promise<ChunkAnswer> {
  const again = { ...record, id: randomUUID() };
  const { work, results, cancellations } = ports.queue;
  const parts: ChunkResult[] = [];
  await untilTaken(() => work.accept(again), untilDeadline(signal, record.settings.deadlineAt));
  const chunks = splitBatch(run.items, record.itemMs);
  const queueing = queueEach(ports, again, run.firstItem, chunks);
  for (const index of chunks.keys()) {
    const result = await results.result(again.id, index, signal);
    if (!result) break;
    parts.push(result);
  }
  await cancellations.cancel(again.id);
  await queueing;
  void results.forget(again.id).catch(() => undefined);
  const result = joinResults(parts);
  const rest = run.items.slice(result.verdicts.length);
  if (rest.length === 0) return { result, end: 'judged' };
  const missing = unanswered(rest, run.firstItem + result.verdicts.length, signal.aborted);
  return { ...missing, result: joinResults([result, missing.result]) };
}

/** Queues the chunks one after another, and stops early if the evaluation has ended. */
async function queueEach(
  { queue: { work } }: ServicePorts,
  record: EvaluationRecord,
  firstItem: number,
  chunks: readonly (readonly DocumentSlice[])[],
): Promise<void> {
  let first = firstItem;
  for (const items of chunks) {
    if (!(await queueWhenRoom(work, record, first, items))) return;
    first += items.length;
  }
}

/**
 * Schedules the cancellation of an evaluation for some time after its deadline. It takes effect if no consumer has cancelled the
 * evaluation.
 */
function cancelWhenLate(ports: ServicePorts, { id, settings }: EvaluationRecord): NodeJS.Timeout {
  return setTimeout(
    () => void cancelEvaluation(ports, id).catch(() => undefined),
    Math.max(0, settings.deadlineAt - steadyNow()) + LATE_RESULT_MS,
  ).unref();
}

/** Counts the end of an evaluation whose caller waited, and records its duration. The end of a cancelled evaluation was already counted. */
function countEnd({ telemetry }: ServicePorts, { createdAt }: EvaluationRecord, ends: readonly ChunkAnswer['end'][]): void {
  const { counters, histograms } = telemetry.metrics;
  if (ends.includes('lost')) counters.evaluations.add(1, { end: 'lost' });
  else if (!ends.includes('cancelled')) counters.evaluations.add(1, { end: 'complete' });
  histograms.evaluationSeconds.record((steadyNow() - createdAt) / 1000);
}
