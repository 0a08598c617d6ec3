import { isJsonObject } from '#go';
import { tableAuthorizer } from '../expressions/table-authorizer.ts';
import { knownCluster } from '../request/known-cluster.ts';
import { Fields, Unreadable } from './fields.ts';
import type { JsonObject, JsonValue } from '#go';
import type { Minor } from '#kube';
import type { AuthorizationRule } from '../expressions/table-authorizer.ts';
import type { Kinds } from '../request/kinds.ts';
import type { World } from '../world.ts';

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
