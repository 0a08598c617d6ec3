import type { JsonValue } from '#go';
import type { Minor } from '#kube';
import { builtInKinds } from '../built-in/table/built-in-kind.ts';
import { Fields } from '../read/fields.ts';

/** Kind that the server serves, with its resource. */
export interface KnownKind {
  readonly kind: GroupVersionKind;
  readonly resource: GroupVersionResource;
  readonly namespaced: boolean;
}

/** Resource or subresource of the server, with the kind of its objects. `subresource` is empty for the resource itself. */
interface ServedResource {
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

/** Kind of API objects, identified by group, version and name. */
export interface GroupVersionKind {
  readonly group: string;
  readonly version: string;
  readonly kind: string;
}

/** Resource of the API, identified by group, version and plural name. */
export interface GroupVersionResource {
  readonly group: string;
  readonly version: string;
  readonly resource: string;
}

/** Returns the apiVersion of a group and version, for example `apps/v1`, or `v1` in the core group. */
export function apiVersionOf({ group, version }: { readonly group: string; readonly version: string }): string {
  return group === '' ? version : `${group}/${version}`;
}

/** Returns the text that Go prints for a kind: `apps/v1, Kind=Deployment`. */
export function kindText(kind: GroupVersionKind): string {
  return `${kind.group}/${kind.version}, Kind=${kind.kind}`;
}

/** Returns true if two resources have the same group, version and plural name. */
export function isSameResource(a: GroupVersionResource, b: GroupVersionResource): boolean {
  return a.resource === b.resource && a.group === b.group && a.version === b.version;
}

/**
 * Pattern of stable versions. By default, a server serves only the stable versions of built-in kinds. Alpha and beta versions are therefore
 * not among the equivalent versions of a resource.
 */
const STABLE = /^v\d+$/;

interface KindTables {
  readonly known: KnownKind[];
  readonly served: ServedResource[];
}

/**
 * Returns the kinds of a server: the built-in kinds of its minor version and the kinds of the CustomResourceDefinitions. Throws
 * `Unreadable` if a field of a definition has a wrong type.
 */
export function serverKinds(minor: Minor, definitions: readonly JsonValue[]): Kinds {
  const tables: KindTables = { known: [], served: [] };
  addBuiltIns(minor, tables);
  for (const [i, definition] of definitions.entries()) addDefinition(new Fields(definition, `crds[${i}]`), tables);
  return new Kinds(tables.known, tables.served);
}

const DEFINITION = { group: 'apiextensions.k8s.io', version: 'v1' };
/** Kind and resource of CustomResourceDefinition itself, which is missing from the tables of k8s.io/api. */
const DEFINITIONS = {
  kind: { ...DEFINITION, kind: 'CustomResourceDefinition' },
  resource: { ...DEFINITION, resource: 'customresourcedefinitions' },
};

function addBuiltIns(minor: Minor, { known, served }: KindTables): void {
  known.push({ ...DEFINITIONS, namespaced: false });
  for (const subresource of ['', 'status']) served.push({ ...DEFINITIONS, subresource });
  for (const { group, version, kind, resource } of builtInKinds(minor).all) {
    if (resource === undefined) continue;
    const entry = { kind: { group, version, kind }, resource: { group, version, resource: resource.plural } };
    known.push({ ...entry, namespaced: resource.namespaced });
    if (!STABLE.test(version)) continue;
    for (const subresource of ['', 'status']) served.push({ ...entry, subresource });
  }
}

const SCALE = { group: 'autoscaling', version: 'v1', kind: 'Scale' };

function addDefinition(definition: Fields, { known, served }: KindTables): void {
  const spec = definition.object('spec');
  const group = spec.text('group');
  const names = spec.object('names');
  const [kind, plural] = [names.text('kind'), names.text('plural')];
  for (const value of spec.list('versions', (version, path) => new Fields(version, path))) {
    if (value.value('served') !== true) continue;
    const version = value.text('name');
    const entry = { kind: { group, version, kind }, resource: { group, version, resource: plural } };
    known.push({ ...entry, namespaced: spec.text('scope') !== 'Cluster' });
    served.push({ ...entry, subresource: '' });
    const subresources = value.object('subresources');
    if (subresources.has('status')) served.push({ ...entry, subresource: 'status' });
    if (subresources.has('scale')) served.push({ ...entry, subresource: 'scale', kind: SCALE });
  }
}
