import type { Chunk, ChunkResult, SpanRecord } from '#evaluation';
import type { Claim } from '#queue';
import { emitSpans } from '#telemetry';
import type { Telemetry } from '#telemetry';

/** Counts a claimed chunk and records how long it waited. */
export function recordClaim({ metrics }: Telemetry, { queueKey: { level }, waitedMs }: Claim): void {
  metrics.counters.dispatchedChunks.add(1, { level });
  metrics.histograms.waitSeconds.record(waitedMs / 1000, { level });
}

/** Counts a chunk that is given back, since others wait for the seat that its flow borrowed. */
export function recordRequeue({ metrics }: Telemetry, { queueKey: { level } }: Claim): void {
  metrics.counters.chunksRequeued.add(1, { level });
}

/** The times at which a run began and ended, epoch ms. */
type RunTimes = Pick<SpanRecord, 'startMs' | 'endMs'>;

/** Counts the outcomes of a chunk's objects, and emits spans from the measurements of its thread. */
export function recordRun({ metrics }: Telemetry, chunk: Chunk, result: ChunkResult, { startMs, endMs }: RunTimes): void {
  const { counters, histograms } = metrics;
  const { tally } = result;
  for (const outcome of ['accepted', 'rejected', 'notEvaluated', 'cancelled'] as const)
    if (tally[outcome] > 0) counters.objects.add(tally[outcome], { outcome });
  counters.celCost.add(tally.celCost);
  histograms.chunkSeconds.record((endMs - startMs) / 1000);
  if (tally.phases.cel !== undefined) histograms.celSeconds.record(tally.phases.cel / 1000);
  const { traceparent, options } = chunk.settings;
  if (!traceparent) return;
  const attributes = {
    'assay.chunk': chunk.index,
    'assay.chunk.items': chunk.items.length,
    'assay.cel.cost': tally.celCost,
    'assay.kubernetes.version': options.kubernetesVersion,
  };
  emitSpans([{ name: 'run chunk', startMs, endMs, attributes, children: withEnds(result.spans, startMs, endMs) }], traceparent);
}

/**
 * Returns the spans of objects, with one span before the first object and one after the last. During the first, the chunk waits for a
 * thread, which compiles new definitions and policies. During the second, the verdicts are sent back.
 */
function withEnds(objects: readonly SpanRecord[], startMs: number, endMs: number): readonly SpanRecord[] {
  const [first, last] = [objects[0], objects.at(-1)];
  if (first === undefined || last === undefined) return objects;
  // Times are whole milliseconds of two threads: a short wait takes none, or seems to end before it began.
  const between = (name: string, from: number, to: number): SpanRecord => ({
    name,
    startMs: Math.min(from, to),
    endMs: to,
    attributes: {},
    children: [],
  });
  return [between('ready the thread', startMs, first.startMs), ...objects, between('bring verdicts back', last.endMs, endMs)];
}
