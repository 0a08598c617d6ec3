import { compileSelector } from '../read/label-selector.ts';
import { labelsOf } from '../request/object-meta.ts';
import type { KnownKind } from '../request/kinds.ts';
import type { ParamObject, ParamObjects } from './param-objects.ts';
import type { ParamRef } from '../read/binding.ts';

/**
 * Parameter objects for a binding. The policy is evaluated once for each entry, and an undefined entry means an evaluation without
 * parameters. The result is an error if the parameters cannot be determined.
 */
export type CollectedParams =
  | { readonly ok: true; readonly params: readonly (ParamObject | undefined)[] }
  | { readonly ok: false; readonly error: string };

const fail = (error: string): CollectedParams => ({ ok: false, error });
const WITHOUT: CollectedParams = { ok: true, params: [undefined] };

/**
 * Finds the parameter objects that a binding refers to. Source: k8s.io/apiserver/pkg/admission/plugin/policy/generic/policy_dispatcher.go
 * `CollectParams` (1.37).
 *
 * @param kind kind of the policy's parameters; undefined if the policy has no parameters, and `ref` is then ignored
 * @param namespace namespace of the request
 */
export function collectParams(
  kind: KnownKind | undefined,
  ref: ParamRef | undefined,
  namespace: string,
  objects: ParamObjects,
): CollectedParams {
  if (kind === undefined || ref === undefined) return WITHOUT;
  const within = kind.namespaced ? ref.namespace || namespace : undefined;
  if (within === '') return fail('cannot use namespaced paramRef in policy binding that matches cluster-scoped resources');
  if (!kind.namespaced && ref.namespace !== '') return fail('paramRef.namespace must not be provided for a cluster-scoped `paramKind`');
  const found = select(objects.of(kind.resource, within), ref);
  if (!found.ok || found.params.length > 0 || ref.parameterNotFoundAction !== 'Deny') return found;
  return fail('no params found for policy binding with `Deny` parameterNotFoundAction');
}

function select(candidates: readonly ParamObject[], { name, selector }: ParamRef): CollectedParams {
  if (name !== '') {
    if (selector !== undefined) return fail('paramRef.name and paramRef.selector are mutually exclusive');
    return { ok: true, params: candidates.filter((candidate) => candidate.name === name) };
  }
  if (selector === undefined) return fail('one of name or selector must be provided');
  const compiled = compileSelector(selector);
  if (!compiled.ok) return fail(compiled.error);
  return { ok: true, params: candidates.filter(({ object }) => compiled.matches(labelsOf(object))) };
}
