import { knownCluster } from '../world.ts';
import { Unreadable } from '../read/fields.ts';
import { tableAuthorizer } from '../expressions/table-authorizer.ts';
import { compileMutatingPolicies } from '../mutate/mutating-policy.ts';
import type { MutatingPolicySet } from '../mutate/mutating-policy.ts';
import { ObjectSchemas } from '../schemas/object-schemas.ts';
import { compilePolicies } from '../validate/compiled-policy.ts';
import type { CompiledPolicySet } from '../validate/compiled-policy.ts';
import type { EngineChoice } from '#cel';
import type { CancellationToken, JsonObject } from '#go';
import type { Minor, Server } from '#kube';
import type { AuthorizationRule } from '../expressions/table-authorizer.ts';
import { compileConfigurations } from '../webhooks.ts';
import type { ConfiguredWebhook } from '../webhooks.ts';
import type { Kinds } from '../request/kinds.ts';
import type { MutationWorld } from '../mutate/mutate.ts';

/** Parsed documents with admission policies, and with the cluster state that the policies read. */
export interface PolicyDocuments {
  /** Policies, bindings and webhook configurations, in their original order. */
  readonly policies: readonly JsonObject[];
  /** Objects that exist in the cluster: Namespaces and parameters. */
  readonly cluster: readonly JsonObject[];
  /** CustomResourceDefinitions that the server serves. */
  readonly definitions: readonly JsonObject[];
}

/** Kubernetes server for which policies are compiled, with the CEL engine to use and the token for cancellation. */
export interface PolicyServer extends Server {
  readonly engine: EngineChoice | undefined;
  readonly token?: CancellationToken | undefined;
}

/** Compiled policies and webhooks of an evaluation. They can be applied to any number of create and update requests. */
export interface AdmissionPolicies {
  /** Compiled mutating policies. Undefined if the server does not evaluate mutating policies. */
  readonly mutating: MutatingPolicySet | undefined;
  readonly validating: CompiledPolicySet;
  /** Compiled webhooks of the server. They are used to decide if a server would call a webhook; this program never calls one. */
  readonly webhooks: { readonly mutating: readonly ConfiguredWebhook[]; readonly validating: readonly ConfiguredWebhook[] };
  readonly kinds: Kinds;
  readonly minor: Minor;
  /**
   * Returns the cluster state that policies read for a request in `namespace`. The state always contains the Namespace of this name.
   * `authorizer` is a table that decides authorizer checks.
   */
  world(namespace: string, authorizer: readonly AuthorizationRule[]): MutationWorld;
}

/** Result of compiling policies: the policies, or the reason why a document is invalid. */
export type AdmissionPoliciesResult =
  | { readonly ok: true; readonly policies: AdmissionPolicies }
  | { readonly ok: false; readonly error: string };

/**
 * Compiles all admission policies of an evaluation. Parameter objects that no policy can refer to are ignored. If the token requests
 * cancellation, throws `Cancelled` before it compiles the next expression.
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
        // A folder of manifests has no complete list of Namespaces.
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
