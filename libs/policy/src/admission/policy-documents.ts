import { Namespaces, newNamespace } from '../request/namespaces.ts';
import { ParamObjects } from '../params/param-objects.ts';
import { Unreadable } from '../read/fields.ts';
import { serverKinds } from '../request/server-kinds.ts';
import { tableAuthorizer } from '../expressions/table-authorizer.ts';
import { compileMutatingPolicies } from '../mutate/compiled-mutating-policy.ts';
import type { MutatingPolicySet } from '../mutate/compiled-mutating-policy.ts';
import { ObjectSchemas } from '../schemas/object-schemas.ts';
import { compilePolicies } from '../validate/policy-set.ts';
import type { EngineChoice } from '#cel';
import type { JsonObject } from '#go';
import type { Minor, Server } from '#kube';
import type { AuthorizationRule } from '../expressions/table-authorizer.ts';
import type { CompiledPolicySet } from '../validate/policy-set.ts';
import type { Kinds } from '../request/kinds.ts';
import type { MutationWorld } from '../mutate/mutate.ts';

/** Documents that make admission policies and what of the cluster they look at, read. */
export interface PolicyDocuments {
  /** Policies and bindings, in their order. */
  readonly policies: readonly JsonObject[];
  /** Objects that are there: Namespaces, parameters. */
  readonly cluster: readonly JsonObject[];
  /** CustomResourceDefinitions that are served. */
  readonly definitions: readonly JsonObject[];
}

/** The server that policies are compiled for. */
export interface PolicyServer extends Server {
  readonly engine: EngineChoice | undefined;
}

/** All policies of an evaluation, ready for writes. */
export interface AdmissionPolicies {
  /** Undefined where a server has none in force. */
  readonly mutating: MutatingPolicySet | undefined;
  readonly validating: CompiledPolicySet;
  readonly kinds: Kinds;
  readonly minor: Minor;
  /** What a request in a namespace meets, where authorizer checks are answered by a table. */
  world(namespace: string, authorizer: readonly AuthorizationRule[]): MutationWorld;
}

/** Policies ready for writes, or why a document cannot be one. */
export type AdmissionPoliciesResult =
  { readonly ok: true; readonly policies: AdmissionPolicies } | { readonly ok: false; readonly error: string };

/** Compiles all admission policies of an evaluation. Parameters that no policy can name are passed over. */
export function compileAdmission(documents: PolicyDocuments, { minor, gates, engine }: PolicyServer): AdmissionPoliciesResult {
  try {
    const ofKind = (wanted: string): JsonObject[] => documents.policies.filter(({ kind }) => kind === wanted);
    const compiled = compilePolicies(ofKind('ValidatingAdmissionPolicy'), ofKind('ValidatingAdmissionPolicyBinding'), { minor, engine });
    if (!compiled.ok) return compiled;
    const mutating = gates.MutatingAdmissionPolicy
      ? compileMutatingPolicies(ofKind('MutatingAdmissionPolicy'), ofKind('MutatingAdmissionPolicyBinding'), { minor, engine })
      : undefined;
    if (mutating?.ok === false) return mutating;
    const schemas = new ObjectSchemas(minor, documents.definitions, { setsDefaults: true });
    const kinds = serverKinds(minor, documents.definitions);
    const params = new ParamObjects();
    for (const object of documents.cluster) params.add(object, kinds, minor);
    const namespaces = new KnownNamespaces(documents.cluster.filter(isNamespace), minor);
    return {
      ok: true,
      policies: {
        mutating: mutating?.set,
        validating: compiled.set,
        kinds,
        minor,
        world: (namespace, authorizer) => ({
          minor,
          kinds,
          params,
          schemas,
          namespaces: namespaces.with(namespace),
          authorize: tableAuthorizer(authorizer),
        }),
      },
    };
  } catch (thrown) {
    if (thrown instanceof Unreadable) return { ok: false, error: thrown.message };
    throw thrown;
  }
}

const isNamespace = ({ apiVersion, kind }: JsonObject): boolean => apiVersion === 'v1' && kind === 'Namespace';

/** Namespaces that were given. One that was not is taken to exist with nothing but its name: who judges a folder of manifests has no list of them. */
class KnownNamespaces {
  readonly #given: readonly JsonObject[];
  readonly #minor: Minor;
  readonly #known: Namespaces;
  readonly #made = new Map<string, Namespaces>();

  constructor(given: readonly JsonObject[], minor: Minor) {
    this.#given = given;
    this.#minor = minor;
    this.#known = new Namespaces(given, minor);
  }

  with(name: string): Namespaces {
    if (name === '' || this.#known.get(name) !== undefined) return this.#known;
    const made = this.#made.get(name) ?? new Namespaces([...this.#given, newNamespace(name)], this.#minor);
    this.#made.set(name, made);
    return made;
  }
}
