import { isJsonObject } from '#go';
import { buildRequest, readAdmissionRequest, readWorld } from '#policy';
import type { JsonObject } from '#go';
import type { Minor } from '#kube';
import type { AdmissionRequest, World } from '#policy';
import { CaseProblem } from '../case-context.ts';

/**
 * Returns a list of objects from a field of a case; empty if the field is absent. Throws `CaseProblem` if the field is not a list of
 * objects.
 */
export function objectsOf(testCase: JsonObject, field: string): readonly JsonObject[] {
  const list = testCase[field];
  if (list === undefined || list === null) return [];
  if (!Array.isArray(list) || !list.every(isJsonObject)) throw new CaseProblem(`${field} is no list of objects`);
  return list;
}

/** Returns the admission request of a case, and the cluster objects that policies can read for it. */
export function requestOf(testCase: JsonObject, minor: Minor): { readonly request: AdmissionRequest; readonly world: World } {
  const world = readWorld(
    {
      definitions: objectsOf(testCase, 'crds'),
      params: objectsOf(testCase, 'params'),
      namespaces: objectsOf(testCase, 'namespaces'),
      authorizer: objectsOf(testCase, 'authorizer'),
    },
    minor,
  );
  const built = buildRequest(readAdmissionRequest(testCase), world.kinds, minor);
  if (!built.ok) throw new CaseProblem(built.error);
  return { request: built.request, world: world.in(built.request.namespace) };
}
