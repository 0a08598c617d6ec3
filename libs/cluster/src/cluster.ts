import { isMinor, LATEST_MINOR, minorNumber, MINORS } from '#kube';
import type { Minor } from '#kube';
import type { DocumentSlice } from '#documents';
import { z } from 'zod';
import type { ClusterAddress } from './address.ts';
import type { ApiReader } from './api-reader.ts';
import { ClusterList } from './object-list.ts';
import type { ListedResource } from './object-list.ts';
import { parsedJson, read, unread } from './reading.ts';
import type { ClusterProblem, ClusterReading } from './reading.ts';

/** Number of objects that are read at the same time. */
const AT_A_TIME = 8;
const DEFINITIONS = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions';

/** Schema of the part of a CustomResourceDefinition that determines the paths of its objects: group, scope, names and versions. */
const served = z.object({
  metadata: z.object({ name: z.string() }),
  spec: z.object({
    group: z.string(),
    scope: z.string().optional(),
    names: z.object({ plural: z.string(), kind: z.string() }),
    versions: z.array(z.object({ name: z.string(), served: z.boolean(), storage: z.boolean() })),
  }),
});
export type ServedDefinition = z.infer<typeof served>;

/** Schema of a discovery response. Source: apimachinery v0.37, pkg/apis/meta/v1/types.go `APIResourceList`. */
const resourceList = z.object({ resources: z.array(z.object({ name: z.string(), kind: z.string() })) });

/**
 * Kinds of admission policies and of their bindings, by resource. For each kind, the first version in `versions` that the server offers is
 * read.
 */
const POLICY_KINDS = {
  validatingadmissionpolicies: { kind: 'ValidatingAdmissionPolicy', versions: ['v1', 'v1beta1'] },
  validatingadmissionpolicybindings: { kind: 'ValidatingAdmissionPolicyBinding', versions: ['v1', 'v1beta1'] },
  mutatingadmissionpolicies: { kind: 'MutatingAdmissionPolicy', versions: ['v1', 'v1beta1', 'v1alpha1'] },
  mutatingadmissionpolicybindings: { kind: 'MutatingAdmissionPolicyBinding', versions: ['v1', 'v1beta1', 'v1alpha1'] },
} as const;

/** Kubernetes version of a cluster. */
export interface ClusterVersion {
  /**
   * Minor version by whose rules Assay computes verdicts: the cluster's own minor version, or the nearest released minor version that
   * Assay knows.
   */
  readonly minor: Minor;
  /** Version text of the server, such as `v1.33.2`. */
  readonly text: string;
  readonly isKnown: boolean;
}

/** Documents that were read from a cluster, and the problems with documents that could not be read. */
export interface ServerDocuments {
  readonly documents: readonly DocumentSlice[];
  readonly problems: readonly ClusterProblem[];
}

/** Reader of definitions, policies and objects in a cluster. */
export class Cluster {
  readonly #reader: ApiReader;
  readonly #signal: AbortSignal | undefined;

  constructor(reader: ApiReader, signal?: AbortSignal) {
    this.#reader = reader;
    this.#signal = signal;
  }

  /** Returns a reader of the same cluster over the same connections. If `signal` is aborted, its reads end with the problem `stopped`. */
  until(signal: AbortSignal): Cluster {
    return new Cluster(this.#reader, signal);
  }

  /** Name of the cluster that is shown to the user. */
  get name(): string {
    return this.#reader.address.name;
  }

  /** Address of the cluster's API server, with the credentials. */
  get address(): ClusterAddress {
    return this.#reader.address;
  }

  /** Closes the connections to the server. */
  close(): void {
    this.#reader.close();
  }

  /**
   * Returns the Kubernetes version of the cluster. A server of a preview, such as `v1.38.0-beta.0`, is judged as this preview. A server that is
   * newer than all known minor versions is taken for the newest released one, because a preview may still change.
   */
  async version(): Promise<ClusterReading<ClusterVersion>> {
    const answer = await this.#get('/version');
    if (!answer.ok) return answer;
    const parsed = z.object({ major: z.string(), minor: z.string(), gitVersion: z.string() }).safeParse(parsedJson(answer.value));
    const { major = '', minor = '', gitVersion = '' } = parsed.data ?? {};
    const number = `${major}.${/^\d+/.exec(minor)?.[0] ?? ''}`;
    if (isMinor(number)) return read({ minor: number, text: gitVersion, isKnown: true });
    const isOlder = /^1\.\d+$/.test(number) && Number(minor.replace(/\D.*/, '')) < minorNumber(MINORS[0]);
    return read({ minor: isOlder ? MINORS[0] : LATEST_MINOR, text: gitVersion, isKnown: false });
  }

  /** Returns all CustomResourceDefinitions. */
  definitions(): Promise<ClusterReading<readonly DocumentSlice[]>> {
    return this.#whole({ path: DEFINITIONS, type: { apiVersion: 'apiextensions.k8s.io/v1', kind: 'CustomResourceDefinition' } });
  }

  /** Returns the CustomResourceDefinition with the given name, such as `widgets.example.com`. */
  definition(name: string): Promise<ClusterReading<DocumentSlice>> {
    return this.object(`${DEFINITIONS}/${encodeURIComponent(name)}`);
  }

  /** Returns the plural names of the resources of a group and version, by kind. The map is empty if the server has no such group. */
  async resources(apiVersion: string): Promise<ClusterReading<ReadonlyMap<string, string>>> {
    const answer = await this.#get(groupPath(apiVersion));
    if (!answer.ok) return answer.problem.kind === 'missing' ? read(new Map()) : answer;
    const { resources = [] } = resourceList.safeParse(parsedJson(answer.value)).data ?? {};
    return read(new Map(resources.filter(({ name }) => !name.includes('/')).map(({ name, kind }) => [kind, name])));
  }

  /** Returns all objects of a kind in all namespaces. Fails with the problem `missing` if the server has no such kind. */
  async objectsOfKind(apiVersion: string, kind: string): Promise<ClusterReading<readonly DocumentSlice[]>> {
    const resources = await this.resources(apiVersion);
    if (!resources.ok) return resources;
    const plural = resources.value.get(kind);
    if (plural === undefined) return unread('missing', `${this.name}: there is no kind ${kind} in ${apiVersion}`);
    return this.#whole({ path: `${groupPath(apiVersion)}/${plural}`, type: { apiVersion, kind } });
  }

  /** Returns all Namespaces. */
  namespaces(): Promise<ClusterReading<readonly DocumentSlice[]>> {
    return this.#whole({ path: '/api/v1/namespaces', type: { apiVersion: 'v1', kind: 'Namespace' } });
  }

  /** Returns all admission policies and bindings of the kinds that the server has. */
  async policies(): Promise<ServerDocuments> {
    const documents: DocumentSlice[] = [];
    const problems: ClusterProblem[] = [];
    for (const [resource, { kind, versions }] of Object.entries(POLICY_KINDS)) {
      for (const version of versions) {
        const apiVersion = `admissionregistration.k8s.io/${version}`;
        const listed = await this.#whole({ path: `/apis/${apiVersion}/${resource}`, type: { apiVersion, kind } });
        if (listed.ok) documents.push(...listed.value);
        else if (listed.problem.kind === 'missing') continue;
        else problems.push(listed.problem);
        break;
      }
    }
    return { documents, problems };
  }

  /** Returns the object at a path. */
  async object(path: string): Promise<ClusterReading<DocumentSlice>> {
    const answer = await this.#get(path);
    return answer.ok ? read({ bytes: answer.value, notation: 'json' }) : answer;
  }

  /** Returns the objects at several paths, in the order of the paths. At most 8 objects are read at the same time. */
  async objects(paths: readonly string[]): Promise<readonly ClusterReading<DocumentSlice>[]> {
    const found: ClusterReading<DocumentSlice>[] = [];
    const waiting = paths.entries();
    const readSome = async (): Promise<void> => {
      for (const [i, path] of waiting) found[i] = await this.object(path);
    };
    await Promise.all(Array.from({ length: AT_A_TIME }, readSome));
    return found;
  }

  /** Returns a list that reads all objects of a resource page by page. */
  list(path: string): ClusterList {
    return this.#list({ path });
  }

  #get(path: string): Promise<ClusterReading<Buffer>> {
    return this.#reader.get(path, this.#signal);
  }

  #list(resource: ListedResource): ClusterList {
    return new ClusterList(this.#reader, resource, { ...(this.#signal && { signal: this.#signal }) });
  }

  async #whole(resource: ListedResource): Promise<ClusterReading<readonly DocumentSlice[]>> {
    const list = this.#list(resource);
    const documents = (await Array.fromAsync(list)).flat();
    return list.problem === undefined ? read(documents) : { ok: false, problem: list.problem };
  }
}

/**
 * Returns the part of a definition that determines the paths of its objects (group, scope, names, versions). Returns undefined if the
 * document is no definition.
 */
export function servedDefinition(document: unknown): ServedDefinition | undefined {
  return served.safeParse(document).data;
}

/**
 * Returns the path of a definition's objects, or undefined if no version is served. The path uses the storage version if it is served, else
 * the first served version.
 *
 * `alsoIn` is another state of the definition. Served versions that also exist in `alsoIn` take precedence.
 */
export function pathOfObjects(definition: ServedDefinition, alsoIn?: ServedDefinition): string | undefined {
  const { group, names } = definition.spec;
  const version = writtenVersion(definition, alsoIn);
  return version && pathOfResource({ group, version, plural: names.plural });
}

/**
 * Returns the version in which objects are read and written: the storage version if it is served, else the first served version. Returns
 * undefined if no version is served. Served versions that also exist in `alsoIn` take precedence.
 */
export function writtenVersion({ spec }: ServedDefinition, alsoIn?: ServedDefinition): string | undefined {
  const versions = spec.versions.filter((version) => version.served).toSorted((a, b) => Number(b.storage) - Number(a.storage));
  const kept = versions.find(({ name }) => alsoIn?.spec.versions.some((other) => other.name === name));
  return (kept ?? versions[0])?.name;
}

/** Resource of custom objects, of the whole cluster or of one namespace. */
export interface ClusterResource {
  readonly group: string;
  readonly version: string;
  readonly plural: string;
  /** Namespace of the objects. Absent if the kind has no namespaces, or for the objects of all namespaces. */
  readonly namespace?: string;
}

/** Returns the API path of the objects of a resource. */
export function pathOfResource({ group, version, plural, namespace }: ClusterResource): string {
  const place = namespace === undefined ? '' : `namespaces/${encodeURIComponent(namespace)}/`;
  return `/apis/${group}/${version}/${place}${plural}`;
}

/** Returns the API path of a group and version. The core group is below `/api`, and all other groups are below `/apis`. */
function groupPath(apiVersion: string): string {
  return `/${apiVersion.includes('/') ? 'apis' : 'api'}/${apiVersion}`;
}
