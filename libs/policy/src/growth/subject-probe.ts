import type { CancellationToken, JsonObject } from '#go';
import type { Server } from '#kube';
import { compileAdmission } from '../admission/policy-documents.ts';
import type { MutationWorld } from '../mutate/mutate.ts';
import type { AuthorizationRule } from '../expressions/table-authorizer.ts';
import type { AdmissionRequest } from '../request/admission-request.ts';
import { probePolicy } from './probe-policy.ts';
import type { PolicyProbe, ProbedPolicy } from './probe-policy.ts';
import type { PolicySubject } from './multiply-policy.ts';

/** Request that a study sends to variants of a policy, with the server that answers. */
export interface SampleRequest {
  readonly request: AdmissionRequest;
  readonly server: Server;
  readonly authorizer: readonly AuthorizationRule[];
}

/** A compiled policy, with the cluster state that it reads for the sample request. */
export interface CompiledSubject {
  readonly policy: ProbedPolicy;
  readonly world: MutationWorld;
}

/**
 * Compiles a policy with its bindings for the engine that counts. Returns the reason if a document is invalid, or if the server does not
 * evaluate policies of this kind. Throws `Cancelled` if the token requests cancellation.
 */
export function compileSubject(
  { policy, bindings, cluster, definitions }: PolicySubject,
  { request, server, authorizer }: SampleRequest,
  token?: CancellationToken,
): CompiledSubject | string {
  const documents = { policies: [policy, ...bindings], cluster, definitions };
  const compiled = compileAdmission(documents, { ...server, engine: 'measured', token });
  if (!compiled.ok) return compiled.error;
  const { validating, mutating } = compiled.policies;
  const [validatingHook] = validating.hooks;
  const [mutatingHook] = mutating?.hooks ?? [];
  const world = compiled.policies.world(request.namespace, authorizer);
  if (validatingHook !== undefined) return { policy: { kind: 'validating', hook: validatingHook }, world };
  if (mutatingHook !== undefined) return { policy: { kind: 'mutating', hook: mutatingHook }, world };
  if (isMutating(policy) && mutating === undefined)
    return `Kubernetes ${server.minor} applies no MutatingAdmissionPolicies: their feature gate is off`;
  return 'the policy has no binding';
}

/** Returns true for a MutatingAdmissionPolicy. */
export const isMutating = ({ kind }: JsonObject): boolean => kind === 'MutatingAdmissionPolicy';

/** Compiles a policy and evaluates it for the sample request. Returns the reason if the policy cannot be used. */
export function probeSubject(subject: PolicySubject, sample: SampleRequest, token?: CancellationToken): PolicyProbe | string {
  const compiled = compileSubject(subject, sample, token);
  return typeof compiled === 'string' ? compiled : probePolicy(compiled.policy, sample.request, compiled.world, token);
}
