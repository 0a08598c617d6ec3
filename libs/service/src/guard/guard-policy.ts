import { inMinor, policyTextOf, serverOf } from '#evaluation';
import type { DocumentSlice, EvaluationOptions } from '#evaluation';
import { reviewPolicies } from '../judge/review-policies.ts';
import { policyEffects, preparePolicyChange } from '../what-if/policy-change.ts';
import type { PolicyChange } from '../what-if/policy-change.ts';
import type { Guarding } from './guard-findings.ts';

/** Returns the guard of an admission policy or a binding: which of the minors would refuse to store it. */
export async function guardPolicy(
  { engine, limits, findings, signal }: Guarding,
  policy: DocumentSlice,
  options: EvaluationOptions,
): Promise<void> {
  for (const minor of limits.minors) {
    const text = policyTextOf({ policies: [policy], cluster: [] }, [], serverOf(inMinor(options, minor)));
    const [report] = (await reviewPolicies(engine, text, { typeChecking: false, signal })) ?? [];
    if (report?.accepted === false) findings.add(`Kubernetes ${minor} would refuse it: ${report.status?.message ?? ''}`);
  }
}

/** A change of policies in a cluster, over writes of what it has stored. */
export interface GuardedPolicyChange extends PolicyChange {
  readonly objects: AsyncIterable<readonly DocumentSlice[]>;
}

/** Judges the effect of a change of policies on writes of stored objects, and its costs. Ends when all is known, or when the signal is raised. */
export async function guardPolicyChange(
  { engine, findings, signal }: Guarding,
  { objects, ...change }: GuardedPolicyChange,
): Promise<void> {
  const prepared = await preparePolicyChange(engine, change, signal);
  for await (const impacts of policyEffects(engine, prepared, objects, signal))
    for (const impact of impacts) findings.countPolicyImpact(impact);
}
