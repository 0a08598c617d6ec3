import { policyTextOf, serverOf, steadyNow } from '#evaluation';
import type { DefinitionText, DocumentSlice, EvaluationOptions, PolicyDocuments } from '#evaluation';
import type { Flow, QueueAdapter } from '#queue';
import { checkPolicyBytes } from '../check-request.ts';
import type { Refusals } from '../dispatch/refusals.ts';
import { answered } from '../outcome.ts';
import type { Outcome } from '../outcome.ts';

/** Storage for policies, the flow (one client's queue) that is charged for them, and the time in epoch ms until which they are stored. */
interface PolicyStorage {
  readonly queue: QueueAdapter;
  readonly refusals: Refusals;
  readonly flow: Flow;
  readonly deadlineAt: number;
}

/**
 * Stores the policies of an evaluation, so that all threads that evaluate parts (chunks) of it can load them. Definitions and cluster
 * objects that policies may read are stored with them. Returns the stored text; undefined if there are no policies. If a size or storage
 * limit is exceeded, returns a refusal.
 */
export async function storePolicies(
  documents: PolicyDocuments,
  definitions: readonly DocumentSlice[],
  options: EvaluationOptions,
  { queue, refusals, flow, deadlineAt }: PolicyStorage,
): Promise<Outcome<DefinitionText | undefined>> {
  if (documents.policies.length === 0) return answered(undefined);
  const tooLarge = checkPolicyBytes({ ...documents, definitions });
  if (tooLarge) return tooLarge;
  const text = policyTextOf(documents, definitions, serverOf(options));
  const refusal = await queue.definitions.put(text, { flow, leftMs: Math.max(0, deadlineAt - steadyNow()) });
  return refusal ? refusals.refuse(flow.level, refusal, 'evaluation') : answered(text);
}
