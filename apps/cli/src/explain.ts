import type { EvaluationOptions, ExplainedDefinition, Explanation, MeasuredObject } from '#evaluation';
import type { EngineHost } from '#runner';
import { explain } from '#service';
import { envelopeOf } from './read-documents.ts';
import type { PlacedBatch, PlacedDocument } from './read-documents.ts';

/** Definitions and policies explained, and the objects they were measured with, each with the place it came from. */
export interface PlacedExplanation extends Omit<Explanation, 'definitions' | 'objects'> {
  readonly definitions: readonly (ExplainedDefinition & { readonly source: string })[];
  readonly objects: readonly (MeasuredObject & { readonly source: string })[];
}

/** Has the engine take the price of every rule apart, measure it in the objects, and add up what policies cost in their writes. */
export async function explainDocuments(documents: PlacedBatch, options: EvaluationOptions, host: EngineHost): Promise<PlacedExplanation> {
  const explanation = await explain(host, envelopeOf(documents, options));
  const placed = <T>(values: readonly T[], from: readonly PlacedDocument[]) =>
    values.map((value, i) => ({ source: from[i]?.source ?? '', ...value }));
  return {
    ...explanation,
    definitions: placed(explanation.definitions, documents.definitions),
    objects: placed(explanation.objects, documents.objects),
  };
}
