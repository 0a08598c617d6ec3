import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { mkdtempSync } from 'node:fs';
import { request as rawRequest } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { SERVICE } from '../src/engine/service.ts';
import type { Service } from '../src/engine/service.ts';
import { keysFile, sha256 } from './keys-file.ts';
import { startApi } from './start-api.ts';
import { widget, widgets } from './widgets.ts';

const SERVICE_BODY_BYTES = 20_000;
const file = keysFile([
  { name: 'alpha', sha256: sha256('token-alpha'), roles: ['evaluate', 'scrape'] },
  { name: 'beta', sha256: sha256('token-beta') },
  { name: 'small', sha256: sha256('token-small'), maxItems: 2, maxBodyBytes: 4096, maxStreamBytes: 4096 },
  { name: 'large', sha256: sha256('token-large'), flow: 'batch', maxItems: 50, maxBodyBytes: 200_000, allowUnlimited: true },
  { name: 'slow', sha256: sha256('token-slow'), requestsPerSecond: 0.01, burst: 2 },
]);
const journal = join(mkdtempSync(join(tmpdir(), 'assay-access-')), 'journal.sqlite');
const settings = {
  ASSAY_KEYS_FILE: file,
  ASSAY_JOURNAL: journal,
  ASSAY_MAX_BODY_BYTES: String(SERVICE_BODY_BYTES),
  ASSAY_MAX_ITEMS: '10',
};

let app: NestFastifyApplication;
let url: string;
beforeAll(async () => {
  ({ app, url } = await startApi(settings));
});
afterAll(() => app.close());

const bearer = (name: string): Record<string, string> => ({ authorization: `Bearer token-${name}` });
const get = (path: string, headers: Record<string, string> = {}, method = 'GET') => fetch(`${url}${path}`, { method, headers });
function post(path: string, body: string, headers: Record<string, string> = {}, type = 'application/json') {
  return fetch(`${url}${path}`, { method: 'POST', headers: { 'content-type': type, ...headers }, body });
}
const items = (count: number) => Array.from({ length: count }, (_, i) => widget(`w${i}`, [i + 1]));
const batch = (count: number, options: unknown = {}) => JSON.stringify({ definitions: [widgets], objects: items(count), options });
async function statusOf(response: Response) {
  return { code: response.status, status: (await response.json()) as { kind: string; reason: string; message: string; code: number } };
}
async function detachedBy(name: string): Promise<string> {
  const response = await post('/evaluate?wait=0', batch(3), bearer(name));
  expect(response.status).toBe(202);
  return response.headers.get('location') ?? '';
}

describe('without a key, if keys are required', () => {
  it.each([
    ['GET', '/evaluations/unknown'],
    ['DELETE', '/evaluations/unknown'],
    ['POST', '/evaluate'],
    ['POST', '/definitions'],
    ['POST', '/explain'],
    ['POST', '/matrix'],
    ['POST', '/what-if'],
    ['GET', '/metrics'],
    ['GET', '/no/such/path'],
    ['OPTIONS', '/evaluate'],
    ['GET', '/docs/../metrics'],
    ['GET', '//metrics'],
  ])('%s %s gets a 401', async (method, path) => {
    const response = await get(path, {}, method);
    expect(response.headers.get('www-authenticate')).toBe('Bearer realm="assay"');
    expect(await statusOf(response)).toEqual({
      code: 401,
      status: {
        kind: 'Status',
        apiVersion: 'v1',
        metadata: {},
        status: 'Failure',
        message: 'Unauthorized',
        reason: 'Unauthorized',
        code: 401,
      },
    });
  });

  it.each(['/livez', '/healthz', '/readyz?verbose', '/docs', '/docs-json'])('%s gets a response', async (path) => {
    expect((await get(path)).status).toBe(200);
  });

  it('an invalid token gets the same answer as no token', async () => {
    const none = await statusOf(await get('/metrics'));
    expect(await statusOf(await get('/metrics', { authorization: 'Bearer token-gamma' }))).toEqual(none);
    expect(await statusOf(await get('/metrics', { authorization: 'Basic token-alpha' }))).toEqual(none);
  });

  it('the client gets a 401 before it has sent its body', async () => {
    const answer = await new Promise<{ code: number | undefined; connection: string | undefined }>((resolve, reject) => {
      const request = rawRequest(`${url}/evaluate`, { method: 'POST', headers: { 'content-type': 'application/x-ndjson' } });
      request.on('response', (response) => {
        resolve({ code: response.statusCode, connection: response.headers.connection });
        request.destroy();
      });
      request.on('error', reject);
      request.write('{');
    });
    expect(answer).toEqual({ code: 401, connection: 'close' });
  });

  it('a scrape of metrics gets a response if a setting permits that', async () => {
    const other = await startApi({ ASSAY_KEYS_FILE: file, ASSAY_METRICS_OPEN: 'true' });
    try {
      expect((await fetch(`${other.url}/metrics`)).status).toBe(200);
      expect((await fetch(`${other.url}/evaluations/unknown`)).status).toBe(401);
    } finally {
      await other.app.close();
    }
  });
});

describe('with a key', () => {
  it.each([
    ['Authorization', bearer('alpha')],
    ['x-api-key', { 'x-api-key': 'token-alpha' }],
  ])('a client evaluates objects and scrapes metrics with %s', async (_, headers) => {
    const response = await post('/evaluate', batch(2), headers);
    expect(response.status).toBe(200);
    expect(await response.json()).toMatchObject({ summary: { accepted: 2 } });
    expect((await get('/metrics', headers)).status).toBe(200);
  });

  it('ids are random UUIDs, which cannot be guessed', async () => {
    const ids = [await detachedBy('alpha'), await detachedBy('alpha')];
    for (const id of ids) expect(id).toMatch(/^\/evaluations\/[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
    expect(new Set(ids).size).toBe(2);
  });

  it.each([
    ['alpha', 'alpha'],
    ['large', 'batch'],
  ])('the service stores the owner and the flow of an evaluation: %s', async (name, flow) => {
    const id = (await detachedBy(name)).split('/')[2] ?? '';
    expect(await app.get<Service>(SERVICE).durable.jobs.record(id)).toMatchObject({
      owner: name,
      flow: { name: flow, level: 'normal', weight: 1 },
    });
  });

  it('the description of the API requires a bearer token', async () => {
    expect(await (await get('/docs-json')).json()).toMatchObject({
      security: [{ bearer: [] }],
      components: { securitySchemes: { bearer: { type: 'http', scheme: 'bearer' } } },
    });
  });
});

describe('with the key of another client', () => {
  it.each([
    ['GET', ''],
    ['GET', '/results'],
    ['GET', '/results?from=x'],
    ['GET', '/events'],
    ['DELETE', ''],
  ])('for %s …%s, the evaluation of another client is unknown', async (method, path) => {
    const location = await detachedBy('alpha');
    const never = '/evaluations/00000000-0000-4000-8000-000000000000';
    const [theirs, unknown] = [
      await get(`${location}${path}`, bearer('beta'), method),
      await get(`${never}${path}`, bearer('beta'), method),
    ];
    expect(theirs.status).toBe(404);
    const text = await theirs.text();
    expect(text.replaceAll(location.split('/')[2] ?? '?', 'ID')).toBe((await unknown.text()).replaceAll(never.split('/')[2] ?? '?', 'ID'));
    const varying = new Set(['date', 'x-request-id', 'x-trace-id']);
    const fixed = ({ headers }: Response) => [...headers].filter(([name]) => !varying.has(name));
    expect(fixed(theirs)).toEqual(fixed(unknown));
    expect((await get(location, bearer('alpha'))).status).toBe(200);
  });

  it("the list contains only the client's own evaluations, newest first, up to the requested number", async () => {
    const [first, second] = [await detachedBy('alpha'), await detachedBy('alpha')].map((location) => location.split('/')[2]);
    const listed = async (name: string, query = ''): Promise<(string | undefined)[]> => {
      const answer = await get(`/evaluations${query}`, bearer(name));
      expect(answer.status).toBe(200);
      return ((await answer.json()) as { evaluations: { id: string }[] }).evaluations.map(({ id }) => id);
    };
    const own = await listed('alpha');
    expect(new Set(own.slice(0, 2))).toEqual(new Set([first, second]));
    expect(await listed('alpha', '?limit=1')).toHaveLength(1);
    expect((await listed('beta')).filter((id) => own.includes(id))).toEqual([]);
    expect((await get('/evaluations')).status).toBe(401);
    expect((await get('/evaluations?limit=101', bearer('alpha'))).status).toBe(400);
  });

  it('DELETE does not stop an evaluation of another client', async () => {
    const location = await detachedBy('alpha');
    expect((await get(location, bearer('beta'), 'DELETE')).status).toBe(404);
    const lines = (await (await get(`${location}/results`, bearer('alpha'))).text()).trim().split('\n');
    expect(lines).toHaveLength(3);
    expect(await (await get(location, bearer('alpha'))).json()).toMatchObject({ state: 'complete' });
  });

  it('an evaluation keeps its owner after a restart, and a removed key has no access', async () => {
    const location = await detachedBy('alpha');
    expect((await get(`${location}/results`, bearer('alpha'))).status).toBe(200);
    await app.close();
    ({ app, url } = await startApi({ ASSAY_JOURNAL: journal }));
    expect((await get(location)).status).toBe(404);
    await app.close();
    ({ app, url } = await startApi(settings));
    expect((await get(location, bearer('alpha'))).status).toBe(200);
    expect((await get(location, bearer('beta'))).status).toBe(404);
  });
});

describe('limits of a key', () => {
  it('a key above its rate gets a 429 with a waiting time, and other keys get responses', async () => {
    const codes = [await get('/evaluations/x', bearer('slow')), await get('/evaluations/x', bearer('slow'))].map(({ status }) => status);
    expect(codes).toEqual([404, 404]);
    const refused = await post('/evaluate', batch(1), bearer('slow'));
    const retryAfter = Number(refused.headers.get('retry-after'));
    expect(retryAfter).toBeGreaterThan(90);
    expect(retryAfter).toBeLessThanOrEqual(100);
    expect(await statusOf(refused)).toMatchObject({
      code: 429,
      status: { kind: 'Status', reason: 'TooManyRequests', details: { retryAfterSeconds: retryAfter } },
    });
    expect((await post('/evaluate', batch(1), bearer('alpha'))).status).toBe(200);
    expect((await get('/livez', bearer('slow'))).status).toBe(200);
  });

  it.each([
    ['limit of the service', 'alpha', 10],
    ['lower limit of the key', 'small', 2],
    ['higher limit of the key', 'large', 50],
  ])('a request may have only as many objects as the key permits: %s', async (_, name, limit) => {
    expect((await post('/evaluate', batch(limit), bearer(name))).status).toBe(200);
    for (const path of ['/evaluate', '/explain', '/matrix']) {
      expect(await statusOf(await post(path, batch(limit + 1), bearer(name)))).toMatchObject({
        code: 413,
        status: { reason: 'RequestEntityTooLarge', message: `Request entity too large: at most ${limit} objects a request` },
      });
    }
  });

  it('a stream may have only as many objects as the key permits', async () => {
    const lines = [{ definitions: [widgets] }, ...items(3)].map((line) => `${JSON.stringify(line)}\n`).join('');
    const send = async (name: string) => (await post('/evaluate', lines, bearer(name), 'application/x-ndjson')).text();
    expect(await send('alpha')).toContain('"accepted":3');
    expect(await send('small')).toContain('at most 2 objects a request');
  });

  it('a stream may have only as many bytes as the key permits', async () => {
    const padded = [{ definitions: [widgets] }, { ...widget('w', [1]), pad: 'x'.repeat(5000) }];
    const lines = padded.map((line) => `${JSON.stringify(line)}\n`).join('');
    expect(await (await post('/evaluate', lines, bearer('alpha'), 'application/x-ndjson')).text()).toContain('"accepted":1');
    expect(await (await post('/evaluate', lines, bearer('small'), 'application/x-ndjson')).text()).toContain('limit is 4096');
  });

  const padded = (bytes: number) => JSON.stringify({ definitions: [widgets], objects: [{ ...widget('w', [1]), pad: 'x'.repeat(bytes) }] });
  const chunked = (text: string) => new Blob([text]).stream();
  it.each([
    ['limit of the service', 'alpha', SERVICE_BODY_BYTES],
    ['lower limit of the key', 'small', 4096],
    ['higher limit of the key', 'large', 200_000],
  ])('a body may have only as many bytes as the key permits, announced or not: %s', async (_, name, limit) => {
    for (const [bytes, code] of [
      [limit - 1500, 200],
      [limit + 1, 413],
    ] as const) {
      const text = padded(bytes);
      expect([bytes, (await post('/evaluate', text, bearer(name))).status]).toEqual([bytes, code]);
      const headers = { 'content-type': 'application/json', ...bearer(name) };
      const streamed = await fetch(`${url}/evaluate`, { method: 'POST', headers, body: chunked(text), duplex: 'half' });
      expect([bytes, streamed.status, ((await streamed.json()) as { code?: number }).code]).toEqual([
        bytes,
        code,
        code === 200 ? undefined : code,
      ]);
    }
  });

  it('raised cost limits need a permission of the key', async () => {
    const raised = { costLimits: { perCall: 'unlimited' } };
    expect((await post('/evaluate', batch(1, raised), bearer('large'))).status).toBe(200);
    expect(await statusOf(await post('/evaluate', batch(1, raised), bearer('alpha')))).toMatchObject({
      code: 400,
      status: { message: expect.stringContaining('operator permits') as string },
    });
    const change = [{ definitions: [widgets, widgets], options: raised }, widget('w', [1])]
      .map((line) => `${JSON.stringify(line)}\n`)
      .join('');
    expect((await post('/what-if', change, bearer('large'), 'application/x-ndjson')).status).toBe(200);
    expect((await post('/what-if', change, bearer('alpha'), 'application/x-ndjson')).status).toBe(400);
  });
});
