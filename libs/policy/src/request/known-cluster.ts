import { ParamObjects } from '../params/param-objects.ts';
import { Namespaces, newNamespace } from './namespaces.ts';
import { serverKinds } from './server-kinds.ts';
import type { JsonObject, JsonValue } from '#go';
import type { Minor } from '#kube';
import type { Kinds } from './kinds.ts';

/** Documents that describe the part of a cluster that policies can read. */
export interface ClusterDocuments {
  /** CustomResourceDefinitions that the server serves. */
  readonly definitions: readonly JsonValue[];
  /** Objects that bindings may select as parameters. */
  readonly params: readonly JsonObject[];
  readonly namespaces: readonly JsonObject[];
  /** True if only the given Namespaces exist. If false, the Namespace of each request also exists, with the content of a new Namespace. */
  readonly namespacesAreAll: boolean;
}

/** Part of a cluster that policies read in addition to a request. */
export interface KnownCluster {
  readonly kinds: Kinds;
  readonly params: ParamObjects;
  /** Objects that cannot be parameters, with their index in `params` and the problem. */
  readonly problems: readonly { readonly index: number; readonly problem: string }[];
  /**
   * Returns all Namespaces that exist while a request in `namespace` is evaluated. These are the given Namespaces. If `namespacesAreAll` is
   * false, the Namespace `namespace` exists too.
   */
  namespacesFor(namespace: string): Namespaces;
}

/**
 * Builds a model of a cluster from documents, for the evaluation of policies. The model contains the kinds, the parameter objects and the
 * Namespaces.
 */
export function knownCluster({ definitions, params: objects, namespaces, namespacesAreAll }: ClusterDocuments, minor: Minor): KnownCluster {
  const kinds = serverKinds(minor, definitions);
  const params = new ParamObjects();
  const problems = objects.flatMap((object, index) => {
    const problem = params.add(object, kinds, minor);
    return problem === undefined ? [] : [{ index, problem }];
  });
  const known = new Namespaces(namespaces, minor);
  const made = new Map<string, Namespaces>();
  const completed = (name: string): Namespaces => {
    const more = made.get(name) ?? new Namespaces([...namespaces, newNamespace(name)], minor);
    made.set(name, more);
    return more;
  };
  return {
    kinds,
    params,
    problems,
    namespacesFor: (name) => (namespacesAreAll || name === '' || known.get(name) !== undefined ? known : completed(name)),
  };
}
