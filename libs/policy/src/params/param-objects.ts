import { compareBytes } from '#go';
import { inNamespace, metadataText } from '../request/object-meta.ts';
import { heldObject } from '../request/typed-object.ts';
import type { JsonObject } from '#go';
import type { GroupVersionResource } from '../request/group-version.ts';
import type { Minor } from '#kube';
import type { Kinds } from '../request/kinds.ts';
import type { StructType } from '../built-in/table/go-type.ts';

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
