import type { JsonValue } from '#go';

/** Scope that a CompositeResourceDefinition gives its composite resources. */
export type CompositeScope = 'LegacyCluster' | 'Namespaced' | 'Cluster';

/** Part of a definition as plain values. Members that are undefined are absent. */
export type PlainValue = JsonValue | undefined | Fields | readonly PlainValue[];

/** Object of plain values, such as schemas by the name of their field. */
export interface Fields {
  readonly [key: string]: PlainValue;
}

const TEXT = { type: 'string' };
const TIME = { type: 'string', format: 'date-time' };

/** Returns the schema of an object with text fields. All fields are required except those in `optional`. */
function texts(required: readonly string[], optional: readonly string[] = []): PlainValue {
  const properties = Object.fromEntries([...required, ...optional].map((name) => [name, TEXT]));
  return { type: 'object', required, properties };
}

const SELECTOR = {
  type: 'object',
  required: ['matchLabels'],
  properties: { matchLabels: { type: 'object', additionalProperties: TEXT } },
};

/** Returns the schema of a choice. `preset` is its default, or undefined if it has none. */
const choice = (values: readonly string[], preset?: string): PlainValue => ({
  type: 'string',
  enum: values,
  ...(preset !== undefined && { default: preset }),
});

const UPDATE_POLICIES = ['Automatic', 'Manual'] as const;
const DELETE_POLICIES = ['Background', 'Foreground'] as const;

/** Values that an XRD may give to the two policies whose defaults it sets. */
export const POLICY_VALUES = { update: UPDATE_POLICIES, delete: DELETE_POLICIES } as const;

const choosing = (updatePolicy?: string): Fields => ({
  compositionRef: texts(['name']),
  compositionSelector: SELECTOR,
  compositionRevisionRef: texts(['name']),
  compositionRevisionSelector: SELECTOR,
  compositionUpdatePolicy: choice(UPDATE_POLICIES, updatePolicy),
});

/**
 * Returns the fields that Crossplane adds to the spec of a composite resource. `updatePolicy` is the default of `compositionUpdatePolicy`.
 * Source: crossplane-runtime pkg/xcrd/schemas.go `CompositeResourceSpecProps` (2.4).
 */
export function compositeSpecFields(scope: CompositeScope, updatePolicy: string): Fields {
  const optional = scope === 'Namespaced' ? ['name'] : ['name', 'namespace'];
  const fields: Fields = {
    ...choosing(updatePolicy),
    resourceRefs: { type: 'array', 'x-kubernetes-list-type': 'atomic', items: texts(['apiVersion', 'kind'], optional) },
  };
  if (scope !== 'LegacyCluster')
    return {
      crossplane: {
        type: 'object',
        description: 'Configures how Crossplane will reconcile this composite resource',
        properties: fields,
      },
    };
  return {
    ...fields,
    claimRef: texts(['apiVersion', 'kind', 'namespace', 'name']),
    writeConnectionSecretToRef: texts(['name', 'namespace']),
  };
}

/**
 * Returns the fields that Crossplane adds to the spec of a claim. `deletePolicy` is the default of `compositeDeletePolicy`. Source:
 * crossplane-runtime pkg/xcrd/schemas.go `CompositeResourceClaimSpecProps` (2.4).
 */
export const claimSpecFields = (deletePolicy: string): Fields => ({
  ...choosing(),
  compositeDeletePolicy: choice(DELETE_POLICIES, deletePolicy),
  resourceRef: texts(['apiVersion', 'kind', 'name']),
  writeConnectionSecretToRef: texts(['name']),
});

const CONDITIONS = {
  description: 'Conditions of the resource.',
  type: 'array',
  'x-kubernetes-list-map-keys': ['type'],
  'x-kubernetes-list-type': 'map',
  items: {
    type: 'object',
    required: ['lastTransitionTime', 'reason', 'status', 'type'],
    properties: {
      lastTransitionTime: TIME,
      message: TEXT,
      reason: TEXT,
      status: TEXT,
      type: TEXT,
      observedGeneration: { type: 'integer', format: 'int64' },
    },
  },
};

/**
 * Returns the fields that Crossplane adds to the status of a composite resource. A claim gets the fields of the scope `LegacyCluster`.
 * Source: crossplane-runtime pkg/xcrd/schemas.go `CompositeResourceStatusProps` (2.4).
 */
export const statusFields = (scope: CompositeScope): Fields => ({
  conditions: CONDITIONS,
  ...(scope === 'LegacyCluster' && {
    connectionDetails: { type: 'object', properties: { lastPublishedTime: TIME } },
    claimConditionTypes: { type: 'array', 'x-kubernetes-list-type': 'set', items: TEXT },
  }),
});

const conditionColumn = (type: string): PlainValue => ({
  name: type.toUpperCase(),
  type: 'string',
  jsonPath: `.status.conditions[?(@.type=='${type}')].status`,
});
const AGE = { name: 'AGE', type: 'date', jsonPath: '.metadata.creationTimestamp' };

/**
 * Returns the columns that Crossplane adds after the columns of a composite resource. Source: crossplane-runtime pkg/xcrd/schemas.go
 * `CompositeResourcePrinterColumns` (2.4).
 */
export function compositeColumns(scope: CompositeScope): readonly PlainValue[] {
  const from = scope === 'LegacyCluster' ? '.spec' : '.spec.crossplane';
  return [
    conditionColumn('Synced'),
    conditionColumn('Ready'),
    { name: 'COMPOSITION', type: 'string', jsonPath: `${from}.compositionRef.name` },
    { name: 'COMPOSITIONREVISION', type: 'string', jsonPath: `${from}.compositionRevisionRef.name`, priority: 1 },
    AGE,
  ];
}

/**
 * Columns that Crossplane adds after the columns of a claim. Source: crossplane-runtime pkg/xcrd/schemas.go
 * `CompositeResourceClaimPrinterColumns` (2.4).
 */
export const CLAIM_COLUMNS: readonly PlainValue[] = [
  conditionColumn('Synced'),
  conditionColumn('Ready'),
  { name: 'CONNECTION-SECRET', type: 'string', jsonPath: '.spec.writeConnectionSecretToRef.name' },
  AGE,
];
