import { ApiReader, Cluster, findCluster, servedDefinition } from '#cluster';
import type { ClusterAddress, ClusterChoice, ClusterReading, ServedDefinition, ClusterList } from '#cluster';
import { inMinor, readSlice } from '#documents';
import type { EvaluationOptions, DefinitionSlice, DocumentSlice } from '#documents';
import { isJsonObject } from '#go';
import { minorWords, previewOf } from '#kube';
import type { TriedObjects } from '../documents/objects-by-kind.ts';
import type { PlacedDocument } from '../documents/read-documents.ts';
import type { ReportProblem } from '../files/file-problem.ts';
import { reportOnStderr, ProgressLine } from '../report/print.ts';
import { UsageError } from '../usage.ts';

/** Cluster that a command reads from. */
export interface ClusterOption extends ClusterChoice {
  /** True if objects are validated as the minor version of the cluster validates them; false if the user named another minor version. */
  readonly ownMinor: boolean;
}

/** Cluster that was reached, and the evaluation options with the minor version to use. */
export interface OpenedCluster {
  readonly cluster: Cluster;
  readonly options: EvaluationOptions;
  /** Version text of the server, such as v1.33.2. */
  readonly version: string;
}

/**
 * Finds the cluster and reads its version. `readerOf` creates the client that reads from an address; default: a client that only reads.
 * Throws {@link UsageError} with the reason if the cluster cannot be read.
 */
export async function openCluster(
  { ownMinor, ...choice }: ClusterOption,
  options: EvaluationOptions,
  readerOf: (address: ClusterAddress) => ApiReader = (address) => new ApiReader(address),
): Promise<OpenedCluster> {
  const cluster = new Cluster(readerOf(valueOf(findCluster(choice))));
  const { minor, text, isKnown } = valueOf(await cluster.version());
  if (ownMinor && !isKnown) reportOnStderr(`${cluster.name} is ${text}, which is not known here: it is judged as ${minor}`);
  if (ownMinor && previewOf(minor) !== undefined) reportOnStderr(`${cluster.name} is ${text}: it is judged as ${minorWords(minor)}`);
  return { cluster, options: ownMinor ? inMinor(options, minor) : options, version: text };
}

/** Returns the value that was read from a cluster. Throws {@link UsageError} with the reason if `reading` is a failure. */
export function valueOf<Value>(reading: ClusterReading<Value>): Value {
  if (!reading.ok) throw new UsageError(reading.problem.sentence);
  return reading.value;
}

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
  // The cluster has already accepted this definition. Fields that the command's version does not know are no errors.
  return served && { source: `${cluster.name}:${served.metadata.name}`, slice: { ...slice, fieldValidation: 'Ignore' }, served };
}

function typeOf(slice: DocumentSlice): { readonly apiVersion?: string; readonly kind?: string } | undefined {
  const reading = readSlice(slice);
  if (!reading.ok || !isJsonObject(reading.value)) return undefined;
  const { apiVersion, kind } = reading.value;
  return { ...(typeof apiVersion === 'string' && { apiVersion }), ...(typeof kind === 'string' && { kind }) };
}

/**
 * Stored objects of a cluster, which are read and validated page by page. The class shows the progress on one line. It also returns the
 * namespace and name of an object by the object's index.
 */
export class StoredObjects implements TriedObjects {
  readonly #list: ClusterList;
  readonly #what: string;
  readonly #progress = new ProgressLine();
  /** Objects that are read but have no verdict yet. `#first` is the index of the first object in `#open`. */
  #open: DocumentSlice[] = [];
  #first = 0;
  #judged = 0;

  /**
   * Wraps a list of stored objects.
   *
   * @param what name of the objects, for the progress line
   */
  constructor(list: ClusterList, what: string) {
    this.#list = list;
    this.#what = what;
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<readonly DocumentSlice[]> {
    for await (const page of this.#list) {
      this.#open = [...this.#open, ...page];
      yield page;
    }
  }

  /**
   * Returns the name of an object as `namespace/name`. Call it in the order of the objects, and only for objects that `done` has not yet
   * counted.
   */
  documentOf(index: number): { readonly source: string } {
    const slice = this.#open[index - this.#first];
    if (slice === undefined) return { source: '' };
    const { metadata = {} } = JSON.parse(Buffer.from(slice.bytes).toString()) as { metadata?: { namespace?: string; name?: string } };
    return { source: metadata.namespace === undefined ? (metadata.name ?? '') : `${metadata.namespace}/${metadata.name ?? ''}` };
  }

  /** Records that `count` more objects have verdicts, and updates the progress line. */
  done(count: number): void {
    this.#judged += count;
    this.#open = this.#open.slice(count);
    this.#first += count;
    const { count: read, remaining } = this.#list;
    this.#progress.report(
      () => `${this.#judged} of ${remaining === undefined ? 'at least ' : ''}${read + (remaining ?? 0)} ${this.#what} judged`,
    );
  }

  /** Removes the progress line. Returns the reason if the list ended early; undefined if the list was read completely. */
  end(): string | undefined {
    this.#progress.end();
    const { problem, count } = this.#list;
    return problem && `${problem.sentence}; ${count} of its objects were read`;
  }
}
