import type { Envelope, Explanation, MeasuredObject, Verdict } from '#documents';
import { judgeObjects, prepareBatch } from '../judge/prepared-batch.ts';
import { reviewPolicies } from '../judge/review-policies.ts';
import type { Engine } from '../ports.ts';
import { withGrowth } from './grow-policies.ts';
import { policyPrices } from './policy-prices.ts';

/**
 * Computes the verdicts on admission policies, and on the create of each object of a batch under the definitions and policies. Also adds up
 * the costs of the policies. `measured` contains the measured cost of the definitions' rules for each object.
 */
export async function explainPolicies(
  engine: Engine,
  documents: Envelope,
  measured: readonly MeasuredObject[],
  signal: AbortSignal | undefined,
): Promise<Pick<Explanation, 'objects' | 'policyReports' | 'policies'>> {
  const options = { ...documents.options, returnObjects: false, explain: true };
  const prepared = await prepareBatch(engine, { ...documents, options }, { signal });
  const how = { typeChecking: true, fieldValidation: options.fieldValidation, signal };
  const reports = prepared.policies && (await reviewPolicies(engine, prepared.policies, how));
  const verdicts = await judgeObjects(engine, prepared, documents.objects, signal);
  const admissions = verdicts.flatMap(({ index, admission }) => (admission === undefined ? [] : [{ item: index, admission }]));
  return {
    objects: verdicts.map((verdict, i) => writtenObject(verdict, measured[i])),
    ...(reports && { policyReports: reports }),
    policies: await withGrowth(engine, prepared, policyPrices(admissions), documents.objects, signal),
  };
}

/** Returns the outcome of the write of one object under definitions and policies, with the measured cost of its rules. */
function writtenObject({ index, name, outcome, status, cost }: Verdict, measured: MeasuredObject | undefined): MeasuredObject {
  const celCost = measured?.celCost ?? cost?.cel;
  return { index, ...(name !== undefined && { name }), outcome, ...(status && { status }), ...(celCost !== undefined && { celCost }) };
}
