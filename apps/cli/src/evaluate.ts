import { addTally, emptyTally } from '#evaluation';
import type { DefinitionReport, EvaluationOptions, Tally, Verdict } from '#evaluation';
import type { Engine } from '#runner';
import { evaluateUnqueued } from '#service';
import type { PlacedDocument, PlacedDocuments } from './read-documents.ts';
import { answerOrUsageError } from './usage.ts';

/** A verdict with the place of its object. */
export type PlacedVerdict = Verdict & { readonly source: string };

/** Everything that `assay evaluate` found out. */
export interface EvaluationOutcome {
  readonly definitions: readonly (DefinitionReport & { readonly source: string })[];
  readonly items: readonly PlacedVerdict[];
  readonly summary: Tally;
  /** Objects without a definition that were passed over. */
  readonly ignored?: number;
}

/** The outcome without the objects that no definition is there for. */
export function withoutMissing({ items, summary, ...rest }: EvaluationOutcome): EvaluationOutcome {
  const kept = items.filter(({ missing }) => missing !== true);
  const ignored = items.length - kept.length;
  const counts = { items: summary.items - ignored, notEvaluated: summary.notEvaluated - ignored };
  return { ...rest, items: kept, summary: { ...summary, ...counts }, ignored };
}

/** Judges definitions, then objects against them, on the engine's threads. */
export async function evaluate(
  { definitions, objects, policies }: Omit<PlacedDocuments, 'files'>,
  options: EvaluationOptions,
  engine: Engine,
): Promise<EvaluationOutcome> {
  const slices = (documents: readonly PlacedDocument[]) => documents.map(({ slice }) => slice);
  const batch = { definitions: slices(definitions), objects: slices(objects), ...policies, options };
  const { definitions: reports, results } = answerOrUsageError(await evaluateUnqueued(engine, batch));
  const summary = emptyTally();
  const items: PlacedVerdict[] = [];
  for await (const { verdicts, tally } of results) {
    addTally(summary, tally);
    for (const text of verdicts) {
      const verdict = JSON.parse(text) as Verdict;
      items.push({ ...verdict, source: objects[verdict.index]?.source ?? '' });
    }
  }
  return { definitions: reports.map((report, i) => ({ ...report, source: definitions[i]?.source ?? '' })), items, summary };
}
