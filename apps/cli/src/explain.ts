import type { EvaluationOptions, ExplainedDefinition, MeasuredObject } from '#evaluation';
import type { EngineHost } from '#runner';
import { explain } from '#service';
import type { PlacedDocument } from './read-documents.ts';

/** Definitions explained and the objects they were measured with, each with the place it came from. */
export interface PlacedExplanation {
  readonly definitions: readonly (ExplainedDefinition & { readonly source: string })[];
  readonly objects: readonly (MeasuredObject & { readonly source: string })[];
}

/** Has the engine take the price of every rule apart, and measure it in the objects. */
export async function explainDocuments(
  definitions: readonly PlacedDocument[],
  objects: readonly PlacedDocument[],
  options: EvaluationOptions,
  host: EngineHost,
): Promise<PlacedExplanation> {
  const slices = (documents: readonly PlacedDocument[]) => documents.map(({ slice }) => slice);
  const explanation = await explain(host, { definitions: slices(definitions), objects: slices(objects), options });
  const placed = <T>(values: readonly T[], documents: readonly PlacedDocument[]) =>
    values.map((value, i) => ({ source: documents[i]?.source ?? '', ...value }));
  return { definitions: placed(explanation.definitions, definitions), objects: placed(explanation.objects, objects) };
}
