import { policyTextOf, serverOf } from '#evaluation';
import type { DefinitionText, DocumentSlice, EvaluationOptions, PolicyDocuments } from '#evaluation';
import { checkPolicyBytes } from '../check-request.ts';
import { answered } from '../outcome.ts';
import type { Outcome } from '../outcome.ts';

/** The policies of an evaluation with the definitions and objects that they look at, as one text; undefined where there are none, refused where they are too large. */
export function evaluationPolicies(
  documents: PolicyDocuments,
  definitions: readonly DocumentSlice[],
  options: EvaluationOptions,
): Outcome<DefinitionText | undefined> {
  if (documents.policies.length === 0) return answered(undefined);
  const tooLarge = checkPolicyBytes({ ...documents, definitions });
  if (tooLarge) return tooLarge;
  return answered(policyTextOf(documents, definitions, serverOf(options)));
}
