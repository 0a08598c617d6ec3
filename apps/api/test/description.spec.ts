import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Validator } from '@seriousme/openapi-schema-validator';
import { Ajv } from 'ajv';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { sentDigest } from '#documents';
import { EXAMPLE_DEFINITION } from '../src/description/operations.ts';
import { optionsQuery } from '../src/evaluations/request-options.ts';
import { startApi } from './start-api.ts';

interface Media {
  readonly schema: object;
  readonly examples?: Readonly<Record<string, { readonly value: unknown }>>;
}
interface Operation {
  readonly tags: readonly string[];
  readonly parameters?: readonly { readonly name: string; readonly in: string; readonly description?: string }[];
  readonly requestBody?: { readonly content: Readonly<Record<string, Media>> };
  readonly responses: Readonly<Record<string, Answer>>;
}
interface Answer {
  readonly description: string;
  readonly content?: Readonly<Record<string, Media>>;
  readonly 'x-also-answered'?: Readonly<Record<string, Media>>;
}
interface Description {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly servers: readonly { readonly url: string }[];
  readonly security: readonly object[];
  readonly components: { readonly schemas: Readonly<Record<string, object>>; readonly securitySchemes: object };
  readonly tags: readonly { readonly name: string; readonly description: string }[];
}

let app: NestFastifyApplication;
let url: string;
let description: Description;
beforeAll(async () => {
  const file = join(mkdtempSync(join(tmpdir(), 'assay-description-')), 'definitions.yaml');
  writeFileSync(file, EXAMPLE_DEFINITION);
  ({ app, url } = await startApi({ ASSAY_ADMISSION_FILE: file }));
  description = (await (await fetch(`${url}/docs-json`)).json()) as Description;
});
afterAll(() => app.close());

const operations = (): (readonly [string, string, Operation])[] =>
  Object.entries(description.paths).flatMap(([path, item]) => Object.entries(item).map(([method, one]) => [method, path, one] as const));

/**
 * Returns the status code of a successful answer for a path: 202 for studies, which continue in the background, and 200 for all other
 * paths.
 */
const success = (path: string): string => (path === '/benchmarks' ? '202' : '200');

/** Returns all `$ref` references in a document. */
function referencesIn(value: unknown): string[] {
  if (Array.isArray(value)) return value.flatMap(referencesIn);
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, inner]) => (key === '$ref' ? [String(inner)] : referencesIn(inner)));
}

/** Validates a value against a schema of the API description and returns the errors; empty if the value is valid. */
function complaintsOf(schema: object, value: unknown): string {
  const ajv = new Ajv({ strict: false });
  ajv.addSchema({ $id: 'api', components: description.components });
  const absolute = JSON.parse(JSON.stringify(schema).replaceAll('"#/components', '"api#/components')) as object;
  const isValid = ajv.compile(absolute);
  isValid(value);
  return JSON.stringify(isValid.errors ?? []);
}

describe('the query of an evaluation', () => {
  it.each(['/evaluate', '/explain', '/advise', '/what-if'])('has in the API description every option with its meaning: POST %s', (path) => {
    const query = (description.paths[path]?.['post']?.parameters ?? []).filter((parameter) => parameter.in === 'query');
    const named = query.map(({ name }) => name);
    expect(named).toEqual(
      expect.arrayContaining(Object.keys(optionsQuery.shape).filter((name) => path === '/evaluate' || name !== 'wait')),
    );
    expect(query.filter(({ description: words = '' }) => words === '')).toEqual([]);
  });
});

describe('the description of the API', () => {
  it('is a valid OpenAPI document', async () => {
    const result = await new Validator().validate({ ...structuredClone(description) });
    expect(result.errors ?? []).toEqual([]);
    expect(result.valid).toBe(true);
  });

  it('contains every schema and parameter that it refers to', () => {
    const known = Object.keys(description.components.schemas).map((name) => `#/components/schemas/${name}`);
    const wanted = referencesIn(description);
    expect(wanted.length).toBeGreaterThan(50);
    expect(wanted.filter((reference) => !known.includes(reference))).toEqual([]);
  });

  it('lists errors and responses for each operation with a body', () => {
    for (const [method, path, { requestBody, responses }] of operations().filter(([method]) => method === 'post' || method === 'put')) {
      expect(Object.keys(requestBody?.content ?? {}), `${method} ${path}`).not.toEqual([]);
      expect(Object.keys(responses), path).toEqual(
        expect.arrayContaining([success(path), '400', '401', '408', '413', '415', '429', '503']),
      );
      expect(responses[success(path)]?.content, path).toBeDefined();
    }
  });

  it('includes unknown evaluations, probes, metrics and keys', () => {
    expect(Object.keys(description.paths)).toEqual(expect.arrayContaining(['/livez', '/readyz', '/metrics', '/what-if', '/matrix']));
    expect(description.paths['/evaluations/{id}']?.['get']?.responses).toHaveProperty('404');
    expect(description.components.securitySchemes).toHaveProperty('bearer');
    const used = operations().flatMap(([, , { tags }]) => tags);
    expect(new Set(used)).toEqual(new Set(description.tags.map(({ name }) => name)));
    expect(used).toHaveLength(operations().length);
  });

  it('is usable for generated clients: they send a key, omit fields with defaults, and read a single JSON type', () => {
    expect(description.servers).toMatchObject([{ url: '/' }]);
    expect(description.security).toEqual([{}, { bearer: [] }]);
    // Generators treat a field with `default` as a field that is always present.
    expect(JSON.stringify(description.components.schemas)).not.toContain('"default":');
    expect(JSON.stringify(description.components.schemas['EvaluationOptions'])).toContain('Default: Warn');
    for (const [method, path, { responses }] of operations()) {
      const answers = Object.entries(responses).filter(([code, { content }]) => code.startsWith('2') && content?.['application/json']);
      expect(
        new Set(answers.map(([, { content }]) => JSON.stringify(content?.['application/json']?.schema))).size,
        `${method} ${path}`,
      ).toBeLessThan(2);
      // Several media types, or status codes with different types, would become a union in clients.
      const types = answers.flatMap(([, { content }]) => Object.keys(content ?? {}));
      if (types.length > 0) expect(new Set(types), `${method} ${path}`).toEqual(new Set(['application/json']));
    }
    expect(description.paths['/evaluate']?.['post']?.responses['200']?.['x-also-answered']).toEqual({
      'application/x-ndjson': { schema: { $ref: '#/components/schemas/VerdictLine' } },
    });
  });

  it('has examples for which the service gives responses of the described form', async () => {
    // Definitions are stored first, because later requests name them.
    const ordered = operations().toSorted(([a], [b]) => Number(b === 'put') - Number(a === 'put'));
    const sent = ordered.flatMap(([method, path, { requestBody, responses }]) =>
      Object.entries(requestBody?.content ?? {}).flatMap(([type, { examples = {} }]) =>
        Object.values(examples).map(({ value }) => ({ method, path, type, example: value, answers: responses[success(path)] })),
      ),
    );
    const bodies = ordered.flatMap(([, , { requestBody }]) => Object.values(requestBody?.content ?? {}));
    expect(bodies.filter(({ examples = {} }) => Object.keys(examples).length === 0)).toEqual([]);
    for (const { method, path, type, example, answers } of sent) {
      const body = typeof example === 'string' ? example : JSON.stringify(example);
      const requested = `${url}${path.replace('{digest}', sentDigest(Buffer.from(body)))}`;
      const response = await fetch(requested, { method: method.toUpperCase(), headers: { 'content-type': type }, body });
      const text = await response.text();
      expect(response.status, `${path} ${type}: ${text}`).toBe(method === 'put' ? 201 : Number(success(path)));
      const answered = response.headers.get('content-type')?.split(';')[0] ?? '';
      const schema = { ...answers?.content, ...answers?.['x-also-answered'] }[answered]?.schema;
      if (schema === undefined) throw new Error(`${path} answers ${answered}, which is not described`);
      const values = answered === 'application/json' ? [text] : text.split('\n').filter((line) => line !== '');
      expect(values.length).toBeGreaterThan(0);
      for (const value of values) expect(complaintsOf(schema, JSON.parse(value)), path).toBe('[]');
    }
  });

  it('has schemas that reject what the service rejects', async () => {
    const body = { definitions: [], objects: [], options: { kubernetesVersion: '1.2' } };
    const response = await fetch(`${url}/evaluate`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
    expect(response.status).toBe(400);
    const { Status: status = {}, EvaluationEnvelope: envelope = {} } = description.components.schemas;
    expect(complaintsOf(status, await response.json())).toBe('[]');
    expect(complaintsOf(envelope, body)).toContain('kubernetesVersion');
  });
});
