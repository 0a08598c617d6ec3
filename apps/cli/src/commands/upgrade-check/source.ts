import { pathOfObjects } from '#cluster';
import type { Cluster } from '#cluster';
import type { DefinitionSlice, EvaluationOptions } from '#documents';
import type { Engine } from '#runner';
import type { upgradeCheck } from '#service';
import type { ReportProblem } from '../../files/file-problem.ts';
import { documentsOf, hasNoDocuments } from '../../documents/read-documents.ts';
import { readInputs } from '../../documents/read-inputs.ts';
import { UsageError } from '../../usage.ts';
import { namedDefinition, ObjectsOfFiles } from '../../documents/objects-by-kind.ts';
import type { TriedObjects } from '../../documents/objects-by-kind.ts';
import { openCluster, valueOf } from '../../cluster/open-cluster.ts';
import type { ClusterOption } from '../../cluster/open-cluster.ts';
import { readDefinitions } from '../../cluster/read-definitions.ts';
import type { StoredDefinition } from '../../cluster/read-definitions.ts';
import { StoredObjects } from '../../cluster/stored-objects.ts';
import type { CommandSettings } from '../../options/shared-options.ts';

/** Cluster or files that an upgrade concerns. */
export interface UpgradeInput extends CommandSettings {
  /** Cluster that is upgraded; undefined if files are judged. */
  readonly cluster: ClusterOption | undefined;
  readonly paths: readonly string[];
  readonly options: EvaluationOptions;
}

/** Definitions, policies and stored objects that an upgrade concerns, from a cluster or from files. */
export interface UpgradeSource {
  /** Cluster with the version text of its server; undefined for files. */
  readonly cluster: { readonly name: string; readonly version: string } | undefined;
  /** Options of the evaluation, with the version before the upgrade. */
  readonly options: EvaluationOptions;
  readonly documents: Parameters<typeof upgradeCheck>[1];
  /** Kinds with the objects of each, in the order of the definitions in `documents`. */
  readonly kinds: readonly StoredKindOf[];
  /** Number of objects in files that have no definition among the files. */
  readonly skipped: number;
  close(): void;
}

/** Definition, and a function that begins to read its stored objects. The function is undefined if the server serves none. */
interface StoredKindOf {
  readonly name: string;
  readonly slice: DefinitionSlice;
  readonly objects: (() => TriedObjects) | undefined;
}

/** Opens the source that a command names: files, or a cluster. Throws {@link UsageError} if it cannot be read. */
export function openUpgradeSource(command: UpgradeInput, engine: Engine, reportProblem: ReportProblem): Promise<UpgradeSource> {
  return command.cluster === undefined
    ? filesSource(command, engine, reportProblem)
    : clusterSource(command, command.cluster, reportProblem);
}

async function clusterSource(
  command: UpgradeInput,
  choice: NonNullable<UpgradeInput['cluster']>,
  reportProblem: ReportProblem,
): Promise<UpgradeSource> {
  const { cluster, options, version } = await openCluster(choice, command.options);
  try {
    const definitions = await readDefinitions(cluster);
    const documents = await documentsOfCluster(cluster, definitions, options, reportProblem);
    const kinds = definitions.map(({ served, slice }) => {
      const path = pathOfObjects(served);
      const { name } = served.metadata;
      return { name, slice, objects: path === undefined ? undefined : () => new StoredObjects(cluster.list(path), name) };
    });
    return { cluster: { name: cluster.name, version }, options, documents, kinds, skipped: 0, close: () => cluster.close() };
  } catch (error) {
    cluster.close();
    throw error;
  }
}

/**
 * Reads the definitions, the policies, and the Namespaces that the policies' selectors need. Documents that the server forbids reading are
 * reported and left out.
 */
async function documentsOfCluster(
  cluster: Cluster,
  definitions: readonly StoredDefinition[],
  options: EvaluationOptions,
  reportProblem: ReportProblem,
): Promise<UpgradeSource['documents']> {
  const { documents: policies, problems } = await cluster.policies();
  for (const { sentence } of problems) reportProblem(sentence);
  const namespaces = policies.length === 0 ? undefined : await cluster.namespaces();
  if (namespaces?.ok === false && namespaces.problem.kind === 'forbidden') reportProblem(namespaces.problem.sentence);
  else if (namespaces !== undefined) valueOf(namespaces);
  return {
    definitions: definitions.map(({ slice }) => slice),
    policies,
    cluster: namespaces?.ok === true ? namespaces.value : [],
    options,
  };
}

async function filesSource(command: UpgradeInput, engine: Engine, reportProblem: ReportProblem): Promise<UpgradeSource> {
  const read = await documentsOf(await readInputs(command.paths, reportProblem, command.reading), engine);
  if (hasNoDocuments(read)) throw new UsageError('no documents were found');
  const objects = new ObjectsOfFiles(read);
  const named = read.definitions.map(({ slice, source }) => {
    const found = namedDefinition(slice);
    if (typeof found === 'string') throw new UsageError(`${source}: ${found}`);
    // The cluster has accepted it already, perhaps with fields that an older minor does not know.
    return { ...found, slice: { ...slice, fieldValidation: 'Ignore' } as const };
  });
  return {
    cluster: undefined,
    skipped: objects.others(named),
    options: command.options,
    documents: { definitions: named.map(({ slice }) => slice), ...read.policies, options: command.options },
    kinds: named.map((one, i) => ({ name: one.name, slice: one.slice, objects: () => objects.of(one, i === 0) })),
    close: () => undefined,
  };
}
