import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { OpenAPIObject } from '@nestjs/swagger';
import { readApiConfig } from '../../apps/api/src/config.ts';
import { createApi, describeApi } from '../../apps/api/src/create-api.ts';
import recorded from '../../apps/api/src/description/generated/recorded-answers.json' with { type: 'json' };

interface Schema {
  readonly $ref?: string;
  readonly type?: string;
  readonly description?: string;
  readonly enum?: readonly unknown[];
  readonly anyOf?: readonly Schema[];
  readonly allOf?: readonly Schema[];
  readonly items?: Schema;
  readonly properties?: Readonly<Record<string, Schema>>;
}
interface Media {
  readonly schema?: Schema;
}
interface Answer {
  readonly description: string;
  readonly content?: Readonly<Record<string, Media>>;
  readonly 'x-also-answered'?: Readonly<Record<string, Media>>;
}
interface Operation {
  readonly tags: readonly string[];
  readonly summary: string;
  readonly description?: string;
  readonly parameters?: readonly { readonly name: string; readonly in: string; readonly description?: string }[];
  readonly requestBody?: { readonly content: Readonly<Record<string, Media>> };
  readonly responses: Readonly<Record<string, Answer>>;
}
interface Endpoint extends Operation {
  readonly method: string;
  readonly path: string;
}

/**
 * Returns the page about the HTTP API. It is generated from the OpenAPI document of a service that is created without listening on a port.
 */
export async function httpApiPage(): Promise<string> {
  const document = await openApiDocument();
  const endpoints = Object.entries(document.paths).flatMap(([path, item]) =>
    Object.entries(item as Readonly<Record<string, Operation>>).map(([method, one]): Endpoint => ({
      ...one,
      method: method.toUpperCase(),
      path,
    })),
  );
  const schemas = (document.components?.schemas ?? {}) as Readonly<Record<string, Schema>>;
  const propertiesOf = (name: string): string => fieldTable(schemas[name]?.properties ?? {});
  const groups = (document.tags ?? []).map(
    ({ name, description = '' }) =>
      `### ${headingOf(name)}\n\n${description}.\n\n${endpoints
        .filter(({ tags }) => tags.flat().includes(name))
        .map(endpointText)
        .join('\n\n')}`,
  );
  return `# HTTP API

<!-- Generated from the OpenAPI document of the service by \`npm run docs\`. -->

For programs that call a service of Assay.
Which endpoints, bodies, options, statuses and headers does the HTTP API have?

A running service describes itself: \`GET /docs\` is an interactive page, \`GET /docs-json\` is the OpenAPI document with all schemas and examples, and \`GET /\` answers
programs with a directory of links. A browser gets [the page](../how-to/browser-page.md) at \`/\`.

## Bodies

The body of most requests contains definitions, policies and objects together. It has one of three media types:

- \`application/json\`: one JSON object, the *envelope*, with the fields of the table below.
- \`application/yaml\`: a stream of documents. Assay recognizes definitions, policies and objects by their kind. Options are query parameters.
- \`application/x-ndjson\`: the first line is the envelope without \`objects\`, and each further line is one item. The service sends verdicts line by line while you still send items.

${propertiesOf('EvaluationEnvelope')}

An item of \`objects\` has one of these forms:

- an object, as you wrote it or as \`kubectl get\` prints it. Assay judges the creation of this object.
- \`{object, oldObject, operation, subresource, fieldValidation, userInfo}\`: an update if \`oldObject\` is present, or a write of the status with \`subresource: status\`.
- \`{operation, request, object, oldObject, userInfo}\`: a request that only admission policies can refuse, such as a \`DELETE\`.
- an audit event or an AdmissionReview ([recorded writes](../how-to/change-a-definition.md#judge-recorded-writes)).

If two definitions of a batch have the same \`metadata.name\`, Assay applies them in their order, as a server does. The second one is an update of the first one, and its report has the field \`updateOf\`. If a server refuses the update, the first definition stays.

If two definitions of different names define the same names of a resource, the first one gets the names, as in a cluster. The field \`conditions\` of the answer says which definition got its names, and which definition the server would not serve.

## Options

The field \`options\` of the envelope has these fields:

${propertiesOf('EvaluationOptions')}

Query parameters of a request override the options in the envelope. \`POST /evaluate\` takes these parameters: ${queryNames(schemas)}.
\`/explain\`, \`/advise\`, \`/matrix\` and \`/what-if\` take the same parameters without \`wait\`.
Write feature gates as in the flag \`--feature-gates\` of a server: \`featureGates=CRDValidationRatcheting=false\`.

The option \`costLimits\` has these fields. In a query, their names are \`costPerCall\`, \`costPerObject\` and \`costPerEvaluation\`:

${propertiesOf('CostLimits')}

The option \`admission\` exists in the envelope only, and has these fields:

${propertiesOf('AdmissionOptions')}

## Evaluations in the background

\`POST /evaluate?wait=0\`, or a request with \`Prefer: respond-async\`, gets a 202, and the evaluation runs in the background. The header \`Location\` of the answer
contains the path of the evaluation. Send these requests to this path:

- \`GET\` returns the state and the progress.
- \`GET …/results\` streams the verdicts as NDJSON. The parameters \`from\` and \`limit\` select items.
- \`GET …/events\` sends the progress as server-sent events.
- \`DELETE\` cancels the evaluation. If the evaluation is over, \`DELETE\` removes it with its results. An answer that reads these results then ends with a 404.

## Stored definitions

\`PUT /definitions/sha256:DIGEST\` stores a definition in the service. \`DIGEST\` is the SHA-256 of the bytes of the definition. Later requests name the digest in
\`definitionRefs\`, and need not contain the definition. Only the client that sent the definition can use it. The definition expires an hour after the last request that named it.
If a digest is unknown, the answer is a 422 that names the digest. Send the definition again, and repeat the request.

## Endpoints

| Method and path | Effect of the request |
|---|---|
${endpoints.map(({ method, path, summary }) => `| \`${method} ${path}\` | ${inCell(summary)} |`).join('\n')}

${groups.join('\n\n')}

## Statuses

Each error is a \`metav1.Status\`. [Error messages](errors.md#statuses-of-the-service) says what to do about each status.

| Status | Meaning | Example of a message |
|---|---|---|
${statusRows(endpoints)}

These statuses are rare:

- 403: the role of the access key does not allow the path.
- 405: the path does not support the method.
- 406: the service cannot answer in any format that the header \`Accept\` allows.
- 422: the digest of a definition in \`definitionRefs\` is unknown.

## Headers

| Header of a request | Meaning |
|---|---|
| \`Authorization: Bearer TOKEN\` | an access key, or a token of a trusted issuer ([security](../explanation/security.md#access)) |
| \`X-Assay-Flow\` | a name for a part of the client's work. The parts divide the client's share of the service ([flow control](../explanation/flow-control.md)) |
| \`Accept\` | \`application/x-ndjson\` selects verdicts as lines. Reports of benchmarks also exist as \`text/html\` and \`image/svg+xml\` |
| \`Accept-Encoding\` | \`br\` and \`gzip\` compress answers. The service refuses a compressed body of a request with a 415 |
| \`Prefer: respond-async\` | runs the evaluation in the background |
| \`X-Request-Id\` | your id for the request: up to 64 letters, digits and hyphens. The answer and the logs contain this id |
| \`traceparent\` | the trace of OpenTelemetry to which the service adds its spans |

| Header of an answer | Meaning |
|---|---|
| \`Location\` | the path of an evaluation or study in the background (202) |
| \`Preference-Applied\` | confirms \`Prefer: respond-async\`: the evaluation runs in the background (202) |
| \`Retry-After\` | the number of seconds to wait before you repeat the request (429, 503) |
| \`WWW-Authenticate\` | how to send an access key (401) |
| \`Allow\` | the methods that the path supports (405) |
| \`ETag\` | the digest of a stored definition |
| \`X-Request-Id\` | the id of the request: yours, or a new one |
| \`X-Trace-Id\` | the id of the trace, if traces are recorded |
`;
}

async function openApiDocument(): Promise<OpenAPIObject> {
  const folder = mkdtempSync(join(tmpdir(), 'assay-docs-'));
  const config = readApiConfig({ ASSAY_JOURNAL: join(folder, 'journal.sqlite'), ASSAY_THREADS: '1', ASSAY_MAX_LOOP_DELAY_MS: '0' });
  const app = await createApi(config);
  try {
    await app.init();
    return describeApi(app, config);
  } finally {
    await app.close();
    rmSync(folder, { recursive: true, force: true });
  }
}

const HEADINGS: Readonly<Record<string, string>> = { 'what-if': 'What-if' };
const headingOf = (tag: string): string => HEADINGS[tag] ?? `${tag[0]?.toUpperCase() ?? ''}${tag.slice(1)}`;

function endpointText({ method, path, summary, description, parameters = [], requestBody, responses }: Endpoint): string {
  const query = parameters.filter(({ in: place }) => place === 'query');
  const lines = [
    ...(requestBody === undefined ? [] : [`- Body: ${Object.keys(requestBody.content).map(code).join(', ')}`]),
    ...query.map((one) => `- Query \`${one.name}\`${one.description === undefined ? '' : `: ${one.description}`}`),
    ...Object.entries(responses)
      .filter(([status]) => status.startsWith('2'))
      .map(([status, answer]) => `- ${status}: ${answer.description}${formsOf(answer)}`),
    `- Errors: ${Object.keys(responses)
      .filter((status) => !status.startsWith('2'))
      .join(', ')}`,
  ].filter((line) => line !== '- Errors: ');
  const more = description === undefined ? '' : ` ${description}`;
  return `#### \`${method} ${path}\`\n\n${summary}.${linked(more)}\n\n${lines.join('\n')}`;
}

function formsOf({ content = {}, 'x-also-answered': also = {} }: Answer): string {
  const forms = [...Object.entries(content), ...Object.entries(also)].map(([type, { schema }]) => {
    const name = schema?.$ref?.split('/').at(-1);
    return name === undefined ? code(type) : `${code(type)} (${code(name)})`;
  });
  return forms.length === 0 ? '' : `; ${forms.join(', ')}`;
}

/** Meanings of fields whose own fields are in another table of the page. */
const TABLES: Readonly<Record<string, string>> = {
  options: 'The options in the table under [Options](#options)',
  costLimits: 'Cost limits, whose fields are in a table below',
  admission: 'Options of admission policies, whose fields are in a table below',
};

function fieldTable(properties: Readonly<Record<string, Schema>>): string {
  const rows = Object.entries(properties).map(
    ([name, schema]) => `| \`${name}\` | ${inCell(typeOf(schema))} | ${inCell(schema.description ?? TABLES[name] ?? '')} |`,
  );
  return ['| Field | Type | Meaning |', '|---|---|---|', ...rows].join('\n');
}

function typeOf({ $ref, type, enum: values, anyOf, allOf, items }: Schema): string {
  if ($ref !== undefined) return code($ref.split('/').at(-1) ?? '');
  if (values !== undefined) return values.map((value) => code(String(value))).join(', ');
  if (items !== undefined) return `list of ${items.$ref === undefined ? `${items.type ?? 'value'}s` : typeOf(items)}`;
  const parts = anyOf ?? allOf;
  return parts === undefined ? (type ?? '') : parts.map(typeOf).join(' or ');
}

/** Returns a table row for each error status. A status has the same meaning at all endpoints that can return it. */
function statusRows(endpoints: readonly Endpoint[]): string {
  const meanings = new Map(
    endpoints
      .filter(({ requestBody, path }) => requestBody !== undefined || path.includes('{'))
      .flatMap(({ responses }) => Object.entries(responses).map(([status, { description }]) => [status, description] as const)),
  );
  return Object.entries(recorded.failures)
    .map(([status, { body }]) => `| ${status} | ${inCell(meanings.get(status) ?? '')} | \`${inCell(body.message)}\` |`)
    .join('\n');
}

/** Returns the names of the query options of an evaluation, separated by commas. */
const queryNames = (schemas: Readonly<Record<string, Schema>>): string =>
  Object.keys(schemas['EvaluateQuery']?.properties ?? {})
    .map(code)
    .join(', ');

/** Returns `text` with each document name in the folder `docs` replaced by a link. */
const linked = (text: string): string =>
  text.replaceAll(/docs\/([\w/-]+)\.md/g, (_, page: string) => `[${page.split('/').at(-1) ?? ''}](../${page}.md)`);

const code = (text: string): string => `\`${text}\``;
const inCell = (text: string): string => text.replaceAll('|', '\\|');
