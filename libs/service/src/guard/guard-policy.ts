import { inMinor, policyTextOf, serverOf } from '#evaluation';
import type { DocumentSlice, EvaluationOptions } from '#evaluation';
import { reviewPolicies } from '../judge/review-policies.ts';
import type { Engine } from '../ports.ts';
import type { GuardFindings, GuardLimits } from './guard-definition.ts';

/** The guard of an admission policy or a binding: which of the minors would refuse to store it. */
export async function guardPolicy(
  engine: Engine,
  policy: DocumentSlice,
  options: EvaluationOptions,
  { minors }: Pick<GuardLimits, 'minors'>,
  findings: GuardFindings,
  signal: AbortSignal,
): Promise<void> {
  for (const minor of minors) {
    const text = policyTextOf({ policies: [policy], cluster: [] }, [], serverOf(inMinor(options, minor)));
    const [report] = (await reviewPolicies(engine, text, { typeChecking: false, signal })) ?? [];
    if (report?.accepted === false) findings.add(`Kubernetes ${minor} would refuse it: ${report.status?.message ?? ''}`);
  }
}
