import { knownCluster } from '../request/known-cluster.ts';
import { Unreadable } from '../read/fields.ts';
import { tableAuthorizer } from '../expressions/table-authorizer.ts';
import { compileMutatingPolicies } from '../mutate/compiled-mutating-policy.ts';
import type { MutatingPolicySet } from '../mutate/compiled-mutating-policy.ts';
import { ObjectSchemas } from '../schemas/object-schemas.ts';
import { compilePolicies } from '../validate/policy-set.ts';
import type { EngineChoice } from '#cel';
import type { CancellationToken, JsonObject } from '#go';
import type { Minor, Server } from '#kube';
import type { AuthorizationRule } from '../expressions/table-authorizer.ts';
import type { CompiledPolicySet } from '../validate/policy-set.ts';
import { compileConfigurations } from '../webhook/webhook-configurations.ts';
import type { ConfiguredWebhook } from '../webhook/webhook-configurations.ts';
import type { Kinds } from '../request/kinds.ts';
import type { MutationWorld } from '../mutate/mutate.ts';

/** Documents that make admission policies and what of the cluster they look at, read. */
export interface PolicyDocuments {
  /** Policies, bindings and configurations of webhooks, in their order. */
  readonly policies: readonly JsonObject[];
  /** Objects that are there: Namespaces, parameters. */
  readonly cluster: readonly JsonObject[];
  /** CustomResourceDefinitions that are served. */
  readonly definitions: readonly JsonObject[];
}

/** The server that policies are compiled for. */
export interface PolicyServer extends Server {
  readonly engine: EngineChoice | undefined;
  readonly token?: CancellationToken | undefined;
}

/** All policies of an evaluation, ready for writes. */
export interface AdmissionPolicies {
  /** Undefined where a server has none in force. */
  readonly mutating: MutatingPolicySet | undefined;
  readonly validating: CompiledPolicySet;
  /** Webhooks that a server would ask; nobody calls them here. */
  readonly webhooks: { readonly mutating: readonly ConfiguredWebhook[]; readonly validating: readonly ConfiguredWebhook[] };
  readonly kinds: Kinds;
  readonly minor: Minor;
  /** Returns the cluster's state for a request in a namespace. A table answers authorizer checks. */
  world(namespace: string, authorizer: readonly AuthorizationRule[]): MutationWorld;
}

/** Policies ready for writes, or why a document cannot be one. */
export type AdmissionPoliciesResult =
  { readonly ok: true; readonly policies: AdmissionPolicies } | { readonly ok: false; readonly error: string };

/**
 * Compiles all admission policies of an evaluation. Parameters that no policy can name are passed over. Throws `Cancelled`, before the next expression,
 * where the token says stop.
 */
export function compileAdmission(documents: PolicyDocuments, { minor, gates, engine, token }: PolicyServer): AdmissionPoliciesResult {
  try {
    const ofKind = (wanted: string): JsonObject[] => documents.policies.filter(({ kind }) => kind === wanted);
    const compiled = compilePolicies(ofKind('ValidatingAdmissionPolicy'), ofKind('ValidatingAdmissionPolicyBinding'), {
      minor,
      engine,
      token,
    });
    if (!compiled.ok) return compiled;
    const mutating = gates.MutatingAdmissionPolicy
      ? compileMutatingPolicies(ofKind('MutatingAdmissionPolicy'), ofKind('MutatingAdmissionPolicyBinding'), { minor, engine, token })
      : undefined;
    if (mutating?.ok === false) return mutating;
    const webhooks = {
      mutating: compileConfigurations(ofKind('MutatingWebhookConfiguration'), { minor, engine, token }),
      validating: compileConfigurations(ofKind('ValidatingWebhookConfiguration'), { minor, engine, token }),
    };
    const schemas = new ObjectSchemas(minor, documents.definitions, { setsDefaults: true });
    const cluster = knownCluster(
      {
        definitions: documents.definitions,
        params: documents.cluster,
        namespaces: documents.cluster.filter(isNamespace),
        // Who judges a folder of manifests has no list of Namespaces.
        namespacesAreAll: false,
      },
      minor,
    );
    const { kinds, params } = cluster;
    return {
      ok: true,
      policies: {
        mutating: mutating?.set,
        validating: compiled.set,
        webhooks,
        kinds,
        minor,
        world: (namespace, authorizer) => ({
          minor,
          kinds,
          params,
          schemas,
          namespaces: cluster.namespacesFor(namespace),
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
