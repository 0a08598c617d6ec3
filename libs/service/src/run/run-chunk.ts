import { budgetSpentStatus, countVerdict, emptyTally, joinResults, stoppedStatus, unjudgedVerdict } from '#documents';
import type { Chunk, ChunkResult, DefinitionText, DocumentSlice, ItemOutcome } from '#documents';
import { internalErrorStatus } from '#kube';
import type { Status } from '#kube';
import type { Breakage, RunSettings } from '#runner';
import type { Engine } from '../ports.ts';

/** Signal and limits for the run (the evaluation on the engine) of a chunk. */
export interface RunBounds {
  /** Signal that stops the run. */
  readonly signal?: AbortSignal;
  /** CEL cost units that remain of the evaluation's budget; undefined if the evaluation has no budget. */
  readonly celLeft?: number;
  /** Identification of the flow to which the chunk belongs, in the form `level/flow`. */
  readonly flow?: string;
  /** Number of items in each part into which the chunk is split; by default the chunk is run as one part. */
  readonly partItems?: number;
}

/** Result of running a chunk of an evaluation, and the thread time that the run took. */
export interface ChunkRun {
  readonly result: ChunkResult;
  /** Time in ms that the chunk took on the engine's threads. */
  readonly spentMs: number;
  /** Results of the items that this process evaluated; undefined if other processes evaluated all items. */
  readonly judgedHere: ChunkResult | undefined;
}

/**
 * Evaluates the items (objects) of a chunk until each item has a result, even if some items break the engine ({@link runItems}). If
 * `bounds.partItems` is set, the chunk is split into parts with this number of items, which are all queued at the same time.
 */
export async function runChunk(
  engine: Engine,
  chunk: Chunk,
  definitions: readonly DefinitionText[],
  bounds: RunBounds = {},
): Promise<ChunkRun> {
  const work = new ChunkWork(engine, chunk, definitions, bounds);
  const { items, firstItem } = chunk;
  const length = Math.max(1, bounds.partItems ?? items.length);
  const parts = Array.from({ length: Math.max(1, Math.ceil(items.length / length)) }, (_, i) =>
    runItems(work, items.slice(i * length, (i + 1) * length), firstItem + i * length),
  );
  const results = await Promise.all(parts);
  const result = joinResults(results);
  const here = results.filter((part) => !work.elsewhere.has(part));
  const judgedHere = here.length === results.length ? result : here.length === 0 ? undefined : joinResults(here);
  return { result, spentMs: work.spentMs, judgedHere };
}

class ChunkWork implements ItemWork<ChunkResult> {
  spentMs = 0;
  /** Results that other processes sent. */
  readonly elsewhere = new WeakSet<ChunkResult>();
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
    if (celLeft !== undefined && celLeft <= 0) return done(withoutVerdict(items, firstItem, 'notEvaluated', this.#overBudget()));
    const answer = await this.#engine.run(
      { kind: 'evaluate', firstItem, items, settings, traceparent: settings.traceparent, celLeft },
      { ...this.#runSettings, alone },
    );
    this.spentMs += answer.spentMs;
    if (answer.kind === 'cancelled') return done(withoutVerdict(items, firstItem, 'cancelled', stoppedStatus()));
    if (answer.kind === 'broken') return { kind: 'broken', breakage: answer.breakage };
    const { result, node } = answer;
    if (node !== undefined) this.elsewhere.add(result);
    if (celLeft !== undefined) this.#celLeft = celLeft - result.celCharge;
    return done(result);
  }

  resultOfFault(item: DocumentSlice, index: number, breakage: Breakage): ChunkResult {
    return withoutVerdict([item], index, 'notEvaluated', internalErrorStatus(`this object ended the engine that judged it (${breakage})`));
  }

  join(first: ChunkResult, second: ChunkResult): ChunkResult {
    return joinResults([first, second]);
  }

  #overBudget(): ReturnType<typeof budgetSpentStatus> {
    const { perEvaluation } = this.#chunk.settings.options.costLimits;
    return budgetSpentStatus(typeof perEvaluation === 'number' ? perEvaluation : 0);
  }
}

const done = <Result>(result: Result): Attempt<Result> => ({ kind: 'done', result });

/** Returns a result for items that were not evaluated. Each verdict contains `status`, which states the reason. */
export function withoutVerdict(
  items: readonly DocumentSlice[],
  firstItem: number,
  outcome: Extract<ItemOutcome, 'cancelled' | 'notEvaluated'>,
  status: Status,
): ChunkResult {
  const tally = emptyTally();
  for (let i = 0; i < items.length; i++) countVerdict(tally, outcome, 0, 0, {});
  return { verdicts: items.map((_, i) => unjudgedVerdict(firstItem + i, outcome, status)), tally, celCharge: 0, spans: [] };
}

/**
 * Result of one attempt to process consecutive items together. `broken`: the items broke the worker thread or the engine process, and
 * `breakage` is the kind of failure.
 */
export type Attempt<Result> = { readonly kind: 'done'; readonly result: Result } | { readonly kind: 'broken'; readonly breakage: Breakage };

/**
 * Operations by which {@link runItems} processes items (objects of a batch) of one kind of work. It evaluates items, creates the result for
 * an item that crashes or blocks the engine, and joins results.
 */
export interface ItemWork<Result> {
  /** Runs consecutive items. If `alone` is true, the host runs no other work at the same time. */
  run(items: readonly DocumentSlice[], firstItem: number, alone: boolean): Promise<Attempt<Result>>;
  /** Returns the result for an item that breaks the engine even if it runs alone. */
  resultOfFault(item: DocumentSlice, index: number, breakage: Breakage): Result;
  join(first: Result, second: Result): Result;
}

/**
 * Evaluates items (objects) until each item has a result, even if some items crash or block the engine. The engine reports `broken` only if
 * these items themselves were the cause.
 *
 * If an attempt is broken, its items are halved, and each half runs alone. This repeats until only one item is left. Only that item is
 * reported as guilty, and all other items get their usual verdicts.
 */
export async function runItems<Result>(
  work: ItemWork<Result>,
  items: readonly DocumentSlice[],
  firstItem: number,
  { alone = false } = {},
): Promise<Result> {
  const attempt = await work.run(items, firstItem, alone);
  if (attempt.kind === 'done') return attempt.result;
  const [only] = items;
  if (only && items.length === 1) return work.resultOfFault(only, firstItem, attempt.breakage);
  const half = items.length >> 1;
  const left = await runItems(work, items.slice(0, half), firstItem, { alone: true });
  return work.join(left, await runItems(work, items.slice(half), firstItem + half, { alone: true }));
}
