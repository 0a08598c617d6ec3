import { internalErrorStatus } from '#kube';
import type { Status } from '#kube';
import { addTally, budgetSpentStatus, countVerdict, emptyTally, stoppedStatus, unjudgedVerdict } from '#evaluation';
import type { Chunk, ChunkResult, DefinitionText, DocumentSlice, Outcome } from '#evaluation';
import type { Engine } from './engine.ts';
import { packItems } from './pack-items.ts';

/** What bounds one run of a chunk. */
export interface RunBounds {
  /** Stops it. */
  readonly signal?: AbortSignal;
  /** CEL cost units that are left of the evaluation's budget; undefined: it has none. */
  readonly celLeft?: number;
}

/**
 * Runs a chunk to its end whatever its objects do. A chunk that breaks its thread or host runs again, with the host to itself; if it breaks
 * that too, it is halved until one object is left, which alone is reported as not evaluated. Neighbours are judged as if nothing happened.
 */
export async function runChunk(
  host: Engine,
  chunk: Chunk,
  definitions: readonly DefinitionText[],
  { signal, celLeft }: RunBounds = {},
): Promise<ChunkResult> {
  return runItems(chunk.items, chunk.firstItem, celLeft, false);

  async function runItems(
    items: readonly DocumentSlice[],
    firstItem: number,
    left: number | undefined,
    alone: boolean,
  ): Promise<ChunkResult> {
    if (left !== undefined && left <= 0) return unjudged(items, firstItem, 'notEvaluated', overBudget(chunk));
    const traced = chunk.settings.traceparent !== undefined;
    const work = { kind: 'evaluate', firstItem, items: packItems(items), settings: chunk.settings, traced, celLeft: left } as const;
    const answer = await host.run(work, { definitions, alone, ...(signal && { signal }) });
    if (answer.kind === 'done' && answer.result.kind === 'evaluate') return answer.result.result;
    if (answer.kind === 'cancelled') return unjudged(items, firstItem, 'cancelled', stoppedStatus());
    const breakage = answer.kind === 'broken' ? answer.breakage : 'engine error';
    if (!alone) return runItems(items, firstItem, left, true);
    if (items.length === 1)
      return unjudged(items, firstItem, 'notEvaluated', internalErrorStatus(`this object ended the engine that judged it (${breakage})`));
    const half = items.length >> 1;
    const first = await runItems(items.slice(0, half), firstItem, left, true);
    const rest = left === undefined ? undefined : left - first.celCharge;
    return joined(first, await runItems(items.slice(half), firstItem + half, rest, true));
  }
}

/** The result of items that were not judged, with the Status that says why. */
export function unjudged(
  items: readonly DocumentSlice[],
  firstItem: number,
  outcome: Extract<Outcome, 'cancelled' | 'notEvaluated'>,
  status: Status,
): ChunkResult {
  const tally = emptyTally();
  for (let i = 0; i < items.length; i++) countVerdict(tally, outcome, 0, 0, {});
  return { verdicts: items.map((_, i) => unjudgedVerdict(firstItem + i, outcome, status)), tally, celCharge: 0, spans: [] };
}

function overBudget({ settings }: Chunk): Status {
  const { perEvaluation } = settings.options.costLimits;
  return budgetSpentStatus(typeof perEvaluation === 'number' ? perEvaluation : 0);
}

function joined(left: ChunkResult, right: ChunkResult): ChunkResult {
  const tally = emptyTally();
  addTally(tally, left.tally);
  addTally(tally, right.tally);
  return {
    verdicts: [...left.verdicts, ...right.verdicts],
    tally,
    celCharge: left.celCharge + right.celCharge,
    spans: [...left.spans, ...right.spans],
  };
}
