import { readJson } from '#go';
import type { JsonObject } from '#go';
import { multiplyPolicy } from '#policy';
import type { Multiplied, PolicySubject } from '#policy';

/** A policy and an object, with the size of the part that grows in its family. */
export interface PolicyCase {
  readonly id: string;
  readonly family: string;
  readonly size: number;
  readonly subject: PolicySubject;
  readonly object: JsonObject;
  /** True if the model of times is checked on this case instead of being fitted to it. */
  readonly isHeldOut: boolean;
}

/** Sizes of the families. The recorded answers are about the smaller ones. */
const SIZES = { recorded: [1, 3, 8], measured: [1, 4, 16, 64, 256, 1024] } as const;

const parsed = (value: object): JsonObject => {
  const reading = readJson(JSON.stringify(value));
  if (!reading.ok) throw new Error(reading.error);
  return reading.value as JsonObject;
};

const API = 'admissionregistration.k8s.io/v1';
const DEPLOYMENTS = [{ apiGroups: ['apps'], apiVersions: ['v1'], operations: ['CREATE', 'UPDATE'], resources: ['deployments'] }];
const WIDGETS = [{ apiGroups: ['example.com'], apiVersions: ['v1'], operations: ['CREATE'], resources: ['widgets'] }];

const CRD = {
  apiVersion: 'apiextensions.k8s.io/v1',
  kind: 'CustomResourceDefinition',
  metadata: { name: 'widgets.example.com' },
  spec: {
    group: 'example.com',
    scope: 'Namespaced',
    names: { kind: 'Widget', plural: 'widgets', singular: 'widget', listKind: 'WidgetList' },
    versions: [
      {
        name: 'v1',
        served: true,
        storage: true,
        schema: {
          openAPIV3Schema: { type: 'object', properties: { spec: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true } } },
        },
      },
    ],
  },
};

const deployment = (containers: number): JsonObject =>
  parsed({
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: { name: 'd', namespace: 'default', labels: { team: 'blue' } },
    spec: {
      replicas: 3,
      selector: { matchLabels: { app: 'a' } },
      template: {
        metadata: { labels: { app: 'a' } },
        spec: {
          containers: Array.from({ length: containers }, (_, i) => ({ name: `c${i}`, image: `registry.example.com/shop/c${i}:v1` })),
        },
      },
    },
  });

const widget = (sizes: number, labels: number, text: number): JsonObject =>
  parsed({
    apiVersion: 'example.com/v1',
    kind: 'Widget',
    metadata: { name: 'w', namespace: 'default' },
    spec: {
      sizes: Array.from({ length: sizes }, (_, i) => i + 1),
      tags: Object.fromEntries(Array.from({ length: labels }, (_, i) => [`k${i}`, `v${i}`])),
      text: 'a'.repeat(text),
    },
  });

const subjectOf = (
  kind: 'Validating' | 'Mutating',
  rules: object[],
  spec: object,
  binding: object = {},
  cluster: object[] = [],
): PolicySubject => ({
  policy: parsed({
    apiVersion: API,
    kind: `${kind}AdmissionPolicy`,
    metadata: { name: 'p' },
    spec: {
      failurePolicy: 'Fail',
      matchConstraints: { resourceRules: rules },
      ...(kind === 'Mutating' && { reinvocationPolicy: 'Never' }),
      ...spec,
    },
  }),
  bindings: [
    parsed({
      apiVersion: API,
      kind: `${kind}AdmissionPolicyBinding`,
      metadata: { name: 'b' },
      spec: { policyName: 'p', ...(kind === 'Validating' && { validationActions: ['Deny'] }), ...binding },
    }),
  ],
  cluster: cluster.map(parsed),
  definitions: rules === WIDGETS ? [parsed(CRD)] : [],
});

const LIMITS = {
  apiVersion: 'v1',
  kind: 'ConfigMap',
  metadata: { name: 'limits', namespace: 'default' },
  data: { most: '5', registry: 'registry.example.com/' },
};
const IMAGES = "object.spec.template.spec.containers.all(c, c.image.startsWith('registry.example.com/'))";
const PARAM_KIND = { apiVersion: 'v1', kind: 'ConfigMap' };
const PARAM_REF = { paramRef: { name: 'limits', namespace: 'default', parameterNotFoundAction: 'Deny' } };

const images = subjectOf('Validating', DEPLOYMENTS, { validations: [{ expression: IMAGES }] });
const replicas = subjectOf(
  'Validating',
  DEPLOYMENTS,
  { paramKind: PARAM_KIND, validations: [{ expression: 'object.spec.replicas <= int(params.data.most)' }] },
  PARAM_REF,
  [LIMITS],
);
const variables = subjectOf('Validating', DEPLOYMENTS, {
  variables: [{ name: 'names', expression: 'object.spec.template.spec.containers.map(c, c.name)' }],
  validations: [{ expression: 'variables.names.size() > 0' }],
});
const conditions = subjectOf('Validating', DEPLOYMENTS, {
  matchConditions: [{ name: 'users', expression: "!request.userInfo.username.startsWith('system:')" }],
  validations: [{ expression: 'object.spec.replicas > 0' }],
});
const apply = subjectOf('Mutating', DEPLOYMENTS, {
  mutations: [
    { patchType: 'ApplyConfiguration', applyConfiguration: { expression: "Object{metadata: Object.metadata{labels: {'team': 'red'}}}" } },
  ],
});
const patch = subjectOf('Mutating', DEPLOYMENTS, {
  mutations: [
    {
      patchType: 'JSONPatch',
      jsonPatch: { expression: "[JSONPatch{op: 'add', path: '/metadata/labels/team', value: 'red'}]" },
    },
  ],
});
const parameterPatch = subjectOf(
  'Mutating',
  DEPLOYMENTS,
  {
    paramKind: PARAM_KIND,
    mutations: [
      {
        patchType: 'JSONPatch',
        jsonPatch: { expression: "[JSONPatch{op: 'add', path: '/metadata/labels/most', value: params.data.most}]" },
      },
    ],
  },
  PARAM_REF,
  [LIMITS],
);
const widgetImages = subjectOf('Validating', WIDGETS, { validations: [{ expression: 'object.spec.sizes.all(s, s > 0)' }] });

const lists = subjectOf('Validating', DEPLOYMENTS, {
  matchConditions: [{ name: 'kind', expression: "request.kind.kind == 'Deployment'" }],
  validations: [{ expression: 'object.spec.replicas > 0', messageExpression: "'at least ' + string(1)" }],
  auditAnnotations: [{ key: 'replicas', valueExpression: 'string(object.spec.replicas)' }],
});
const elsewhere = subjectOf(
  'Validating',
  DEPLOYMENTS,
  { validations: [{ expression: IMAGES }] },
  {
    matchResources: { namespaceSelector: { matchLabels: { 'kubernetes.io/metadata.name': 'other' } } },
  },
);
const refusing = subjectOf('Validating', DEPLOYMENTS, {
  matchConditions: [{ name: 'users', expression: "request.userInfo.username != 'admin'" }],
  validations: [{ expression: IMAGES }],
});

/** Policy whose number of a part is varied. */
const multiplied = (family: string, subject: PolicySubject, what: Multiplied, object: JsonObject, most = Infinity) =>
  ({ family, most, at: (size: number) => ({ subject: varied(subject, what, size), object }) }) as const;

function varied(subject: PolicySubject, what: Multiplied, size: number): PolicySubject {
  const made = multiplyPolicy(subject, what, size);
  if (!made.ok) throw new Error(made.why);
  return made.subject;
}

/** Policy over an object whose size is varied. */
const grown = (family: string, expression: string, objectOf: (size: number) => JsonObject, most = Infinity) =>
  ({
    family,
    most,
    at: (size: number) => ({ subject: subjectOf('Validating', WIDGETS, { validations: [{ expression }] }), object: objectOf(size) }),
  }) as const;

const DEPLOYED = deployment(10);

/** Families of policies in which one size grows. A family ends at its size `most`. */
const FAMILIES = [
  multiplied('bindings', images, 'bindings', DEPLOYED),
  multiplied('bindings of a custom kind', widgetImages, 'bindings', widget(10, 2, 5)),
  multiplied('bindings with own parameters', replicas, 'bindings', DEPLOYED),
  multiplied('bindings with four lists of expressions', lists, 'bindings', DEPLOYED, 256),
  multiplied('bindings that do not match', elsewhere, 'bindings', DEPLOYED),
  multiplied('bindings that a match condition refuses', refusing, 'bindings', DEPLOYED),
  multiplied('parameters of one binding', replicas, 'parameters', DEPLOYED),
  multiplied('variables', variables, 'variables', DEPLOYED, 256),
  multiplied('match conditions', conditions, 'matchConditions', DEPLOYED, 64),
  {
    family: 'validations with messages',
    most: 256,
    at: (size: number) => ({
      subject: subjectOf('Validating', DEPLOYMENTS, {
        validations: Array.from({ length: size }, () => ({
          expression: 'object.spec.replicas <= 5',
          messageExpression: "'too many: ' + string(object.spec.replicas)",
        })),
      }),
      object: DEPLOYED,
    }),
  },
  grown('list of the object', 'object.spec.sizes.all(s, s > 0)', (size) => widget(size, 1, 1)),
  grown('map of the object', "object.spec.tags.all(k, object.spec.tags[k].startsWith('v'))", (size) => widget(1, size, 1)),
  grown('text of the object', "object.spec.text.matches('^[a-z]+$')", (size) => widget(1, 1, size)),
  {
    family: 'containers of a deployment',
    most: 256,
    at: (size: number) => ({ subject: images, object: deployment(size) }),
  },
  multiplied('bindings of apply configurations', apply, 'bindings', DEPLOYED, 256),
  multiplied('bindings of JSON patches', patch, 'bindings', DEPLOYED, 256),
  multiplied('JSON patches with own parameters', parameterPatch, 'bindings', DEPLOYED, 256),
  { family: 'JSON patches of larger objects', most: 256, at: (size: number) => ({ subject: patch, object: deployment(size) }) },
  { family: 'apply configurations of larger objects', most: 256, at: (size: number) => ({ subject: apply, object: deployment(size) }) },
] as const;

/** Families on which the model of times is checked. */
const HELD_OUT: ReadonlySet<string> = new Set([
  'validations with messages',
  'map of the object',
  'bindings that a match condition refuses',
  'containers of a deployment',
  'JSON patches with own parameters',
]);

/** Returns the cases of all families: small ones for the recorded answers, or all for the measurement. */
export function policyCases(which: keyof typeof SIZES): readonly PolicyCase[] {
  return FAMILIES.flatMap(({ family, most, at }) =>
    SIZES[which]
      .filter((size) => size <= most)
      .map((size) => ({
        id: `${family} ${size}`,
        family,
        size,
        isHeldOut: HELD_OUT.has(family),
        ...at(size),
      })),
  );
}
