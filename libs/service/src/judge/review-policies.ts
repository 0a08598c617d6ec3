import type { DefinitionText, FieldValidation, PolicyReport } from '#documents';
import type { Engine } from '../ports.ts';

/** Options of a review of policies. */
export interface ReviewOptions {
  /** True if the review also returns the type-checking status that a server writes into a policy. */
  readonly typeChecking: boolean;
  /** Treatment of unknown and duplicate fields of policies. */
  readonly fieldValidation: FieldValidation;
  readonly signal?: AbortSignal | undefined;
}

/**
 * Returns a server's answers to the creation of each policy and binding in the text `policies`, in the order of the text. Returns undefined
 * if `signal` stopped the engine's work, or if the work crashed or blocked the engine.
 */
export async function reviewPolicies(
  engine: Engine,
  policies: DefinitionText,
  { typeChecking, fieldValidation, signal }: ReviewOptions,
): Promise<readonly PolicyReport[] | undefined> {
  const answer = await engine.run({ kind: 'review-policies', policies, typeChecking, fieldValidation }, { ...(signal && { signal }) });
  return answer.kind === 'done' ? answer.result : undefined;
}
