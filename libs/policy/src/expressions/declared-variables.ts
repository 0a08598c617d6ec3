import { AUTHORIZER, BOOL, DYN, INT, listOf, mapOf, RESOURCE_CHECK, STRING, TIMESTAMP } from '#cel';
import type { CelType, ObjectType } from '#cel';

/** Choice of the optional variables that are declared for an expression. */
export interface VariableChoice {
  /** True if `params` is declared, because the policy has a paramKind. */
  readonly params: boolean;
  /** True if `authorizer` is declared. It is declared for all expressions except message expressions. */
  readonly authorizer: boolean;
  /** Types of the variables that the policy defines, by name. Undefined for expressions outside policies. */
  readonly variables: ReadonlyMap<string, CelType> | undefined;
}

function object(name: string, fields: Readonly<Record<string, CelType>>): ObjectType {
  return { kind: 'object', name: `kubernetes.${name}`, fields: new Map(Object.entries(fields)) };
}

const KIND = object('GroupVersionKind', { group: STRING, version: STRING, kind: STRING });
const RESOURCE = object('GroupVersionResource', { group: STRING, version: STRING, resource: STRING });
const USER_INFO = object('UserInfo', { username: STRING, uid: STRING, groups: listOf(STRING), extra: mapOf(STRING, listOf(STRING)) });

/** Type of the variable `request`. Source: k8s.io/apiserver/pkg/admission/plugin/cel/compile.go `BuildRequestType` (1.37). */
const REQUEST = object('AdmissionRequest', {
  kind: KIND,
  resource: RESOURCE,
  subResource: STRING,
  requestKind: KIND,
  requestResource: RESOURCE,
  requestSubResource: STRING,
  name: STRING,
  namespace: STRING,
  operation: STRING,
  userInfo: USER_INFO,
  dryRun: BOOL,
  options: DYN,
});

const CONDITION = object('NamespaceCondition', {
  status: STRING,
  type: STRING,
  lastTransitionTime: TIMESTAMP,
  message: STRING,
  reason: STRING,
});

/**
 * Type of the variable `namespaceObject`. Its timestamps are declared as timestamps, but their values are strings when an expression is
 * evaluated. Source: k8s.io/apiserver/pkg/admission/plugin/cel/compile.go `BuildNamespaceType` (1.37).
 */
const NAMESPACE = object('Namespace', {
  metadata: object('NamespaceMetadata', {
    name: STRING,
    generateName: STRING,
    namespace: STRING,
    labels: mapOf(STRING, STRING),
    annotations: mapOf(STRING, STRING),
    UID: STRING,
    creationTimestamp: TIMESTAMP,
    deletionGracePeriodSeconds: INT,
    deletionTimestamp: TIMESTAMP,
    generation: INT,
    resourceVersion: STRING,
    finalizers: listOf(STRING),
  }),
  spec: object('NamespaceSpec', { finalizers: listOf(STRING) }),
  status: object('NamespaceStatus', { conditions: listOf(CONDITION), phase: STRING }),
});

/** Returns the variables that an expression may mention, with their types. */
export function declaredVariables({ params, authorizer, variables }: VariableChoice): ReadonlyMap<string, CelType> {
  const declared = new Map<string, CelType>([
    ['object', DYN],
    ['oldObject', DYN],
    ['namespaceObject', NAMESPACE],
    ['request', REQUEST],
  ]);
  if (params) declared.set('params', DYN);
  if (authorizer) declared.set('authorizer', AUTHORIZER).set('authorizer.requestResource', RESOURCE_CHECK);
  if (variables !== undefined) declared.set('variables', { kind: 'object', name: 'kubernetes.variables', fields: variables });
  return declared;
}

/**
 * Returns the type that a policy variable has in the expressions that use the variable. `type` is the type of the expression that defines
 * the variable. Lists and maps keep their element types, scalars keep their type, and any other type becomes dyn. Source:
 * k8s.io/apiserver/pkg/admission/plugin/cel/composition.go `convertCelTypeToDeclType` (1.37).
 */
export function variableType(type: CelType): CelType {
  // oxlint-disable-next-line typescript/switch-exhaustiveness-check -- other types stay as they are
  switch (type.kind) {
    case 'list':
      return listOf(variableType(type.element));
    case 'map':
      return mapOf(variableType(type.key), variableType(type.value));
    case 'object':
    case 'opaque':
    case 'optional':
    case 'type':
    case 'typeParameter':
    case 'error':
      return DYN;
    default:
      return type;
  }
}
