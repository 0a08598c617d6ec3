import { compareBytes } from '#go';
import type { JsonObject } from '#go';
import type { Minor } from '#kube';
import type { StructType } from './built-in/table/go-type.ts';
import { compileSelector } from './read/label-selector.ts';
import type { ParamKind, ParamRef } from './read/policy.ts';
import { heldObject, inNamespace, labelsOf, metadataText } from './request/held-object.ts';
import { kindText } from './request/kinds.ts';
import type { GroupVersionKind, GroupVersionResource, Kinds, KnownKind } from './request/kinds.ts';

/** Object in the cluster that a binding can select as a parameter. */
export interface ParamObject {
  readonly namespace: string;
  readonly name: string;
  readonly object: JsonObject;
  /** Go type of the object; undefined if the object is not of a built-in kind. */
  readonly type: StructType | undefined;
}

/** All parameter objects, grouped by resource and sorted by namespace and name. The order in a server is random. */
export class ParamObjects {
  readonly #byResource = new Map<string, Map<string, ParamObject>>();
  /** Sorted objects of each resource, from the first read after the latest addition. */
  readonly #sorted = new Map<string, readonly ParamObject[]>();

  /** Adds a parameter object. Returns undefined on success, or the reason why no policy can refer to the object. */
  add(written: JsonObject, kinds: Kinds, minor: Minor): string | undefined {
    const { apiVersion, kind } = written;
    const [group, version] = typeof apiVersion === 'string' ? splitApiVersion(apiVersion) : ['', ''];
    const known = typeof kind === 'string' ? kinds.ofKind({ group, version, kind }) : undefined;
    if (known === undefined) return `no matches for kind "${String(kind)}" in version "${String(apiVersion)}"`;
    const held = heldObject(written, minor);
    if (!held.ok) return held.error;
    const name = metadataText(held.object, 'name');
    const namespace = known.namespaced ? metadataText(held.object, 'namespace') || 'default' : '';
    const object = inNamespace(held.object, namespace);
    const key = keyOf(known.resource);
    const others = this.#byResource.get(key) ?? new Map<string, ParamObject>();
    others.set(`${namespace}/${name}`, { namespace, name, object, type: held.type });
    this.#byResource.set(key, others);
    this.#sorted.delete(key);
    return undefined;
  }

  /** Returns all parameter objects of `resource`. If `namespace` is given, returns only the objects in this namespace. */
  of(resource: GroupVersionResource, namespace: string | undefined): readonly ParamObject[] {
    const all = this.#ofKey(keyOf(resource));
    return namespace === undefined ? all : all.filter((param) => param.namespace === namespace);
  }

  /** Returns the parameter objects of all resources. */
  all(): readonly ParamObject[] {
    return [...this.#byResource.keys()].flatMap((key) => this.#ofKey(key));
  }

  /** Returns the same parameter objects, with `by` in the place of `param`. */
  replacing(param: ParamObject, by: ParamObject): ParamObjects {
    const copy = new ParamObjects();
    for (const [key, objects] of this.#byResource)
      copy.#byResource.set(key, new Map([...objects].map(([name, object]) => [name, object === param ? by : object])));
    return copy;
  }

  #ofKey(key: string): readonly ParamObject[] {
    const known = this.#sorted.get(key);
    if (known !== undefined) return known;
    const sorted = [...(this.#byResource.get(key) ?? [])].sort(([a], [b]) => compareBytes(a, b)).map(([, object]) => object);
    this.#sorted.set(key, sorted);
    return sorted;
  }
}

/** Returns the name of a parameter object, preceded by its namespace and a slash if it has a namespace. */
export const paramName = ({ namespace, name }: ParamObject): string => (namespace === '' ? name : `${namespace}/${name}`);

const keyOf = ({ group, version, resource }: GroupVersionResource): string => `${group}/${version}/${resource}`;

/** Splits an apiVersion into its group and version. */
export function splitApiVersion(apiVersion: string): readonly [group: string, version: string] {
  const slash = apiVersion.indexOf('/');
  return slash < 0 ? ['', apiVersion] : [apiVersion.slice(0, slash), apiVersion.slice(slash + 1)];
}

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

/**
 * Returns the kind of a policy's parameters, or undefined if the policy has no parameters. Returns an error if the server does not serve
 * the kind. Source: k8s.io/apiserver/pkg/admission/plugin/policy/generic/policy_source.go (1.37).
 */
export function paramKindOf(paramKind: ParamKind | undefined, kinds: Kinds): KnownKind | { readonly error: string } | undefined {
  if (paramKind === undefined) return undefined;
  const [group, version] = splitApiVersion(paramKind.apiVersion);
  const kind: GroupVersionKind = { group, version, kind: paramKind.kind };
  return kinds.ofKind(kind) ?? { error: `failed to find resource referenced by paramKind: '${kindText(kind)}'` };
}
