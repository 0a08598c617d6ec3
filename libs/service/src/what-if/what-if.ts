import { definitionWrite } from '#documents';
import type { DefinitionReport, DefinitionText, DocumentSlice, EvaluationOptions, ObjectEffect } from '#documents';
import { packItems } from '#runner';
import type { JudgedDefinition, Work } from '#runner';
import type { Engine } from '../ports.ts';
import { runItems } from '../run/run-chunk.ts';
import type { Attempt } from '../run/run-chunk.ts';
import { cutRuns, runsInOrder } from '../evaluate/cut-runs.ts';
import type { ItemRun } from '../evaluate/cut-runs.ts';

/** Old and new state of a definition, and the options for evaluating stored objects under both states. */
export interface DefinitionChange {
  readonly from: DefinitionText;
  readonly to: DefinitionText;
  readonly options: EvaluationOptions;
}

/**
 * Returns a server's verdict on the update of a definition from `from` to `to`, with the differences between the two. Returns undefined if
 * the work was stopped or broke the engine.
 */
export function compareStates(
  engine: Engine,
  { from, to, options }: DefinitionChange,
  signal?: AbortSignal,
): Promise<JudgedDefinition | undefined> {
  return judgeUpdate(engine, { kind: 'judge-update', from, to, ...definitionWrite(to, options), compares: true }, signal);
}

/**
 * Returns a server's verdict on the update of a definition from `from` to `to`. The result does not list the differences between both
 * definitions. Returns undefined if `signal` stops the validation, or if the validation breaks the engine.
 */
export async function judgeChange(
  engine: Engine,
  { from, to, options }: DefinitionChange,
  signal?: AbortSignal,
): Promise<DefinitionReport | undefined> {
  return (await judgeUpdate(engine, { kind: 'judge-update', from, to, ...definitionWrite(to, options) }, signal))?.report;
}

async function judgeUpdate(
  engine: Engine,
  work: Extract<Work, { readonly kind: 'judge-update' }>,
  signal?: AbortSignal,
): Promise<JudgedDefinition | undefined> {
  const answer = await engine.run(work, { ...(signal && { signal }) });
  return answer.kind === 'done' ? answer.result : undefined;
}

/**
 * Yields the effect of the change on every object, in order and in bounded memory. At most one stretch of consecutive objects per engine
 * thread is evaluated at a time. Ends early if `signal` is aborted.
 */
export async function* whatIf(
  engine: Engine,
  change: DefinitionChange,
  objects: AsyncIterable<readonly DocumentSlice[]>,
  signal?: AbortSignal,
): AsyncGenerator<readonly ObjectEffect[]> {
  yield* runsInOrder(cutRuns(objects), engine.threads, (run) => effectsOfRun(engine, change, run, signal));
}

/** Resolves with the effects of the change on the objects of one run. Effects that `signal` stops are missing at the end. */
export function effectsOfRun(
  engine: Engine,
  change: DefinitionChange,
  { items, firstItem }: ItemRun,
  signal?: AbortSignal,
): Promise<readonly ObjectEffect[]> {
  const run = async (part: readonly DocumentSlice[], first: number, alone: boolean): Promise<Attempt<readonly ObjectEffect[]>> => {
    const work = { kind: 'what-if', ...change, firstItem: first, items: packItems(part) } as const;
    const answer = await engine.run(work, { alone, ...(signal && { signal }) });
    if (answer.kind === 'broken') return answer;
    return { kind: 'done', result: answer.kind === 'done' ? answer.result : [] };
  };
  return runItems<readonly ObjectEffect[]>(
    { run, resultOfFault: (_, index) => [faultyEffect(index)], join: (a, b) => [...a, ...b] },
    items,
    firstItem,
  );
}

function faultyEffect(index: number): ObjectEffect {
  return {
    index,
    name: undefined,
    effect: 'notJudged',
    message: 'it ended the engine that judged it',
    causes: [],
    changes: [],
    cost: { before: undefined, after: undefined },
  };
}
