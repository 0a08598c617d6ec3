import type { Authorize } from '#cel';
import { isJsonObject } from '#go';
import type { JsonObject, JsonValue } from '#go';
import type { Minor } from '#kube';
import { tableAuthorizer } from './expressions/table-authorizer.ts';
import type { AuthorizationRule } from './expressions/table-authorizer.ts';
import { ParamObjects } from './params.ts';
import { Fields, Unreadable } from './read/fields.ts';
import { serverKinds } from './request/kinds.ts';
import type { Kinds } from './request/kinds.ts';
import { Namespaces, newNamespace } from './request/namespaces.ts';

/** Cluster state that admission uses for a request. */
export interface World {
  readonly minor: Minor;
  readonly kinds: Kinds;
  readonly namespaces: Namespaces;
  readonly params: ParamObjects;
  /** Function that answers the authorization checks of the variable `authorizer` in expressions. */
  readonly authorize: Authorize;
}

/** Documents that describe the cluster state for requests. */
export interface WorldDocuments {
  readonly definitions: readonly JsonValue[];
  readonly params: readonly JsonValue[];
  /** Namespaces of the cluster. If the list is empty, the namespace of each request is assumed to exist. */
  readonly namespaces: readonly JsonValue[];
  /** Rows of a table that replaces the cluster's authorizer. */
  readonly authorizer: readonly JsonValue[];
}

/**
 * Cluster state that was read from documents, such as Namespaces and definitions. `in` derives from it the state that expressions see in a
 * request.
 */
export interface ReadWorld {
  readonly kinds: Kinds;
  /**
   * Returns the cluster's state for a request in `namespace`. If no Namespaces were given, the state contains the Namespace of this name.
   */
  in(namespace: string): World;
}

/** Reads the cluster state from documents. Throws `Unreadable` if a document is invalid. */
export function readWorld({ definitions, params, namespaces, authorizer }: WorldDocuments, minor: Minor): ReadWorld {
  const cluster = knownCluster(
    {
      definitions,
      params: params.map((param, i) => asObject(param, `params[${i}]`)),
      namespaces: namespaces.map((namespace, i) => asObject(namespace, `namespaces[${i}]`)),
      namespacesAreAll: namespaces.length > 0,
    },
    minor,
  );
  const [wrong] = cluster.problems;
  if (wrong !== undefined) throw new Unreadable(`params[${wrong.index}]: ${wrong.problem}`);
  const authorize = tableAuthorizer(authorizer.map((line, i) => readRule(new Fields(line, `authorizer[${i}]`))));
  const { kinds, params: objects } = cluster;
  return { kinds, in: (namespace) => ({ minor, kinds, params: objects, authorize, namespaces: cluster.namespacesFor(namespace) }) };
}

function asObject(value: JsonValue, what: string): JsonObject {
  if (isJsonObject(value)) return value;
  throw new Unreadable(`${what} must be an object`);
}

function readRule(fields: Fields): AuthorizationRule {
  const decision = fields.text('decision');
  return {
    user: fields.optionalText('user'),
    group: fields.optionalText('group'),
    verb: fields.optionalText('verb'),
    apiGroup: fields.optionalText('apiGroup'),
    resource: fields.optionalText('resource'),
    subresource: fields.optionalText('subresource'),
    namespace: fields.optionalText('namespace'),
    name: fields.optionalText('name'),
    path: fields.optionalText('path'),
    fieldSelector: fields.optionalText('fieldSelector'),
    labelSelector: fields.optionalText('labelSelector'),
    decision: decision === 'allow' || decision === 'deny' ? decision : 'noOpinion',
    reason: fields.optionalText('reason'),
    error: fields.optionalText('error'),
  };
}

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
