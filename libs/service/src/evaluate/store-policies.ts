import { tooLargeStatus } from '#kube';
import { MAX_POLICY_BYTES, policyTextOf, serverOf, steadyNow } from '#evaluation';
import type { DocumentSlice, EvaluationOptions, PolicyDocuments } from '#evaluation';
import type { Flow, QueueAdapter } from '#queue';
import type { Refusals } from '../dispatch/refusals.ts';
import { answered, refused } from '../outcome.ts';
import type { Outcome } from '../outcome.ts';

/** Where policies are stored, for whom, and until when, epoch ms. */
interface PolicyStorage {
  readonly queue: QueueAdapter;
  readonly refusals: Refusals;
  readonly flow: Flow;
  readonly deadlineAt: number;
}

/** Stores the policies of an evaluation, with the definitions and objects that they look at, for its chunks; answers with their digest, if there are any. */
export async function storePolicies(
  documents: PolicyDocuments,
  definitions: readonly DocumentSlice[],
  options: EvaluationOptions,
  { queue, refusals, flow, deadlineAt }: PolicyStorage,
): Promise<Outcome<string | undefined>> {
  if (documents.policies.length === 0) return answered(undefined);
  const bytes = [documents.policies, documents.cluster, definitions].flat().reduce((sum, slice) => sum + slice.bytes.length, 0);
  if (bytes > MAX_POLICY_BYTES)
    return refused(tooLargeStatus(`limit is ${MAX_POLICY_BYTES} (policies and what they look at have ${bytes} bytes)`));
  const text = policyTextOf(documents, definitions, serverOf(options));
  const refusal = await queue.definitions.put(text, { flow, leftMs: Math.max(0, deadlineAt - steadyNow()) });
  return refusal ? refusals.refuse(flow.level, refusal, 'evaluation') : answered(text.digest);
}
