import { readJson } from '#go';
import { LATEST_MINOR } from '#kube';
import { nodeEngine } from '#runner/linker';
import { buildRequest } from '../request/admission-request.ts';
import type { AdmissionRequest } from '../request/admission-request.ts';
import { Namespaces } from '../request/namespaces.ts';
import { serverKinds } from '../request/kinds.ts';
import { ParamObjects } from '../params.ts';
import { tableAuthorizer } from '../expressions/table-authorizer.ts';
import { admit } from '../validate/admit.ts';
import { compilePolicies } from '../validate/compiled-policy.ts';
import type { AuthorizationRule } from '../expressions/table-authorizer.ts';
import type { AdmissionVerdict } from '../validate/verdict.ts';
import type { CancellationToken, JsonObject } from '#go';
import type { Minor } from '#kube';
import { ObjectSchemas } from '../schemas/object-schemas.ts';
import type { MutationWorld } from '../mutate/mutate.ts';

/** Converts a value to JSON text and parses the text with the server's JSON parser. */
export function json(value: unknown): JsonObject {
  const reading = readJson(JSON.stringify(value));
  if (!reading.ok) throw new Error(reading.error);
  return reading.value as JsonObject;
}

/** Options for the cluster state of a request: the Kubernetes minor version, the parameter objects and the rules of the authorizer. */
export interface WorldFixture {
  readonly minor?: Minor;
  readonly params?: readonly unknown[];
  readonly authorizer?: readonly AuthorizationRule[];
}

/** Returns a cluster state with the Namespace `default` and the given parameter objects. */
export function worldOf({ minor = LATEST_MINOR, params = [], authorizer = [] }: WorldFixture): MutationWorld {
  const kinds = serverKinds(minor, []);
  const objects = new ParamObjects();
  for (const param of params) objects.add(json(param), kinds, minor);
  const namespaces = new Namespaces([json({ metadata: { name: 'default', labels: { env: 'prod' } } })], minor);
  return {
    minor,
    kinds,
    params: objects,
    namespaces,
    authorize: tableAuthorizer(authorizer),
    schemas: new ObjectSchemas(minor, [], { setsDefaults: true }),
  };
}

/** Builds a request from a description. Omitted properties are derived from the objects. Throws if the description is invalid. */
export function requestOf(description: Record<string, unknown>, minor: Minor = LATEST_MINOR): AdmissionRequest {
  const { object, oldObject, ...rest } = description;
  const built = buildRequest(
    { ...rest, object: object === undefined ? undefined : json(object), oldObject: oldObject === undefined ? undefined : json(oldObject) },
    serverKinds(minor, []),
    minor,
  );
  if (!built.ok) throw new Error(built.error);
  return built.request;
}

/** Returns a ConfigMap `c` with the given data and labels. */
export const configMap = (data: Record<string, string> = {}, labels: Record<string, string> = {}) => ({
  apiVersion: 'v1',
  kind: 'ConfigMap',
  metadata: { name: 'c', labels },
  data,
});

/** Spec of a policy, with its binding, a request and the limits for the evaluation. */
export interface AdmissionFixture extends WorldFixture {
  readonly spec: Record<string, unknown>;
  readonly binding?: Record<string, unknown>;
  readonly request?: Record<string, unknown>;
  readonly budget?: number;
  readonly token?: CancellationToken;
}

/** Returns the verdict of a policy `p` with a binding `b` on a request. If `request` is omitted, the request creates a ConfigMap. */
export function admitted({ spec, binding, request, budget, token, ...world }: AdmissionFixture): AdmissionVerdict {
  const minor = world.minor ?? LATEST_MINOR;
  const everything = [{ apiGroups: ['*'], apiVersions: ['*'], operations: ['*'], resources: ['*/*'] }];
  const compiled = compilePolicies(
    [json({ metadata: { name: 'p' }, spec: { matchConstraints: { resourceRules: everything }, ...spec } })],
    [json({ metadata: { name: 'b' }, spec: { policyName: 'p', validationActions: ['Deny'], ...binding } })],
    { minor, engine: nodeEngine('compiled') },
  );
  if (!compiled.ok) throw new Error(compiled.error);
  return admit(compiled.set, requestOf(request ?? { object: configMap() }, minor), worldOf(world), { budget, token });
}
