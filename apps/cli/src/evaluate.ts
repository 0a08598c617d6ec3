import { addTally, chunkSettings, definitionText, emptyTally, serverOf, settleNames, splitBatch } from '#evaluation';
import type { DefinitionReport, DefinitionText, EvaluationOptions, Tally, Verdict } from '#evaluation';
import { runChunk } from '#runner';
import type { EngineHost } from '#runner';
import type { PlacedDocument } from './read-documents.ts';

/** A verdict with the place of its object. */
export type PlacedVerdict = Verdict & { readonly source: string };

/** Everything that `assay evaluate` found out. */
export interface EvaluationOutcome {
  readonly definitions: readonly (DefinitionReport & { readonly source: string })[];
  readonly items: readonly PlacedVerdict[];
  readonly summary: Tally;
}

/** Judges definitions, then objects against them, on the engine's threads. */
export async function evaluate(
  definitions: readonly PlacedDocument[],
  objects: readonly PlacedDocument[],
  options: EvaluationOptions,
  host: EngineHost,
): Promise<EvaluationOutcome> {
  const texts = definitions.map(({ slice }) => definitionText(slice, serverOf(options)));
  const reports = settleNames(await Promise.all(texts.map((text) => judged(text, host))));
  const settings = chunkSettings(reports, { options, deadlineAt: Number.MAX_SAFE_INTEGER, traceparent: undefined });
  const summary = emptyTally();
  const items: PlacedVerdict[] = [];
  let firstItem = 0;
  const runs = splitBatch(objects.map(({ slice }) => slice)).map((run, index) => {
    const chunk = { evaluation: 'cli', index, firstItem, items: run, settings };
    firstItem += run.length;
    return runChunk(host, chunk, texts);
  });
  for (const result of await Promise.all(runs)) {
    addTally(summary, result.tally);
    for (const line of result.verdicts) {
      const verdict = JSON.parse(line) as Verdict;
      items.push({ ...verdict, source: objects[verdict.index]?.source ?? '' });
    }
  }
  return { definitions: reports.map((report, i) => ({ ...report, source: definitions[i]?.source ?? '' })), items, summary };
}

async function judged(text: DefinitionText, host: EngineHost): Promise<DefinitionReport> {
  const answer = await host.run({ kind: 'judge', definition: text, rules: false });
  if (answer.kind !== 'done' || answer.result.kind !== 'judge') throw new Error('a definition ended the engine that judged it');
  return answer.result.judged.report;
}
