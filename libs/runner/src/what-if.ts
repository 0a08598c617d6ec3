import { ChunkCutter } from '#evaluation';
import type { DefinitionReport, DefinitionText, DocumentSlice, EvaluationOptions, ObjectEffect } from '#evaluation';
import type { Engine } from './engine.ts';
import { packItems } from './pack-items.ts';

/** A change of a definition, over the objects that are stored. */
export interface DefinitionChange {
  readonly from: DefinitionText;
  readonly to: DefinitionText;
  readonly options: EvaluationOptions;
}

/** Whether the server would take the change at all. */
export async function judgeChange(
  host: Engine,
  { from, to }: DefinitionChange,
  signal?: AbortSignal,
): Promise<DefinitionReport | undefined> {
  const answer = await host.run({ kind: 'judge-update', from, to }, { ...(signal && { signal }) });
  return answer.kind === 'done' && answer.result.kind === 'judge' ? answer.result.judged.report : undefined;
}

/** The effect on every object, in order and in bounded memory: as many chunks are judged at a time as the host has threads. Ends early when stopped. */
export async function* whatIf(
  host: Engine,
  change: DefinitionChange,
  objects: AsyncIterable<readonly DocumentSlice[]>,
  signal?: AbortSignal,
): AsyncGenerator<readonly ObjectEffect[]> {
  const running: Promise<readonly ObjectEffect[]>[] = [];
  let firstItem = 0;
  for await (const run of runs(objects)) {
    running.push(effectsOf(host, change, run, firstItem, signal));
    firstItem += run.length;
    if (running.length > host.threads) yield (await running.shift()) ?? [];
  }
  for (const effects of running) yield await effects;
}

async function effectsOf(
  host: Engine,
  change: DefinitionChange,
  items: readonly DocumentSlice[],
  firstItem: number,
  signal: AbortSignal | undefined,
): Promise<readonly ObjectEffect[]> {
  const answer = await host.run({ kind: 'what-if', ...change, firstItem, items: packItems(items) }, { ...(signal && { signal }) });
  if (answer.kind === 'done' && answer.result.kind === 'what-if') return answer.result.effects;
  if (answer.kind === 'cancelled') return [];
  const [only] = items;
  if (items.length === 1 && only)
    return [
      {
        index: firstItem,
        name: undefined,
        effect: 'notJudged',
        message: 'it ended the engine that judged it',
        causes: [],
        changes: [],
        cost: { before: undefined, after: undefined },
      },
    ];
  // A chunk that broke the engine is halved until the object that did it is alone.
  const half = items.length >> 1;
  const left = await effectsOf(host, change, items.slice(0, half), firstItem, signal);
  return [...left, ...(await effectsOf(host, change, items.slice(half), firstItem + half, signal))];
}

async function* runs(blocks: AsyncIterable<readonly DocumentSlice[]>): AsyncGenerator<DocumentSlice[]> {
  const cutter = new ChunkCutter();
  for await (const block of blocks) {
    for (const item of block) {
      const run = cutter.add(item);
      if (run) yield run;
    }
  }
  const rest = cutter.flush();
  if (rest) yield rest;
}
