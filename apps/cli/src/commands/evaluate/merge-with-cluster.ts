import type { Cluster } from '#cluster';
import { isJsonObject } from '#go';
import { readSlice } from '#documents';
import type { EvaluationOptions } from '#documents';
import type { ReportProblem } from '../../files/file-problem.ts';
import type { PlacedDocument, PlacedDocuments } from '../../documents/read-documents.ts';
import { openCluster, definitionsOfKinds, servedIn } from '../../cluster/read-cluster.ts';
import type { EvaluateArguments } from './arguments.ts';

/** Documents from files, completed with data from a cluster: the missing definitions, and the stored state of the objects. */
export interface MergedDocuments {
  readonly documents: PlacedDocuments;
  readonly stored: readonly PlacedDocument[];
  /** Evaluation options. If the user named no minor version, the options contain the minor version of the cluster. */
  readonly options: EvaluationOptions;
}

/**
 * Reads from a cluster what the given documents lack: definitions of kinds that the files do not define, and the stored state of each
 * object. Returns the documents with these additions. If the server forbids reading a resource, the problem is reported once, and the
 * objects of that resource are validated as new objects.
 */
export async function mergeWithCluster(
  command: EvaluateArguments,
  documents: PlacedDocuments,
  reportProblem: ReportProblem,
): Promise<MergedDocuments> {
  const { cluster, options } = await openCluster(command.cluster ?? { ownMinor: true }, command.options);
  try {
    return { ...(await completed(cluster, documents, reportProblem)), options };
  } finally {
    cluster.close();
  }
}

async function completed(
  cluster: Cluster,
  documents: PlacedDocuments,
  reportProblem: ReportProblem,
): Promise<Omit<MergedDocuments, 'options'>> {
  const slices = (placed: readonly PlacedDocument[]) => placed.map(({ slice }) => slice);
  const found = await definitionsOfKinds(cluster, slices(documents.objects), slices(documents.definitions), reportProblem);
  const definitions = [...documents.definitions, ...found];
  const paths = pathsOf(documents.objects, definitions);
  const readings = await cluster.objects(paths);
  const reported = new Set<string>();
  const stored = readings.flatMap((reading, i): PlacedDocument[] => {
    if (reading.ok) return [{ source: `${cluster.name}:${paths[i] ?? ''}`, slice: reading.value }];
    const { kind, sentence } = reading.problem;
    const resource = (paths[i] ?? '').replace(/\/[^/]*$/, '');
    if (kind !== 'missing' && !reported.has(resource)) reportProblem(sentence);
    if (kind !== 'missing') reported.add(resource);
    return [];
  });
  return { documents: { ...documents, definitions }, stored };
}

/** Returns the API path of each object that has a name and a definition. */
function pathsOf(objects: readonly PlacedDocument[], definitions: readonly PlacedDocument[]): string[] {
  const served = new Map(
    definitions.flatMap(({ slice }) => servedIn(slice) ?? []).map(({ spec }) => [`${spec.group}/${spec.names.kind}`, spec] as const),
  );
  return objects.flatMap(({ slice }) => {
    const reading = readSlice(slice);
    if (!reading.ok || !isJsonObject(reading.value)) return [];
    const { apiVersion, kind, metadata } = reading.value;
    const { name, namespace = 'default' } = isJsonObject(metadata) ? metadata : {};
    const [group = '', version = ''] = String(apiVersion).split('/');
    const spec = served.get(`${group}/${String(kind)}`);
    if (spec === undefined || typeof name !== 'string' || name === '') return [];
    const place = spec.scope === 'Cluster' ? '' : `namespaces/${encodeURIComponent(String(namespace))}/`;
    return [`/apis/${group}/${version}/${place}${spec.names.plural}/${encodeURIComponent(name)}`];
  });
}
