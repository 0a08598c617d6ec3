import { internalErrorStatus } from '#kube';
import { addTally, countVerdict, emptyTally, stoppedStatus, unjudgedVerdict } from '#evaluation';
import type { Chunk, ChunkResult, DefinitionText, DocumentSlice } from '#evaluation';
import type { EngineHost } from './engine-host.ts';
import { packItems } from './pack-items.ts';

/**
 * Runs a chunk to its end whatever its objects do. A chunk that breaks its thread or host runs again, with the host to itself; if it breaks
 * that too, it is halved until one object is left, which alone is reported as not evaluated. Neighbours are judged as if nothing happened.
 */
export async function runChunk(
  host: EngineHost,
  chunk: Chunk,
  definitions: readonly DefinitionText[],
  signal?: AbortSignal,
): Promise<ChunkResult> {
  return runItems(chunk.items, chunk.firstItem, false);

  async function runItems(items: readonly DocumentSlice[], firstItem: number, alone: boolean): Promise<ChunkResult> {
    const traced = chunk.settings.traceparent !== undefined;
    const work = { kind: 'evaluate', firstItem, items: packItems(items), settings: chunk.settings, traced } as const;
    const answer = await host.run(work, { definitions, alone, ...(signal && { signal }) });
    if (answer.kind === 'done' && answer.result.kind === 'evaluate') return answer.result.result;
    if (answer.kind === 'cancelled') return unjudged(items, firstItem, 'cancelled');
    const breakage = answer.kind === 'broken' ? answer.breakage : 'engine error';
    if (!alone) return runItems(items, firstItem, true);
    if (items.length === 1) return unjudged(items, firstItem, 'notEvaluated', breakage);
    const half = items.length >> 1;
    const left = await runItems(items.slice(0, half), firstItem, true);
    return joined(left, await runItems(items.slice(half), firstItem + half, true));
  }
}

/** The result of items that were not judged: stopped in time, or found guilty of breaking the engine. */
export function unjudged(
  items: readonly DocumentSlice[],
  firstItem: number,
  outcome: 'cancelled' | 'notEvaluated',
  breakage = '',
): ChunkResult {
  const status =
    outcome === 'cancelled' ? stoppedStatus() : internalErrorStatus(`this object ended the engine that judged it (${breakage})`);
  const tally = emptyTally();
  for (let i = 0; i < items.length; i++) countVerdict(tally, outcome, 0, 0, {});
  return { verdicts: items.map((_, i) => unjudgedVerdict(firstItem + i, outcome, status)), tally, spans: [] };
}

function joined(left: ChunkResult, right: ChunkResult): ChunkResult {
  const tally = emptyTally();
  addTally(tally, left.tally);
  addTally(tally, right.tally);
  return { verdicts: [...left.verdicts, ...right.verdicts], tally, spans: [...left.spans, ...right.spans] };
}
