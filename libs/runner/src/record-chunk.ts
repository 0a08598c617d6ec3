import type { Chunk, ChunkResult } from '#evaluation';
import { counters, emitSpans, histograms } from '#telemetry';
import type { ChunkObserver, ClaimedChunk } from './consume-chunks.ts';

/** Makes spans of what the threads measured of a chunk, and counts. */
export const chunkRecorder: ChunkObserver = { claimed: recordClaim, ran: recordChunk };

function recordClaim({ level, waitedMs }: ClaimedChunk): void {
  counters.dispatchedChunks.add(1, { level });
  histograms.waitSeconds.record(waitedMs / 1000, { level });
}

function recordChunk(chunk: Chunk, result: ChunkResult, startMs: number, endMs: number): void {
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
  emitSpans([{ name: 'run chunk', startMs, endMs, attributes, children: result.spans }], traceparent);
}
