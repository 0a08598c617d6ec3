import type { DefinitionText, PolicyReport } from '#evaluation';
import type { Engine } from '../ports.ts';

/** Options of a review of policies. */
export interface ReviewOptions {
  /** True if the status that a server writes for a policy is returned, too. */
  readonly typeChecking: boolean;
  readonly signal?: AbortSignal | undefined;
}

/** Returns the answers of a server to the creation of the policies and bindings of a text, in order. Undefined if it was stopped, or ended the engine. */
export async function reviewPolicies(
  engine: Engine,
  policies: DefinitionText,
  { typeChecking, signal }: ReviewOptions,
): Promise<readonly PolicyReport[] | undefined> {
  const answer = await engine.run({ kind: 'review-policies', policies, typeChecking }, { ...(signal && { signal }) });
  return answer.kind === 'done' ? answer.result : undefined;
}
