import type { GroupVersionKind, GroupVersionResource } from './group-version.ts';

/** Kind that the server serves, with its resource. */
export interface KnownKind {
  readonly kind: GroupVersionKind;
  readonly resource: GroupVersionResource;
  readonly namespaced: boolean;
}

/** Resource or subresource of the server, with the kind of its objects. `subresource` is empty for the resource itself. */
export interface ServedResource {
  readonly resource: GroupVersionResource;
  readonly subresource: string;
  readonly kind: GroupVersionKind;
}

const KEY = (group: string, version: string, name: string): string => `${group}/${version}/${name}`;

/** Kinds that a server serves. Also records which resources serve the same stored objects in different versions. */
export class Kinds {
  readonly #byKind = new Map<string, KnownKind>();
  readonly #byResource = new Map<string, KnownKind>();
  readonly #served = new Map<string, GroupVersionKind>();
  readonly #versions = new Map<string, GroupVersionResource[]>();

  constructor(known: Iterable<KnownKind>, served: Iterable<ServedResource>) {
    for (const entry of known) {
      const { kind, resource } = entry;
      this.#byKind.set(KEY(kind.group, kind.version, kind.kind), entry);
      this.#byResource.set(KEY(resource.group, resource.version, resource.resource), entry);
    }
    for (const { resource, subresource, kind } of served) {
      this.#served.set(servedKey(resource, subresource), kind);
      const key = storageKey(resource, subresource);
      const versions = this.#versions.get(key) ?? [];
      this.#versions.set(key, versions);
      versions.push(resource);
    }
  }

  ofKind({ group, version, kind }: GroupVersionKind): KnownKind | undefined {
    return this.#byKind.get(KEY(group, version, kind));
  }

  ofResource({ group, version, resource }: GroupVersionResource): KnownKind | undefined {
    return this.#byResource.get(KEY(group, version, resource));
  }

  /**
   * Returns the kinds of a resource. If `group` is empty, all groups are searched. Source: k8s.io/apimachinery/pkg/api/meta/restmapper.go
   * `KindsFor` (1.37).
   */
  named(group: string, version: string, resource: string): readonly GroupVersionKind[] {
    const name = resource.toLowerCase();
    if (group !== '') return [this.#byResource.get(KEY(group, version, name))?.kind].filter((kind) => kind !== undefined);
    return [...this.#byResource.values()]
      .filter((known) => known.resource.version === version && known.resource.resource === name)
      .map(({ kind }) => kind);
  }

  /**
   * Returns all resources that serve the same stored objects at this subresource in different versions. The result includes `resource`
   * itself. Source: k8s.io/apimachinery/pkg/runtime/mapper.go (1.37).
   */
  equivalentsOf(resource: GroupVersionResource, subresource: string): readonly GroupVersionResource[] {
    return this.#versions.get(storageKey(resource, subresource)) ?? [];
  }

  /** Returns the kind of the objects that a subresource reads and writes; undefined if it is not known. */
  servedKind(resource: GroupVersionResource, subresource: string): GroupVersionKind | undefined {
    return this.#served.get(servedKey(resource, subresource));
  }
}

const servedKey = ({ group, version, resource }: GroupVersionResource, subresource: string): string =>
  `${KEY(group, version, resource)}/${subresource}`;

/**
 * Returns the key that groups all versions of the same stored objects. Events of both API groups share a key, because each event is stored
 * only once.
 */
function storageKey({ group, resource }: GroupVersionResource, subresource: string): string {
  return resource === 'events' ? `events/${subresource}` : `${group}/${resource}/${subresource}`;
}

/** Pattern of lowercase kind names that are also plurals. */
const UNCOUNTABLE = /endpoints$/;

/**
 * Guesses the resource of a kind for which the server declares none. Source: k8s.io/apimachinery/pkg/api/meta/restmapper.go
 * `UnsafeGuessKindToResource` (1.37).
 */
export function guessResource({ group, version, kind }: GroupVersionKind): GroupVersionResource {
  const name = kind.toLowerCase();
  if (UNCOUNTABLE.test(name)) return { group, version, resource: name };
  const resource = name.endsWith('s') ? `${name}es` : name.endsWith('y') ? `${name.slice(0, -1)}ies` : `${name}s`;
  return { group, version, resource };
}
