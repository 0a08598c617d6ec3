import { tooLargeStatus } from '#kube';
import { MAX_POLICY_BYTES, policyTextOf, serverOf } from '#evaluation';
import type { DefinitionText, DocumentSlice, EvaluationOptions, PolicyDocuments } from '#evaluation';
import { answered, refused } from '../outcome.ts';
import type { Outcome } from '../outcome.ts';

/** The policies of an evaluation with the definitions and objects that they look at, as one text; undefined where there are none, refused where they are too large. */
export function evaluationPolicies(
  documents: PolicyDocuments,
  definitions: readonly DocumentSlice[],
  options: EvaluationOptions,
): Outcome<DefinitionText | undefined> {
  if (documents.policies.length === 0) return answered(undefined);
  const bytes = [documents.policies, documents.cluster, definitions].flat().reduce((sum, slice) => sum + slice.bytes.length, 0);
  if (bytes > MAX_POLICY_BYTES)
    return refused(tooLargeStatus(`limit is ${MAX_POLICY_BYTES} (policies and what they look at have ${bytes} bytes)`));
  return answered(policyTextOf(documents, definitions, serverOf(options)));
}
