import type { ChunkResult, DocumentSlice } from '#documents';
import { epochNow, hasBudget } from '#documents';
import type { PreparedBatch } from '../judge/prepared-batch.ts';
import type { Engine } from '../ports.ts';
import { runChunk } from '../run/run-chunk.ts';
import { runsInOrder } from './cut-runs.ts';
import type { ItemRun } from './cut-runs.ts';

/** Options of the evaluation of runs of consecutive items. */
export interface RunsOptions {
  /** Signal that stops the evaluation. Items without a verdict at this time get the outcome `cancelled`. */
  readonly signal?: AbortSignal | undefined;
  /**
   * Number of runs that are evaluated at a time, by default one for each thread of the engine. With a cost budget for the whole batch, runs
   * are evaluated one after another.
   */
  readonly ahead?: () => number;
  /** Called with each run that this process evaluated, and the times in epoch ms at which its evaluation began and ended. */
  readonly onRun?: (run: ItemRun, result: ChunkResult, times: { readonly startMs: number; readonly endMs: number }) => void;
}

/** Function that evaluates a run of a batch, and returns one result for each of its items. Never rejects. */
type RunJudge = (run: ItemRun) => Promise<ChunkResult>;

/**
 * Returns the function that evaluates the runs of a batch on an engine. With a cost budget for the whole batch, the function must get one
 * run after another.
 */
export function runEvaluator(engine: Engine, { settings, texts }: PreparedBatch, { signal, onRun }: RunsOptions = {}): RunJudge {
  const { perEvaluation } = settings.options.costLimits;
  let celLeft = typeof perEvaluation === 'number' ? perEvaluation : undefined;
  return async (run) => {
    const chunk = { evaluation: '', index: 0, ...run, settings };
    const startMs = epochNow();
    const bounds = { ...(signal && { signal }), ...(celLeft !== undefined && { celLeft }) };
    const { result, judgedHere } = await runChunk(engine, chunk, texts, bounds);
    if (celLeft !== undefined) celLeft -= result.celCharge;
    if (judgedHere) onRun?.(run, judgedHere, { startMs, endMs: epochNow() });
    return result;
  };
}

/** Evaluates the runs of a batch on an engine, and yields one result for each run, in input order. */
export function evaluateRuns(
  engine: Engine,
  batch: PreparedBatch,
  runs: AsyncIterable<readonly DocumentSlice[]>,
  options: RunsOptions = {},
): AsyncGenerator<ChunkResult> {
  const ahead = hasBudget(batch.settings) ? 1 : (options.ahead ?? engine.threads);
  return runsInOrder(runs, ahead, runEvaluator(engine, batch, options));
}
