import { applyDecorators } from '@nestjs/common';
import { ApiOperation, ApiQuery, ApiResponse } from '@nestjs/swagger';
import type { ApiOperationOptions, ApiResponseOptions, OpenAPIObject } from '@nestjs/swagger';
import { z } from 'zod';
import { evaluationEnvelope, statusSchema, sentDigest } from '#documents';
import { MEDIA_TYPES } from '../body-parsers.ts';
import { studyEnvelope } from '../benchmarks/study-envelope.ts';
import { optionsQuery } from '../evaluations/request-options.ts';
import { existsSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';

type Schemas = NonNullable<NonNullable<OpenAPIObject['components']>['schemas']>;
type Reference = Extract<Schemas[string], { $ref: string }>;

const PREFIX = '#/components/schemas/';
/** Bounds of safe integers in JavaScript. They are removed from the API description because they are not limits of the API. */
const SAFE_INTEGERS: readonly unknown[] = [Number.MIN_SAFE_INTEGER, Number.MAX_SAFE_INTEGER];

/**
 * Returns the OpenAPI 3.0 schemas of all zod schemas that have an id. The schemas are a flat list of components that refer to each other.
 */
export function componentSchemas(): Schemas {
  const { schemas } = z.toJSONSchema(z.globalRegistry, {
    target: 'openapi-3.0',
    io: 'input',
    uri: (id) => `${PREFIX}${id}`,
    override: ({ jsonSchema }) => {
      delete jsonSchema.$id;
      describeDefault(jsonSchema);
      for (const bound of ['minimum', 'maximum'] as const) if (SAFE_INTEGERS.includes(jsonSchema[bound])) delete jsonSchema[bound];
    },
  });
  for (const schema of Object.values(schemas)) {
    delete schema.$id;
    delete schema.$schema;
  }
  return schemas as Schemas;
}

/**
 * Moves the default of a schema into its description. Generators of clients would read the keyword `default` as a sign that the field is
 * always present, also in requests.
 */
function describeDefault(schema: { default?: unknown; description?: string | undefined }): void {
  const { default: value, description } = schema;
  delete schema.default;
  const isPlain = typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean';
  if (!isPlain || value === '' || description?.includes('Default: ') === true) return;
  schema.description = [description, `Default: ${value}`].filter((part) => part !== undefined).join('. ');
}

/** Returns a reference to a schema by its id. Throws if the schema has no id. */
function referenceTo(schema: z.ZodType): Reference {
  const id = schema.meta()?.id;
  if (id === undefined) throw new Error('a schema of the description has no id');
  return { $ref: `${PREFIX}${id}` };
}

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
const EXAMPLES = {
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

type RequestBody = NonNullable<ApiOperationOptions['requestBody']>;
type Content = Extract<RequestBody, { content: unknown }>['content'];

/** Name of the OpenAPI extension that holds all media types of a response except the first one. */
const ALSO_ANSWERED = 'x-also-answered';

const JSON_TYPE = MEDIA_TYPES.json[0] ?? '';
const YAML_TYPE = MEDIA_TYPES.yaml[0] ?? '';
const NDJSON_TYPE = MEDIA_TYPES.ndjson[0] ?? '';
const text = (description: string) => ({ type: 'string', description }) as const;

const REVIEW = { type: 'object', description: 'An AdmissionReview of admission.k8s.io/v1 with its request' } as const;

/** Request bodies for the API description, by the kind of their content. */
const BODIES = {
  definition: {
    [JSON_TYPE]: {
      schema: { type: 'object', description: 'A CustomResourceDefinition (apiextensions.k8s.io/v1)' },
      examples: EXAMPLES.definition,
    },
    [YAML_TYPE]: { schema: text('A CustomResourceDefinition'), examples: EXAMPLES.definitionYaml },
  },
  batch: {
    [JSON_TYPE]: { schema: referenceTo(evaluationEnvelope), examples: EXAMPLES.batch },
    [YAML_TYPE]: {
      schema: text('Definitions, policies and objects, in any order. Options are query parameters'),
      examples: EXAMPLES.batchYaml,
    },
  },
  routes: {
    [YAML_TYPE]: {
      schema: text('Definitions, policies and objects, in any order. Options are query parameters'),
      examples: EXAMPLES.routesYaml,
    },
  },
  stream: {
    [NDJSON_TYPE]: {
      schema: text('The envelope without objects on the first line, and one item on each further line'),
      examples: EXAMPLES.batchLines,
    },
  },
  objectReview: { [JSON_TYPE]: { schema: REVIEW, examples: EXAMPLES.objectReview } },
  definitionReview: { [JSON_TYPE]: { schema: REVIEW, examples: EXAMPLES.definitionReview } },
  study: { [JSON_TYPE]: { schema: referenceTo(studyEnvelope), examples: EXAMPLES.study } },
  change: {
    [NDJSON_TYPE]: {
      schema: text(
        '{"definitions":[OLD, NEW],"options":{…}}, or {"definitions":[…],"from":{"policies":[…],"cluster":[…]},"to":{…},"options":{…}}, on the first line, and one stored object on each further line',
      ),
      examples: EXAMPLES.change,
    },
  },
} as const satisfies Record<string, Content>;

const FAILURES = {
  400: 'The service cannot read the request. The message names the field',
  401: 'The service requires keys, and the request has no valid key',
  404: 'There is no such path, or no such evaluation or study of this client',
  408: 'The deadline passed before there was an answer',
  413: 'The body, a document or the number of documents exceeds a limit, which the message names',
  415: 'The media type, or the encoding, of the body is not supported',
  429: 'A queue, or the share of the client in the queue, is full. Retry-After says when to repeat the request',
  503: 'The queue or the engine does not answer, or the service is overloaded',
} as const;

/** Status code of a refusal. The body of such an answer is a metav1.Status. */
type FailureCode = keyof typeof FAILURES;

/** Status codes of failures that a request with a body can have. */
const WITH_BODY: readonly FailureCode[] = [400, 401, 408, 413, 415, 429, 503];
/** Status codes of failures of a request without a body, about something that exists: an evaluation, a study or a kept definition. */
const WITHOUT_BODY: readonly FailureCode[] = [400, 401, 404, 429, 503];

/** Summary and description of an operation, and the kinds of body that it accepts. */
export interface DescribedOperation {
  readonly summary: string;
  readonly description?: string;
  readonly bodies: readonly (keyof typeof BODIES)[];
}

/** Method decorator that describes an operation with a request body: its purpose, the bodies with examples, and the possible failures. */
export function DescribeWithBody({ bodies, ...operation }: DescribedOperation): MethodDecorator {
  const content: Content = Object.assign({}, ...bodies.map((body) => BODIES[body]));
  return applyDecorators(ApiOperation({ ...operation, requestBody: { required: true, content } }), ...WITH_BODY.map(failure));
}

/** Method decorator that describes the possible failures of a request without a body, about evaluations, studies or kept definitions. */
export function DescribeFailures(): MethodDecorator {
  return applyDecorators(...WITHOUT_BODY.map(failure));
}

function failure(status: FailureCode): MethodDecorator {
  const content = { [JSON_TYPE]: { schema: referenceTo(statusSchema) } };
  const headers = status === 429 ? { 'Retry-After': { schema: { type: 'integer' }, description: 'Seconds' } as const } : undefined;
  return ApiResponse({ status, description: FAILURES[status], content, ...(headers && { headers }) });
}

/**
 * Method decorator that describes an answer in the OpenAPI document. `json` is the schema of a JSON answer, and `lines` is the schema of
 * each line of an NDJSON answer. `also` is the same answer in other media types. If there is a JSON answer, the other forms are described
 * in an OpenAPI extension. Otherwise, a generated client would give each answer the union of several types, even if it never requests
 * lines.
 */
export function DescribeAnswer(
  description: string,
  { json, lines, also }: { json?: z.ZodType; lines?: z.ZodType; also?: Content },
  status = 200,
): MethodDecorator {
  const inLines: Content = lines ? { [NDJSON_TYPE]: { schema: referenceTo(lines) } } : {};
  if (json === undefined) return ApiResponse({ status, description, content: inLines });
  const content: Content = { [JSON_TYPE]: { schema: referenceTo(json) } };
  if (also !== undefined) return ApiResponse({ status, description, content, [ALSO_ANSWERED]: also } as ApiResponseOptions);
  if (lines === undefined) return ApiResponse({ status, description, content });
  const both = `${description}. If the body is NDJSON, or with Accept: ${NDJSON_TYPE}, the answer has lines, each a ${lines.meta()?.id}`;
  return ApiResponse({ status, description: both, content, [ALSO_ANSWERED]: inLines } as ApiResponseOptions);
}

/**
 * Method decorator that describes the answer to a request for an evaluation in the background. The answer has no schema, because the
 * endpoint also has another type of answer. With two schemas, code generators would give every client the union of both types.
 */
export function DescribeBackground(): MethodDecorator {
  return ApiResponse({
    status: 202,
    description: 'The evaluation continues in the background. The body is its EvaluationState, as GET of the Location answers it',
    headers: { Location: { schema: { type: 'string' }, description: 'The path of the evaluation' } },
  });
}

/**
 * Method decorator that describes the options of an evaluation as query parameters. `leftOut` names options that the operation does not
 * support.
 */
export function DescribeOptions(...leftOut: readonly string[]): MethodDecorator {
  const named = Object.entries(optionsQuery.shape).filter(([name]) => !leftOut.includes(name));
  return applyDecorators(
    ...named.map(([name, option]) => {
      const { description = '', ...schema } = z.toJSONSchema(option, { target: 'openapi-3.0', io: 'input' }) as { description?: string };
      return ApiQuery({ name, required: false, description, schema });
    }),
  );
}
