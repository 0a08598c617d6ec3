import type { EvaluationOptions, ExplainedDefinition, MeasuredObject } from '#evaluation';
import type { Engine } from '#runner';
import { explain, policyPrices } from '#service';
import type { PolicyPrice } from '#service';
import { evaluate } from './evaluate.ts';
import type { PlacedDocument, PlacedDocuments } from './read-documents.ts';

/** Definitions explained and the objects they were measured with, each with the place it came from. */
export interface PlacedExplanation {
  readonly definitions: readonly (ExplainedDefinition & { readonly source: string })[];
  readonly objects: readonly (MeasuredObject & { readonly source: string })[];
  /** What admission policies did cost in the writes of these objects, where there are any. */
  readonly policies?: readonly PolicyPrice[];
}

/** Has the engine take the price of every rule apart, measure it in the objects, and add up what policies cost in their writes. */
export async function explainDocuments(
  { definitions, objects, policies }: Omit<PlacedDocuments, 'files'>,
  options: EvaluationOptions,
  host: Engine,
): Promise<PlacedExplanation> {
  const explained = definitions.length === 0 ? { definitions: [], objects: [] } : await explainRules(definitions, objects, options, host);
  if (policies.policies.length === 0) return explained;
  const { items } = await evaluate({ definitions, objects, policies }, { ...options, explain: true }, host);
  const admissions = items.flatMap(({ index, admission }) => (admission ? [{ item: index, admission }] : []));
  const judged = items.map(({ source, index, name, outcome, status }) => ({
    source,
    index,
    ...(name !== undefined && { name }),
    outcome,
    ...(status && { status }),
  }));
  return { ...explained, objects: judged, policies: policyPrices(admissions) };
}

async function explainRules(
  definitions: readonly PlacedDocument[],
  objects: readonly PlacedDocument[],
  options: EvaluationOptions,
  host: Engine,
): Promise<PlacedExplanation> {
  const slices = (documents: readonly PlacedDocument[]) => documents.map(({ slice }) => slice);
  const explanation = await explain(host, { definitions: slices(definitions), objects: slices(objects), options });
  const placed = <T>(values: readonly T[], documents: readonly PlacedDocument[]) =>
    values.map((value, i) => ({ source: documents[i]?.source ?? '', ...value }));
  return { definitions: placed(explanation.definitions, definitions), objects: placed(explanation.objects, objects) };
}
