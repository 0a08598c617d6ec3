import { z } from 'zod';
import { parsedJson } from '#cluster';
import type { ApiWriter, ClusterResource } from '#cluster';
import { UsageError } from '../../../usage.ts';

/** Result of checking the rights of the user before a load: `allowed`, or the reason why they were not checked. */
export type Rights = { readonly kind: 'allowed' } | { readonly kind: 'notChecked'; readonly reason: string };

/** Answer of the server that the user has no right. `reason` is a sentence for the user. */
export interface Denied {
  readonly kind: 'denied';
  readonly reason: string;
}

const REVIEWS = '/apis/authorization.k8s.io/v1/selfsubjectaccessreviews';

/** Schema of an answered SelfSubjectAccessReview. Source: k8s.io/api v0.37, authorization/v1/types.go. */
const review = z.object({ status: z.object({ allowed: z.boolean() }) });

/**
 * Asks the server whether the user may create (or delete) objects of the resources, with one SelfSubjectAccessReview for each resource. A
 * server without such reviews lets the load begin. Throws {@link UsageError} if the server does not answer or does not know the user.
 */
export async function checkRights(
  writer: ApiWriter,
  resources: readonly ClusterResource[],
  signal: AbortSignal,
  verb: 'create' | 'delete' = 'create',
): Promise<Rights | Denied> {
  for (const { group, version, plural, namespace } of resources) {
    const resourceAttributes = { group, version, resource: plural, verb, ...(namespace !== undefined && { namespace }) };
    const body = { apiVersion: 'authorization.k8s.io/v1', kind: 'SelfSubjectAccessReview', spec: { resourceAttributes } };
    const outcome = await writer.write({ method: 'POST', path: REVIEWS, body: Buffer.from(JSON.stringify(body)) }, signal);
    if (outcome.kind === 'stopped') return { kind: 'notChecked', reason: 'the command was interrupted' };
    if (outcome.kind !== 'answered') throw new UsageError(outcome.problem.sentence);
    if (outcome.code === 401) throw new UsageError(writer.refusal(REVIEWS, outcome).sentence);
    if (outcome.code !== 201) return { kind: 'notChecked', reason: `the server offers no access reviews (${outcome.code})` };
    const answer = review.safeParse(parsedJson(outcome.body));
    if (!answer.success) return { kind: 'notChecked', reason: 'the server answered an access review with something else' };
    const where = namespace === undefined ? '' : ` in the namespace ${namespace}`;
    if (!answer.data.status.allowed)
      return { kind: 'denied', reason: `${writer.address.name}: you may not ${verb} ${plural}.${group}${where} (SelfSubjectAccessReview)` };
  }
  return { kind: 'allowed' };
}
