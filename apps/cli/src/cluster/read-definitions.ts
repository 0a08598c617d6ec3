import { servedDefinition } from '#cluster';
import type { Cluster, ServedDefinition } from '#cluster';
import { isJsonObject } from '#go';
import { readSlice } from '#documents';
import type { DefinitionSlice, DocumentSlice } from '#documents';
import type { ReportProblem } from '../files/file-problem.ts';
import type { PlacedDocument } from '../documents/read-documents.ts';
import { valueOf } from './open-cluster.ts';

/** Definition in a cluster, with the data that is needed to find its objects. */
export interface StoredDefinition extends PlacedDocument {
  readonly slice: DefinitionSlice;
  readonly served: ServedDefinition;
}

/** Returns all definitions of a cluster. Throws {@link UsageError} if they cannot be read. */
export async function readDefinitions(cluster: Cluster): Promise<StoredDefinition[]> {
  return valueOf(await cluster.definitions()).flatMap((slice) => placed(cluster, slice) ?? []);
}

/** Returns the definition with a given name; undefined if there is none. Throws {@link UsageError} if the definition cannot be read. */
export async function readStoredDefinition(cluster: Cluster, name: string): Promise<StoredDefinition | undefined> {
  const reading = await cluster.definition(name);
  if (!reading.ok && reading.problem.kind === 'missing') return undefined;
  return placed(cluster, valueOf(reading));
}

/**
 * Returns the definitions for the kinds of the given objects, except for kinds that the `known` definitions define and kinds of Kubernetes
 * itself. Reports definitions that the server forbids reading.
 */
export async function definitionsOfKinds(
  cluster: Cluster,
  objects: readonly DocumentSlice[],
  known: readonly DocumentSlice[],
  reportProblem: ReportProblem,
): Promise<StoredDefinition[]> {
  const defined = new Set(known.flatMap((slice) => servedIn(slice) ?? []).map(({ spec }) => `${spec.group}/${spec.names.kind}`));
  const wanted = new Map<string, Set<string>>();
  for (const object of objects) {
    const { apiVersion, kind } = typeOf(object) ?? {};
    const [group = '', version] = apiVersion?.split('/') ?? [];
    // Groups of one word belong to Kubernetes itself.
    if (kind === undefined || apiVersion === undefined || version === undefined || !group.includes('.') || defined.has(`${group}/${kind}`))
      continue;
    wanted.set(apiVersion, (wanted.get(apiVersion) ?? new Set()).add(kind));
  }
  const found = new Map<string, StoredDefinition>();
  for (const [apiVersion, kinds] of wanted) {
    const resources = await cluster.resources(apiVersion);
    if (!resources.ok) {
      reportProblem(resources.problem.sentence);
      continue;
    }
    const names = [...kinds].flatMap((kind) => resources.value.get(kind) ?? []);
    for (const plural of names) {
      const name = `${plural}.${apiVersion.split('/', 1)[0] ?? ''}`;
      const reading = found.has(name) ? undefined : await cluster.definition(name);
      // Groups of Kubernetes itself have no definitions, so a missing definition is not a problem.
      if (reading?.ok === false && reading.problem.kind !== 'missing') reportProblem(reading.problem.sentence);
      const definition = reading?.ok === true ? placed(cluster, reading.value) : undefined;
      if (definition) found.set(name, definition);
    }
  }
  return [...found.values()];
}

/**
 * Returns the fields of a CustomResourceDefinition that are needed to find its objects in a cluster. Returns undefined if the document is
 * not a definition.
 */
export function servedIn(slice: DocumentSlice): ServedDefinition | undefined {
  const reading = readSlice(slice);
  return reading.ok ? servedDefinition(reading.value) : undefined;
}

function placed(cluster: Cluster, slice: DocumentSlice): StoredDefinition | undefined {
  const served = servedIn(slice);
  // The cluster has already accepted this definition, perhaps with fields that an older version does not know.
  return served && { source: `${cluster.name}:${served.metadata.name}`, slice: { ...slice, fieldValidation: 'Ignore' }, served };
}

function typeOf(slice: DocumentSlice): { readonly apiVersion?: string; readonly kind?: string } | undefined {
  const reading = readSlice(slice);
  if (!reading.ok || !isJsonObject(reading.value)) return undefined;
  const { apiVersion, kind } = reading.value;
  return { ...(typeof apiVersion === 'string' && { apiVersion }), ...(typeof kind === 'string' && { kind }) };
}
