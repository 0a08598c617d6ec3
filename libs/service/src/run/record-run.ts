import type { ChunkResult, DocumentSlice, EvaluationOptions, SpanRecord } from '#documents';
import { emitSpans } from '#telemetry';
import type { Telemetry } from '#telemetry';

/** Run of consecutive items of which this process evaluated the items. */
export interface RecordedRun {
  readonly firstItem: number;
  readonly items: readonly DocumentSlice[];
  readonly options: EvaluationOptions;
  /** W3C traceparent of the span to which the run belongs; undefined if the request is not traced. */
  readonly traceparent?: string | undefined;
  /** Further attributes of the run's span, such as the name of the process that performed it. */
  readonly attributes?: SpanRecord['attributes'];
}

/** Times at which the evaluation of a chunk began and ended, in epoch ms. */
type RunTimes = Pick<SpanRecord, 'startMs' | 'endMs'>;

/**
 * Records an evaluated chunk (the objects that one thread evaluates together) in the metrics: outcomes, cost and time. If the client
 * requested tracing, also emits trace spans, which contain the times that the thread measured.
 */
export function recordRun({ metrics }: Telemetry, run: RecordedRun, result: ChunkResult, { startMs, endMs }: RunTimes): void {
  const { counters, histograms } = metrics;
  const { tally } = result;
  for (const outcome of ['accepted', 'rejected', 'notEvaluated', 'cancelled'] as const)
    if (tally[outcome] > 0) counters.objects.add(tally[outcome], { outcome });
  counters.celCost.add(tally.celCost);
  histograms.chunkSeconds.record((endMs - startMs) / 1000);
  if (tally.phases.cel !== undefined) histograms.celSeconds.record(tally.phases.cel / 1000);
  const { traceparent, options, firstItem, items } = run;
  if (!traceparent) return;
  const attributes = {
    'assay.chunk.first_item': firstItem,
    'assay.chunk.items': items.length,
    'assay.cel.cost': tally.celCost,
    'assay.kubernetes.version': options.kubernetesVersion,
    ...run.attributes,
  };
  emitSpans([{ name: 'run chunk', startMs, endMs, attributes, children: withEnds(result.spans, startMs, endMs) }], traceparent);
}

/**
 * Returns the spans of objects, with an additional span before the first object and after the last. During the first additional span, the
 * chunk waits for a thread, which compiles new definitions and policies. During the last, the verdicts are sent back.
 */
function withEnds(objects: readonly SpanRecord[], startMs: number, endMs: number): readonly SpanRecord[] {
  const [first, last] = [objects[0], objects.at(-1)];
  if (first === undefined || last === undefined) return objects;
  // The times come from two threads in whole milliseconds, so a short wait may seem to end before it began.
  const between = (name: string, from: number, to: number): SpanRecord => ({
    name,
    startMs: Math.min(from, to),
    endMs: to,
    attributes: {},
    children: [],
  });
  return [between('ready the thread', startMs, first.startMs), ...objects, between('bring verdicts back', last.endMs, endMs)];
}
