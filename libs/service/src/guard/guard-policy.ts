import { inMinor, policyTextOf, serverOf } from '#documents';
import type { DocumentSlice, EvaluationOptions } from '#documents';
import { minorWords } from '#kube';
import { reviewPolicies } from '../judge/review-policies.ts';
import { policyEffects, preparePolicyChange } from '../what-if/policy-change.ts';
import type { PolicyChange } from '../what-if/policy-change.ts';
import type { GuardCheck } from './guard-findings.ts';

/** Checks an admission policy or a binding. Reports each required minor version whose server would refuse to store it. */
export async function guardPolicy(
  { engine, limits, findings, signal }: GuardCheck,
  policy: DocumentSlice,
  options: EvaluationOptions,
): Promise<void> {
  for (const minor of limits.minors) {
    const text = policyTextOf({ policies: [policy], cluster: [] }, [], serverOf(inMinor(options, minor)));
    const [report] = (await reviewPolicies(engine, text, { typeChecking: false, fieldValidation: options.fieldValidation, signal })) ?? [];
    if (report?.accepted === false) findings.add(`Kubernetes ${minorWords(minor)} would refuse it: ${report.status?.message ?? ''}`);
  }
}

/**
 * Change of the policies in a cluster, with the stored objects that the guard uses to determine its effects. The guard evaluates an update
 * of each object under the old and the new policies.
 */
export interface GuardedPolicyChange extends PolicyChange {
  readonly objects: AsyncIterable<readonly DocumentSlice[]>;
}

/**
 * Determines how a change of admission policies affects the next updates of stored objects, and how much CEL cost it adds. Adds the results
 * to `findings`. Ends if all objects are evaluated or `signal` is aborted.
 */
export async function guardPolicyChange(
  { engine, findings, signal }: GuardCheck,
  { objects, ...change }: GuardedPolicyChange,
): Promise<void> {
  const prepared = await preparePolicyChange(engine, change, signal);
  for await (const impacts of policyEffects(engine, prepared, objects, signal))
    for (const impact of impacts) findings.countPolicyImpact(impact);
}
