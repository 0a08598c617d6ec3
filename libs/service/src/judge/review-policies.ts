import type { DefinitionText, PolicyReport } from '#evaluation';
import type { Engine } from '../ports.ts';

/** How policies are reviewed. */
export interface ReviewOptions {
  /** Whether what a server writes into the status of a policy is told, too. */
  readonly typeChecking: boolean;
  readonly signal?: AbortSignal | undefined;
}

/** What a server says when the policies and bindings of a text are created, in their order; undefined where that was stopped, or ended the engine. */
export async function reviewPolicies(
  engine: Engine,
  policies: DefinitionText,
  { typeChecking, signal }: ReviewOptions,
): Promise<readonly PolicyReport[] | undefined> {
  const answer = await engine.run({ kind: 'review-policies', policies, typeChecking }, { ...(signal && { signal }) });
  return answer.kind === 'done' ? answer.result : undefined;
}
