import { addTally, emptyTally } from '#evaluation';
import type { DefinitionReport, EvaluationOptions, PolicyReport, Tally, Verdict } from '#evaluation';
import type { EngineHost } from '#runner';
import { wholeBatch } from '#service';
import { LocalService } from './local-service.ts';
import { envelopeOf } from './read-documents.ts';
import type { PlacedBatch } from './read-documents.ts';
import { answerOrUsageError } from './usage.ts';

/** A verdict with the place of its object. */
export type PlacedVerdict = Verdict & { readonly source: string };

/** Everything that `assay evaluate` found out. */
export interface EvaluationOutcome {
  readonly definitions: readonly (DefinitionReport & { readonly source: string })[];
  /** What a server says when each policy and binding is created; absent where there are none. */
  readonly policyReports?: readonly PolicyReport[];
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
export async function evaluate(documents: PlacedBatch, options: EvaluationOptions, host: EngineHost): Promise<EvaluationOutcome> {
  const service = new LocalService(host);
  try {
    const { definitions, objects } = documents;
    const batch = wholeBatch(envelopeOf(documents, options));
    const { record, results } = answerOrUsageError(await service.evaluations.evaluate(batch, service.caller));
    const summary = emptyTally();
    const items: PlacedVerdict[] = [];
    for await (const { verdicts, tally } of results) {
      addTally(summary, tally);
      for (const text of verdicts) {
        const verdict = JSON.parse(text) as Verdict;
        items.push({ ...verdict, source: objects[verdict.index]?.source ?? '' });
      }
    }
    const { policyReports } = record;
    return {
      definitions: record.definitions.map((report, i) => ({ ...report, source: definitions[i]?.source ?? '' })),
      ...(policyReports && { policyReports }),
      items,
      summary,
    };
  } finally {
    await service.close();
  }
}
