import { Fields } from '../read/fields.ts';
import { Kinds } from './kinds.ts';
import type { JsonValue } from '#go';
import type { Minor } from '#kube';
import type { KnownKind, ServedResource } from './kinds.ts';
import { builtInKinds } from '../built-in/table/built-in-kind.ts';

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
