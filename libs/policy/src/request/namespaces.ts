import { newJsonObject, goQuote, isJsonObject } from '#go';
import type { JsonObject, JsonValue } from '#go';
import type { Minor } from '#kube';
import { policyHas } from '../minors.ts';
import { heldObject, metadataText } from './held-object.ts';
import type { HeldObject } from './held-object.ts';

/**
 * Metadata fields of a Namespace that expressions can read. Source: k8s.io/apiserver/pkg/admission/plugin/cel/condition.go
 * `CreateNamespaceObject` (1.37).
 */
const NAMESPACE_METADATA = [
  'name',
  'generateName',
  'namespace',
  'uid',
  'resourceVersion',
  'generation',
  'creationTimestamp',
  'deletionTimestamp',
  'deletionGracePeriodSeconds',
  'labels',
  'annotations',
  'finalizers',
];

/** Returns the parts of a Namespace that expressions can read: some metadata, the spec and the status, without apiVersion and kind. */
function shownNamespace({ object: namespace, type }: HeldObject): HeldObject {
  const metadata: JsonValue | undefined = namespace['metadata'];
  const shown = newJsonObject();
  for (const field of NAMESPACE_METADATA) {
    const value = isJsonObject(metadata) ? metadata[field] : undefined;
    if (value !== undefined) shown[field] = value;
  }
  const object = Object.assign(newJsonObject(), {
    metadata: shown,
    spec: namespace['spec'] ?? newJsonObject(),
    status: namespace['status'] ?? newJsonObject(),
  });
  return { object, type };
}

/** Namespaces that exist in the cluster. */
export class Namespaces {
  readonly #byName: ReadonlyMap<string, HeldObject>;
  readonly #minor: Minor;
  readonly #shown = new Map<string, HeldObject>();

  /** @param stored Namespaces as written; the constructor adds to each the label with its name, as a server does */
  constructor(stored: readonly JsonObject[], minor: Minor) {
    this.#byName = new Map(stored.map((namespace) => [metadataText(namespace, 'name'), labelled(namespace, minor)]));
    this.#minor = minor;
  }

  get(name: string): HeldObject | undefined {
    return this.#byName.get(name);
  }

  /** Returns a Namespace in the form in which expressions read it. Returns undefined if the Namespace does not exist. */
  shown(name: string): HeldObject | undefined {
    const known = this.#shown.get(name);
    if (known !== undefined) return known;
    const stored = this.#byName.get(name);
    const shown = stored && shownNamespace(stored);
    if (shown !== undefined) this.#shown.set(name, shown);
    return shown;
  }

  /**
   * Returns the error text for a Namespace that does not exist. Until Kubernetes 1.31, the text depends on the number of lookups: only in
   * the server's cache (`once`), or also in the storage (`twice`). Later minor versions always use the text for `twice`.
   */
  notFound(name: string, lookedUp: 'once' | 'twice'): string {
    const twice = lookedUp === 'twice' || policyHas(this.#minor, 'namespacesAreLookedUpTwice');
    return `${twice ? 'namespaces' : 'namespace'} ${goQuote(name)} not found`;
  }
}

function labelled(namespace: JsonObject, minor: Minor): HeldObject {
  const metadata = copyOf(namespace['metadata']);
  const labels = copyOf(metadata['labels']);
  labels['kubernetes.io/metadata.name'] = metadataText(namespace, 'name');
  metadata['labels'] = labels;
  const written = Object.assign(newJsonObject(), namespace, { apiVersion: 'v1', kind: 'Namespace', metadata });
  const held = heldObject(written, minor);
  return held.ok ? held : { object: written, type: undefined };
}

const copyOf = (value: JsonObject[string] | undefined): JsonObject => Object.assign(newJsonObject(), isJsonObject(value) ? value : {});

/** Returns a Namespace object as the server creates it, with the finalizer and phase of a new Namespace. */
export function newNamespace(name: string): JsonObject {
  return Object.assign(newJsonObject(), {
    metadata: Object.assign(newJsonObject(), { name }),
    spec: Object.assign(newJsonObject(), { finalizers: ['kubernetes'] }),
    status: Object.assign(newJsonObject(), { phase: 'Active' }),
  });
}
