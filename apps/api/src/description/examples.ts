import { existsSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { sentDigest } from '#documents';

/** Root folder of the project, whether this file runs from source or from `dist/`. */
const PROJECT = resolve(import.meta.dirname, import.meta.url.endsWith('.ts') ? '../../../..' : '../../../../..');

/** Example definition for the API description. The example objects are of its kind `Widget`. */
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

/** Returns an AdmissionReview for an object, as an API server sends it to a webhook. */
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

/** Earlier revision of the example definition. It lacks the validation rule. */
const BEFORE = structuredClone(DEFINITION) as unknown as {
  spec: { versions: { schema: { openAPIV3Schema: { properties: { spec: object } } } }[] };
};
for (const { schema } of BEFORE.spec.versions)
  delete (schema.openAPIV3Schema.properties.spec as Record<string, unknown>)['x-kubernetes-validations'];

/** Example of a refused definition. Its rule refers to a field that does not exist. */
const REFUSED_DEFINITION = JSON.parse(JSON.stringify(DEFINITION).replace('self.limit', 'self.limits')) as object;

const lines = (...values: object[]): string => `${values.map((value) => JSON.stringify(value)).join('\n')}\n`;
/** Returns a YAML stream of the values. Each document is one line of JSON, because JSON is valid YAML. */
const documents = (...values: object[]): string => values.map((value) => `---\n${JSON.stringify(value)}\n`).join('');

/**
 * Returns the Gateway API example of the README: the definition, and two routes of which one is accepted and one is refused. Returns
 * undefined if the example files are not installed beside the service.
 */
function routes(): string | undefined {
  const folder = join(PROJECT, 'examples/gateway-api');
  const files = ['httproute-crd.yaml', 'httproutes.yaml'].map((file) => join(folder, file));
  return files.every((file) => existsSync(file)) ? files.map((file) => readFileSync(file, 'utf8')).join('---\n') : undefined;
}

/** Returns the OpenAPI examples of one body, by their names. Values that are undefined are left out. */
const named = (values: Readonly<Record<string, unknown>>): Record<string, { value: unknown }> =>
  Object.fromEntries(Object.entries(values).flatMap(([name, value]) => (value === undefined ? [] : [[name, { value }]])));

/** Example definition as a YAML document. */
export const EXAMPLE_DEFINITION = documents(DEFINITION);

/** Example request bodies. Each can be sent unchanged. */
export const EXAMPLES = {
  definition: named({ 'a definition': DEFINITION, 'a definition that is refused': REFUSED_DEFINITION }),
  definitionYaml: named({ 'a definition': documents(DEFINITION) }),
  batch: named({
    'an object and an update': {
      definitions: [DEFINITION],
      objects: [ACCEPTED, { object: REFUSED, oldObject: ACCEPTED }],
      options: { kubernetesVersion: '1.37' },
    },
    'an object of a stored definition': {
      definitionRefs: [sentDigest(Buffer.from(JSON.stringify(DEFINITION)))],
      objects: [ACCEPTED],
    },
  }),
  batchYaml: named({ 'two objects': documents(DEFINITION, ACCEPTED, REFUSED) }),
  routesYaml: named({ 'two objects': documents(DEFINITION, ACCEPTED, REFUSED), 'the routes of the README': routes() }),
  batchLines: named({ 'two objects': lines({ definitions: [DEFINITION] }, ACCEPTED, REFUSED) }),
  objectReview: named({ 'an object that is refused': reviewOf(REFUSED, 'widgets') }),
  definitionReview: named({ 'a definition': reviewOf(DEFINITION, 'customresourcedefinitions') }),
  study: named({ 'the rules of a definition': { definitions: [DEFINITION], budget: '500ms', seed: 1, times: false } }),
  change: named({ 'a rule that was added': lines({ definitions: [BEFORE, DEFINITION] }, ACCEPTED, REFUSED) }),
} as const;
