import { internalErrorStatus } from '#kube';
import { addTally, budgetSpentStatus, emptyTally, stoppedStatus } from '#evaluation';
import type { Chunk, ChunkResult, DefinitionText, DocumentSlice } from '#evaluation';
import type { Breakage, RunSettings } from '#runner';
import type { Engine } from '../ports.ts';
import { runItems } from './run-items.ts';
import type { Attempt, ItemWork } from './run-items.ts';
import { unjudged } from './unjudged.ts';

/** What bounds one run of a chunk. */
export interface RunBounds {
  /** Stops it. */
  readonly signal?: AbortSignal;
  /** CEL cost units that are left of the evaluation's budget; undefined: it has none. */
  readonly celLeft?: number;
  /** The path of the chunk's flow. */
  readonly flow?: string;
}

/** A chunk that ran. */
export interface ChunkRun {
  readonly result: ChunkResult;
  /** What it took of the engine's threads, ms. */
  readonly spentMs: number;
}

/** Runs a chunk to its end, whatever its objects do to the engine ({@link runItems}). */
export async function runChunk(
  engine: Engine,
  chunk: Chunk,
  definitions: readonly DefinitionText[],
  bounds: RunBounds = {},
): Promise<ChunkRun> {
  const work = new ChunkWork(engine, chunk, definitions, bounds);
  const result = await runItems(work, chunk.items, chunk.firstItem);
  return { result, spentMs: work.spentMs };
}

class ChunkWork implements ItemWork<ChunkResult> {
  spentMs = 0;
  readonly #engine: Engine;
  readonly #chunk: Chunk;
  readonly #runSettings: RunSettings;
  #celLeft: number | undefined;

  constructor(engine: Engine, chunk: Chunk, definitions: readonly DefinitionText[], { signal, celLeft, flow }: RunBounds) {
    this.#engine = engine;
    this.#chunk = chunk;
    this.#runSettings = { definitions, ...(signal && { signal }), ...(flow !== undefined && { flow }) };
    this.#celLeft = celLeft;
  }

  async run(items: readonly DocumentSlice[], firstItem: number, alone: boolean): Promise<Attempt<ChunkResult>> {
    const { settings } = this.#chunk;
    const celLeft = this.#celLeft;
    if (celLeft !== undefined && celLeft <= 0) return done(unjudged(items, firstItem, 'notEvaluated', this.#overBudget()));
    const answer = await this.#engine.run(
      { kind: 'evaluate', firstItem, items, settings, traceparent: settings.traceparent, celLeft },
      { ...this.#runSettings, alone },
    );
    this.spentMs += answer.spentMs;
    if (answer.kind === 'cancelled') return done(unjudged(items, firstItem, 'cancelled', stoppedStatus()));
    if (answer.kind === 'broken') return { kind: 'broken', breakage: answer.breakage };
    const { result } = answer;
    if (celLeft !== undefined) this.#celLeft = celLeft - result.celCharge;
    return done(result);
  }

  guilty(item: DocumentSlice, index: number, breakage: Breakage): ChunkResult {
    return unjudged([item], index, 'notEvaluated', internalErrorStatus(`this object ended the engine that judged it (${breakage})`));
  }

  join(first: ChunkResult, second: ChunkResult): ChunkResult {
    const tally = emptyTally();
    addTally(tally, first.tally);
    addTally(tally, second.tally);
    return {
      verdicts: [...first.verdicts, ...second.verdicts],
      tally,
      celCharge: first.celCharge + second.celCharge,
      spans: [...first.spans, ...second.spans],
    };
  }

  #overBudget(): ReturnType<typeof budgetSpentStatus> {
    const { perEvaluation } = this.#chunk.settings.options.costLimits;
    return budgetSpentStatus(typeof perEvaluation === 'number' ? perEvaluation : 0);
  }
}

const done = <Result>(result: Result): Attempt<Result> => ({ kind: 'done', result });
