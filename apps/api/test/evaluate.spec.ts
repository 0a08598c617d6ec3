import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { explainedDefinition, explanationAnswer } from '#documents';
import { startApi } from './start-api.ts';
import { widget, widgets } from './widgets.ts';

const examples = join(import.meta.dirname, '../../../examples/gateway-api');
const definitionYaml = readFileSync(join(examples, 'httproute-crd.yaml'), 'utf8');
const routesYaml = readFileSync(join(examples, 'httproutes.yaml'), 'utf8');

let app: NestFastifyApplication;
let url: string;
beforeAll(async () => {
  ({ app, url } = await startApi());
});
afterAll(() => app.close());

async function post(path: string, type: string, body: string | Buffer, headers: Record<string, string> = {}) {
  const response = await fetch(`${url}${path}`, { method: 'POST', headers: { 'content-type': type, ...headers }, body });
  return { response, text: await response.text() };
}
async function postJson(body: unknown, path = '/evaluate') {
  const { response, text } = await post(path, 'application/json', JSON.stringify(body));
  return { code: response.status, answer: JSON.parse(text) as Record<string, unknown> };
}

describe('POST /evaluate', () => {
  it("returns the oracle's verdict for the README's example", async () => {
    const { response, text } = await post('/evaluate', 'application/yaml', `${definitionYaml}\n${routesYaml}`);
    const answer = JSON.parse(text) as { items: { name: string; outcome: string; cost: { cel: number }; status?: { message: string } }[] };
    expect(response.status).toBe(200);
    expect(answer.items.map(({ name, outcome, cost }) => [name, outcome, cost.cel])).toEqual([
      ['shop', 'accepted', 241],
      ['shop-broken', 'rejected', 322],
    ]);
    expect(answer.items[1]?.status?.message).toBe(
      'HTTPRoute.gateway.networking.k8s.io "shop-broken" is invalid: [spec.rules[0]: Invalid value: RequestRedirect filter must not be used together with backendRefs, ' +
        "spec.rules[0].matches[0].path: Invalid value: value must be an absolute path and start with '/' when type one of ['Exact', 'PathPrefix']]",
    );
  });

  it('keeps the order of objects, and returns rule costs and stored objects on request', async () => {
    const objects = [
      widget('a', [1]),
      { object: widget('b', [0, 1]) },
      { object: widget('c', [2]), oldObject: widget('c', [1]), operation: 'UPDATE' },
    ];
    const { code, answer } = await postJson({ definitions: [widgets], objects, options: { explain: true, returnObjects: true } });
    expect(code).toBe(200);
    expect(answer['summary']).toMatchObject({ items: 3, accepted: 2, rejected: 1 });
    expect(answer['items']).toMatchObject([
      {
        index: 0,
        outcome: 'accepted',
        definition: 'widgets.example.com',
        object: { sizes: [1] },
        cost: { rules: [{ rule: 'self.all(s, s > 0)' }] },
      },
      { index: 1, outcome: 'rejected', status: { code: 422, details: { causes: [{ reason: 'FieldValueInvalid', field: 'sizes' }] } } },
      { index: 2, outcome: 'accepted', object: { sizes: [2] } },
    ]);
  });

  it('streams NDJSON in both directions: the client gets verdicts while it still sends objects', async () => {
    let send: ReadableStreamDefaultController<Uint8Array> | undefined;
    const body = new ReadableStream<Uint8Array>({ start: (controller) => void (send = controller) });
    const line = (value: unknown): void => send?.enqueue(Buffer.from(`${JSON.stringify(value)}\n`));
    const answering = fetch(`${url}/evaluate`, {
      method: 'POST',
      headers: { 'content-type': 'application/x-ndjson' },
      body,
      duplex: 'half',
    });
    line({ definitions: [widgets] });
    line(widget('a', [1]));
    const response = await answering;
    const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader();
    const first = await reader?.read();
    expect(first?.value).toContain('"outcome":"accepted"');
    line(widget('b', [-1]));
    send?.close();
    let rest = '';
    for (let step = await reader?.read(); step && !step.done; step = await reader?.read()) rest += step.value;
    const lines = rest
      .trim()
      .split('\n')
      .map((text) => JSON.parse(text) as Record<string, unknown>);
    expect(lines).toMatchObject([{ index: 1, outcome: 'rejected' }, { summary: { items: 2, accepted: 1, rejected: 1 } }]);
  });

  it('performs an asynchronous evaluation, with its state, pages of results, events and DELETE', async () => {
    const objects = Array.from({ length: 600 }, (_, i) => widget(`w${i}`, [i]));
    // A part has at most 250 objects if the objects of its definition were never timed.
    const definitions = [{ ...widgets, metadata: { ...widgets.metadata, labels: { timed: 'never' } } }];
    const { response, text } = await post('/evaluate?wait=0', 'application/json', JSON.stringify({ definitions, objects }));
    expect(response.status).toBe(202);
    const location = response.headers.get('location') ?? '';
    expect(JSON.parse(text)).toMatchObject({ chunks: { total: 3 } });
    const page = await (await fetch(`${url}${location}/results?from=299&limit=2`)).text();
    expect(
      page
        .trim()
        .split('\n')
        .map((line) => (JSON.parse(line) as { index: number }).index),
    ).toEqual([299, 300]);
    const events = await (await fetch(`${url}${location}/events`)).text();
    expect(events).toMatch(/event: complete\ndata: .*"accepted":599.*"rejected":1/);
    expect(await (await fetch(`${url}${location}`)).json()).toMatchObject({ state: 'complete', chunks: { done: 3, total: 3 } });
    expect((await fetch(`${url}${location}`, { method: 'DELETE' })).status).toBe(204);
    expect((await fetch(`${url}/evaluations/unknown`)).status).toBe(404);
  });

  it('uses the valid definitions of a request even if it rejects others', async () => {
    const broken = structuredClone(widgets);
    broken.metadata.name = 'gadgets.example.com';
    broken.spec.names = { plural: 'gadgets', kind: 'Gadget' };
    broken.spec.versions[0]!.schema.openAPIV3Schema.properties.sizes['x-kubernetes-validations'] = [{ rule: 'self.nope', message: 'x' }];
    const { answer } = await postJson({
      definitions: [widgets, broken],
      objects: [widget('a', [1]), { ...widget('b', [1]), kind: 'Gadget' }],
    });
    expect(answer['definitions']).toMatchObject([{ accepted: true }, { accepted: false, status: { code: 422 } }]);
    expect(answer['items']).toMatchObject([{ outcome: 'accepted' }, { outcome: 'notEvaluated', status: { code: 422 } }]);
  });

  it('gives a name to the first definition that claims it, and serves no definition without accepted names', async () => {
    const rival = structuredClone(widgets);
    rival.metadata.name = 'wheels.example.com';
    rival.spec.names = { plural: 'wheels', kind: 'Wheel', shortNames: ['widgets'] } as typeof rival.spec.names;
    const sameKind = structuredClone(rival);
    sameKind.metadata.name = 'others.example.com';
    sameKind.spec.names = { plural: 'others', kind: 'Widget', listKind: 'OtherList' } as typeof rival.spec.names;
    const { answer } = await postJson({
      definitions: [widgets, rival, sameKind],
      objects: [widget('a', [1]), { ...widget('b', [1]), kind: 'Wheel' }],
    });
    const refused = (reason: string, message: string) => ({
      accepted: true,
      conditions: [
        { type: 'NamesAccepted', status: 'False', reason, message },
        { type: 'Established', status: 'False', reason: 'NotAccepted' },
      ],
    });
    expect(answer['definitions']).toMatchObject([
      {
        conditions: [
          { type: 'NamesAccepted', status: 'True', reason: 'NoConflicts' },
          { type: 'Established', status: 'True', reason: 'InitialNamesAccepted' },
        ],
      },
      refused('ShortNamesConflict', '"widgets" is already in use'),
      refused('KindConflict', '"Widget" is already in use'),
    ]);
    expect(answer['items']).toMatchObject([
      { outcome: 'accepted', definition: 'widgets.example.com' },
      { outcome: 'notEvaluated', status: { code: 404, message: expect.stringContaining('ShortNamesConflict') as string } },
    ]);
  });

  it('gives the verdicts of a server with other feature gates', async () => {
    const old = widget('c', [0]);
    const item = { object: { ...old, metadata: { ...old.metadata, labels: { changed: 'yes' } } }, oldObject: old, operation: 'UPDATE' };
    const object = structuredClone(widgets);
    object.spec.versions[0]!.schema.openAPIV3Schema.properties.sizes = {
      type: 'array',
      items: { type: 'integer', minimum: 1 },
    } as unknown as (typeof object.spec.versions)[0]['schema']['openAPIV3Schema']['properties']['sizes'];
    const outcomes = async (options: unknown) => {
      const { code, answer } = await postJson({ definitions: [object], objects: [item], options });
      return code === 200 ? (answer['items'] as { outcome: string }[]).map(({ outcome }) => outcome) : answer['message'];
    };
    expect(await outcomes({ kubernetesVersion: '1.32' })).toEqual(['accepted']);
    expect(await outcomes({ kubernetesVersion: '1.32', featureGates: { CRDValidationRatcheting: false } })).toEqual(['rejected']);
    expect(await outcomes({ kubernetesVersion: '1.33', featureGates: { CRDValidationRatcheting: false } })).toMatch(
      /cannot set feature gate CRDValidationRatcheting to false, feature is locked to true/,
    );
  });
});

describe('a list that is longer than a request to a server', () => {
  it('is accepted, because each of its items is measured alone, as compact JSON', async () => {
    const wide = (document: unknown) => JSON.stringify(document).replace('{', `{${' '.repeat(3 * 1024 * 1024)}`);
    const list = `{"apiVersion":"v1","kind":"List","items":[${wide(widgets)},${wide(widget('a', [1]))}]}`;
    const { response, text } = await post('/evaluate', 'application/yaml', list);
    expect([response.status, JSON.parse(text)]).toMatchObject([
      200,
      { definitions: [{ accepted: true }], items: [{ outcome: 'accepted' }] },
    ]);
  });
});

describe('two definitions with the same name', () => {
  it('are a create and an update, and the updated definition applies to the objects', async () => {
    const stricter = structuredClone(widgets);
    const schema = stricter.spec.versions[0]?.schema.openAPIV3Schema as { maxProperties?: number };
    schema.maxProperties = 1;
    const judge = async (definitions: unknown[]) => (await postJson({ definitions, objects: [widget('a', [1])] })).answer;
    expect(await judge([stricter, widgets])).toMatchObject({ definitions: [{}, { updateOf: 0 }], items: [{ outcome: 'accepted' }] });
    expect(await judge([widgets, stricter])).toMatchObject({ definitions: [{}, { updateOf: 0 }], items: [{ outcome: 'rejected' }] });
  });

  it('are a create and a rejected update, and the first definition applies to the objects', async () => {
    const beta = { ...widgets, apiVersion: 'apiextensions.k8s.io/v1beta1' };
    const { answer } = await postJson({ definitions: [widgets, beta], objects: [widget('a', [1])] });
    expect(answer).toMatchObject({
      definitions: [{ accepted: true }, { accepted: false, updateOf: 0 }],
      items: [{ outcome: 'accepted' }],
    });
  });
});

describe('a definition with an unknown field', () => {
  const misspelt = { ...widgets, rules: [] };
  it.each([
    [
      'Strict',
      {
        accepted: false,
        status: { code: 400, message: expect.stringContaining('strict decoding error: unknown field "rules"') as string },
      },
    ],
    ['Warn', { accepted: true, warnings: ['unknown field "rules"'] }],
    ['Ignore', { accepted: true, warnings: [] }],
    ['Strict', { accepted: false }],
  ])('is evaluated with fieldValidation %s', async (fieldValidation, report) => {
    const { answer } = await postJson({ definitions: [misspelt], objects: [], options: { fieldValidation } });
    expect(answer).toMatchObject({ definitions: [report] });
    const alone = await post(`/definitions?fieldValidation=${fieldValidation}`, 'application/json', JSON.stringify(misspelt));
    expect(JSON.parse(alone.text)).toMatchObject({ report });
  });
});

describe('a request', () => {
  const deep = `${'['.repeat(10_001)}${']'.repeat(10_001)}`;
  const big = JSON.stringify({ ...widget('big', []), pad: 'x'.repeat(3 * 1024 * 1024) });
  it.each([
    ['broken JSON', 'application/json', '{"objects":[{]}', 400, /malformed/],
    ['an empty body', 'application/json', '', 400, /body/i],
    ['an empty batch', 'application/json', '{"objects":[]}', 400, /empty/],
    ['an unknown option', 'application/json', '{"objects":[{}],"options":{"explian":true}}', 400, /explian/],
    ['an unknown minor', 'application/json', '{"objects":[{}],"options":{"kubernetesVersion":"1.20"}}', 400, /kubernetesVersion/],
    ['another media type', 'text/plain', 'x', 415, /application\/json/],
    ['10,001 levels', 'application/json', `{"objects":[${deep}]}`, 400, /max depth/],
    ['raised limits', 'application/json', '{"objects":[{}],"options":{"costLimits":{"perCall":"unlimited"}}}', 400, /operator permits/],
    [
      'a definition above 3 MiB',
      'application/json',
      JSON.stringify({ definitions: [{ ...widgets, pad: 'x'.repeat(3 * 1024 * 1024) }], objects: [] }),
      413,
      /too large/,
    ],
    [
      'a wide definition that is the whole body',
      'application/yaml',
      JSON.stringify(widgets).replace('{', `{${' '.repeat(3 * 1024 * 1024)}`),
      413,
      /too large/,
    ],
  ])('with %s gets a Status as its response', async (_, type, body, code, message) => {
    const { response, text } = await post('/evaluate', type, body);
    expect(response.status).toBe(code);
    expect(JSON.parse(text)).toMatchObject({ kind: 'Status', code, message: expect.stringMatching(message) as string });
  });

  it.each([
    ['an unknown kind', JSON.stringify({ ...widget('a', [1]), kind: 'Gizmo' }), 'notEvaluated', 404, /no definition/],
    ['no kind', '{}', 'notEvaluated', 400, /apiVersion and kind/],
    ['NaN', '{"apiVersion":"example.com/v1","kind":"Widget","sizes":[NaN]}', 'rejected', 400, /invalid character/],
    ['an object above 3 MiB', big, 'rejected', 413, /limit is 3145728/],
  ])('with %s gets a 200, and only that object gets an error', async (_, object, outcome, code, message) => {
    const { response, text } = await post(
      '/evaluate',
      'application/json',
      `{"definitions":[${JSON.stringify(widgets)}],"objects":[${object},${JSON.stringify(widget('good', [1]))}]}`,
    );
    expect(response.status).toBe(200);
    expect(JSON.parse(text)).toMatchObject({
      items: [{ outcome, status: { code, message: expect.stringMatching(message) as string } }, { outcome: 'accepted' }],
    });
  });

  it('with invalid UTF-8 or duplicate keys gets the messages of a server', async () => {
    const head = Buffer.from(`{"definitions":[${JSON.stringify(widgets)}],"objects":[`);
    const invalid = Buffer.concat([
      Buffer.from('{"apiVersion":"example.com/v1","kind":"Widget","metadata":{"name":"'),
      Buffer.from([0xff]),
      Buffer.from('"}}'),
    ]);
    const twice = Buffer.from('{"apiVersion":"example.com/v1","kind":"Widget","metadata":{"name":"d"},"sizes":[1],"sizes":[2]}');
    const body = Buffer.concat([head, invalid, Buffer.from(','), twice, Buffer.from(']}')]);
    const { text } = await post('/evaluate', 'application/json', body);
    expect(JSON.parse(text)).toMatchObject({
      items: [{ outcome: 'rejected' }, { outcome: 'accepted', warnings: [expect.stringContaining('duplicate field "sizes"') as string] }],
    });
    const strict = await post('/evaluate?fieldValidation=Strict', 'application/json', body);
    expect(JSON.parse(strict.text)).toMatchObject({
      items: [
        { outcome: 'rejected' },
        { outcome: 'rejected', status: { code: 400, message: expect.stringContaining('strict decoding error') as string } },
      ],
    });
  });
});

describe('other endpoints of the API:', () => {
  it("POST /definitions returns the estimated cost of a definition's rules", async () => {
    const { code, answer } = await postJson(widgets, '/definitions');
    expect(code).toBe(200);
    expect(answer).toMatchObject({
      report: { name: 'widgets.example.com', accepted: true },
      rules: [{ rule: 'self.all(s, s > 0)', cardinality: '1', maxCost: '502' }],
    });
  });

  it('POST /definitions?explain returns the same report as POST /explain', async () => {
    const { code, answer } = await postJson(widgets, '/definitions?explain');
    const { definitions } = (await postJson({ definitions: [widgets], objects: [] }, '/explain')).answer as { definitions: unknown[] };
    expect(code).toBe(200);
    expect(answer).toEqual(definitions[0]);
    expect(explainedDefinition.parse(answer).rules[0]?.parts?.parts.length).toBeGreaterThan(0);
    expect((await postJson(widgets, '/definitions?explain=false')).answer).not.toHaveProperty('schemas');
  });

  it('POST /explain returns the same advice as POST /advise', async () => {
    const batch = { definitions: [widgets], objects: [] };
    const [{ report, advice }] = ((await postJson(batch, '/explain')).answer as { definitions: [Record<string, unknown>] }).definitions;
    expect((await postJson(batch, '/advise')).answer).toEqual({ definitions: [{ report, advice }] });
  });

  it('POST /explain returns the cost of each part of a rule, as estimated and as measured in objects', async () => {
    const objects = [widget('a', [1, 2, 3]), widget('b', [-1]), { ...widget('c', []), kind: 'Gadget' }];
    const { code, answer } = await postJson({ definitions: [widgets], objects }, '/explain');
    expect(code).toBe(200);
    expect(explanationAnswer.safeParse(answer).error).toBeUndefined();
    expect(answer).toMatchObject({
      definitions: [
        {
          report: { name: 'widgets.example.com', accepted: true },
          schemas: [{ version: 'v1', cost: '502' }],
          rules: [
            {
              bounds: [{ path: 'sizes', schemaPath: 'properties[sizes]', keyword: 'maxItems', value: 100 }],
              measured: { objects: 2, evaluations: 2, costliest: { object: 0, at: 'sizes', cost: 17 } },
              parts: {
                text: 'self.all(s, s > 0)',
                estimate: { total: { max: '502' } },
                actual: { total: 17, evaluations: 1 },
                parts: [
                  { text: 'self', actual: { own: 1, evaluations: 1 } },
                  { text: 's > 0', estimate: { evaluations: '100' }, actual: { total: 6, evaluations: 3 } },
                ],
              },
            },
          ],
        },
      ],
      objects: [
        { index: 0, name: 'a', outcome: 'accepted', celCost: 17 },
        { index: 1, name: 'b', outcome: 'rejected', status: { code: 422 } },
        { index: 2, outcome: 'notEvaluated', status: { code: 404 } },
      ],
    });
  });

  it('POST /explain suggests bounds for a rejected definition', async () => {
    const unbounded = structuredClone(widgets) as {
      spec: { versions: { schema: { openAPIV3Schema: { properties: { sizes: unknown } } } }[] };
    };
    const { openAPIV3Schema: schema } = unbounded.spec.versions[0]!.schema;
    const rule = [{ rule: 'self.all(a, self.exists(b, a < b))' }];
    schema.properties.sizes = { type: 'array', items: { type: 'integer' }, 'x-kubernetes-validations': rule };
    const { answer } = await postJson({ definitions: [unbounded], objects: [] }, '/explain');
    const { definitions } = explanationAnswer.parse(answer);
    expect(definitions[0]?.report.accepted).toBe(false);
    expect(definitions[0]?.rules[0]?.suggestions).toMatchObject([
      { bounds: [{ path: 'sizes', keyword: 'maxItems', value: null, suggested: 256 }] },
    ]);
    expect(definitions[0]?.schemas[0]?.suggestions).toMatchObject([{ bounds: [{ path: 'sizes', suggested: 256 }] }]);
    expect(definitions[0]?.additions).toMatchObject({ bounds: [{ version: 'v1', path: 'sizes', before: null, suggested: 256 }] });
  });

  it.each([
    ['no definition', { definitions: [], objects: [] }, '/explain', 400, /no definition/],
    ['nothing to advise on', { definitions: [], objects: [] }, '/advise', 400, /no definition/],
    ['an unknown parameter', { definitions: [widgets], objects: [] }, '/explain?kubernetesVersoin=1.30', 400, /kubernetesVersoin/],
    ['too many objects', { definitions: [widgets], objects: Array.from({ length: 1001 }, () => ({})) }, '/explain', 413, /1000 objects/],
  ])('POST /explain and POST /advise reject %s with a Status', async (_, body, path, code, message) => {
    expect(await postJson(body, path)).toMatchObject({
      code,
      answer: { kind: 'Status', code, message: expect.stringMatching(message) as string },
    });
  });

  it('the API description contains the schema of explanations', async () => {
    const document = (await (await fetch(`${url}/docs-json`)).json()) as { paths: Record<string, { post: { responses: unknown } }> };
    expect(JSON.stringify(document.paths['/explain']?.post.responses)).toContain('ExplanationAnswer');
    expect(JSON.stringify(document)).toContain('number of its evaluations, in the most expensive evaluation of the rule');
  });

  it.each(['/livez', '/healthz', '/readyz?verbose', '/metrics', '/docs-json'])('the service serves %s', async (path) => {
    const response = await fetch(`${url}${path}`);
    expect([path, response.status]).toEqual([path, 200]);
  });
});
