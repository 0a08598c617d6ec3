import type { Envelope, Explanation, MeasuredObject, Verdict } from '#evaluation';
import { judgeObjects, prepareBatch } from '../judge/prepared-batch.ts';
import { reviewPolicies } from '../judge/review-policies.ts';
import type { Engine } from '../ports.ts';
import { withGrowth } from './grow-policies.ts';
import { policyPrices } from './policy-prices.ts';

/**
 * Reviews the policies of a batch, computes the verdict on the write of every object under them, and adds up the costs of the policies.
 * `measured` contains the measured costs of the definitions' rules by object.
 */
export async function explainPolicies(
  engine: Engine,
  documents: Envelope,
  measured: readonly MeasuredObject[],
  signal: AbortSignal | undefined,
): Promise<Pick<Explanation, 'objects' | 'policyReports' | 'policies'>> {
  const options = { ...documents.options, returnObjects: false, explain: true };
  const prepared = await prepareBatch(engine, { ...documents, options }, { signal });
  const reports = prepared.policies && (await reviewPolicies(engine, prepared.policies, { typeChecking: true, signal }));
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
