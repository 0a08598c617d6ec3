import type { Envelope, Explanation, MeasuredObject, Verdict } from '#evaluation';
import { judgeObjects, prepareBatch } from '../judge/prepared-batch.ts';
import type { Engine } from '../ports.ts';
import { policyPrices } from './policy-prices.ts';

/** Has all objects written under the policies of a batch, and adds up what the policies did cost. `measured`: what rules of definitions did cost in them. */
export async function explainPolicies(
  engine: Engine,
  documents: Envelope,
  measured: readonly MeasuredObject[],
  signal: AbortSignal | undefined,
): Promise<Required<Pick<Explanation, 'objects' | 'policies'>>> {
  const options = { ...documents.options, returnObjects: false, explain: true };
  const prepared = await prepareBatch(engine, { ...documents, options }, { signal });
  const verdicts = await judgeObjects(engine, prepared, documents.objects, signal);
  const admissions = verdicts.flatMap(({ index, admission }) => (admission === undefined ? [] : [{ item: index, admission }]));
  return { objects: verdicts.map((verdict, i) => writtenObject(verdict, measured[i])), policies: policyPrices(admissions) };
}

/** What became of an object under definitions and policies. */
function writtenObject({ index, name, outcome, status, cost }: Verdict, measured: MeasuredObject | undefined): MeasuredObject {
  const celCost = measured?.celCost ?? cost?.cel;
  return { index, ...(name !== undefined && { name }), outcome, ...(status && { status }), ...(celCost !== undefined && { celCost }) };
}
