import { epochNow, withoutSpans } from '#documents';
import { NOT_RUN } from '#runner';
import type { Dispatcher, Engine, OfferAnswer, OfferedTask } from '#runner';
import { flowPath } from '#runner/flow';
import type { Telemetry } from '#telemetry';
import { recordRun } from '../run/record-run.ts';

/** Parts of a process that perform tasks of other processes. */
export interface OfferedWorkPorts {
  /** Engine whose background threads perform the cells of studies. */
  readonly engine: Engine;
  /** Dispatcher, in whose fair queue runs wait beside the work of this process's own clients. */
  readonly dispatcher: Dispatcher;
  readonly telemetry: Telemetry;
  /** Name of this process. Each answer contains it. */
  readonly node: string;
}

/** Performs a task that another process offered, until its end or until the signal is aborted. Never rejects. */
export async function performOffered(
  { engine, dispatcher, telemetry, node }: OfferedWorkPorts,
  { id, kind, work, queueKey, expectedMs, definitions }: OfferedTask,
  signal: AbortSignal,
): Promise<OfferAnswer> {
  telemetry.metrics.counters.offeredWork.add(1, { kind, end: 'performed' });
  const flow = flowPath(queueKey);
  if (kind === 'cells') return { ...(await engine.run(work, { signal, background: true, flow })), node };
  // A process of another release may offer other kinds of work.
  if (work.kind !== 'evaluate') return NOT_RUN;
  const admitted = dispatcher.openRun({ queueKey, id, expectedMs, work });
  const startMs = epochNow();
  const answer = await admitted.run(work, { definitions, signal });
  admitted.leaveQueue();
  if (answer.kind !== 'done') return { ...answer, node };
  recordRun(telemetry, { ...work, options: work.settings.options, attributes: { 'assay.node': node } }, answer.result, {
    startMs,
    endMs: epochNow(),
  });
  return { ...answer, result: withoutSpans(answer.result), node };
}
