/** A definition, and objects of it, for the examples of the API's description. */
const DEFINITION = {
  apiVersion: 'apiextensions.k8s.io/v1',
  kind: 'CustomResourceDefinition',
  metadata: { name: 'widgets.example.com' },
  spec: {
    group: 'example.com',
    scope: 'Namespaced',
    names: { plural: 'widgets', singular: 'widget', kind: 'Widget', listKind: 'WidgetList' },
    versions: [
      {
        name: 'v1',
        served: true,
        storage: true,
        schema: {
          openAPIV3Schema: {
            type: 'object',
            properties: {
              spec: {
                type: 'object',
                properties: { replicas: { type: 'integer' }, limit: { type: 'integer' } },
                'x-kubernetes-validations': [{ rule: 'self.replicas <= self.limit', message: 'no more replicas than the limit' }],
              },
            },
          },
        },
      },
    ],
  },
};
const widget = (name: string, replicas: number) => ({
  apiVersion: 'example.com/v1',
  kind: 'Widget',
  metadata: { name },
  spec: { replicas, limit: 3 },
});
const ACCEPTED = widget('small', 2);
const REFUSED = widget('large', 5);

/** What an API server asks a webhook. */
const reviewOf = (object: { apiVersion: string; kind: string; metadata: { name: string } }, resource: string): object => {
  const [group, version] = object.apiVersion.split('/');
  return {
    apiVersion: 'admission.k8s.io/v1',
    kind: 'AdmissionReview',
    request: {
      uid: '705ab4f5-6393-11e8-b7cc-42010a800002',
      kind: { group, version, kind: object.kind },
      resource: { group, version, resource },
      name: object.metadata.name,
      operation: 'CREATE',
      userInfo: { username: 'admin', groups: ['system:authenticated'] },
      object,
      oldObject: null,
      dryRun: false,
      options: { apiVersion: 'meta.k8s.io/v1', kind: 'CreateOptions' },
    },
  };
};

const lines = (...values: object[]): string => `${values.map((value) => JSON.stringify(value)).join('\n')}\n`;
/** JSON is YAML: documents a line each. */
const documents = (...values: object[]): string => values.map((value) => `---\n${JSON.stringify(value)}\n`).join('');

/** Bodies that may be sent as they stand here. */
export const EXAMPLES = {
  definition: DEFINITION,
  definitionYaml: documents(DEFINITION),
  batch: {
    definitions: [DEFINITION],
    objects: [ACCEPTED, { object: REFUSED, oldObject: ACCEPTED }],
    options: { kubernetesVersion: '1.37' },
  },
  batchYaml: documents(DEFINITION, ACCEPTED, REFUSED),
  batchLines: lines({ definitions: [DEFINITION] }, ACCEPTED, REFUSED),
  objectReview: reviewOf(REFUSED, 'widgets'),
  definitionReview: reviewOf(DEFINITION, 'customresourcedefinitions'),
  change: lines({ definitions: [DEFINITION, DEFINITION] }, ACCEPTED, REFUSED),
} as const;
