import { connect } from 'node:net';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { defaultOptions, emptyTally } from '#documents';
import type { ChunkResult } from '#documents';
import type { EvaluationRecord } from '#jobs';
import { serviceTelemetry } from '#telemetry';
import type { Log } from '#telemetry';
import { SERVICE } from '../src/engine/service.ts';
import type { Service } from '../src/engine/service.ts';
import { startApi } from './start-api.ts';
import { widget, widgets } from './widgets.ts';

let app: NestFastifyApplication;
let url: string;
const ignored = (): void => undefined;
const log: Log = { info: ignored, warn: ignored, error: ignored, fatal: ignored };
beforeAll(async () => {
  ({ app, url } = await startApi({}, await serviceTelemetry(log)));
});
afterAll(() => app.close());
afterEach(() => void vi.restoreAllMocks());

function post(path: string, body: string, type = 'application/json', headers: Record<string, string> = {}) {
  return fetch(`${url}${path}`, { method: 'POST', headers: { 'content-type': type, ...headers }, body });
}
/** Sends a request with a raw request target, which `fetch` would normalize. Returns the head and body of the answer. */
async function raw(target: string): Promise<{ head: string; body: string }> {
  const text = await new Promise<string>((resolve, reject) => {
    const socket = connect(Number(new URL(url).port), '127.0.0.1');
    let received = '';
    socket.on('data', (bytes) => (received += bytes.toString()));
    socket.on('end', () => resolve(received)).on('error', reject);
    socket.write(`GET ${target} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n`);
  });
  const [head = '', body = ''] = text.split('\r\n\r\n');
  return { head: head.toLowerCase(), body };
}
const batch = JSON.stringify({ definitions: [widgets], objects: [widget('a', [1])] });
const record: EvaluationRecord = {
  id: 'e',
  createdAt: 0,
  owner: undefined,
  flow: {
    level: 'normal',
    name: 'f',
    division: '',
    weight: 1,
    limits: { evaluations: 1, chunks: 1, bytes: 1, resultBytes: 1, definitionBytes: 1 },
  },
  settings: { options: defaultOptions(), definitions: [], refused: [], deadlineAt: 0, traceparent: undefined },
  definitions: [],
};
/** Yields one result and then fails with an internal error. */
async function* failing(): AsyncGenerator<ChunkResult> {
  yield { verdicts: ['{"index":0}'], tally: { ...emptyTally(), items: 1, accepted: 1 }, celCharge: 0, spans: [] };
  await Promise.reject(inside());
}
const SECRET = 'token-0451';
const inside = () => new Error(`ENOENT: no such file or directory, open '/srv/secrets/${SECRET}'`);
const telling = new RegExp(`${SECRET}|/srv|ENOENT|\\.ts\\b|node_modules| at `);

describe('security headers', () => {
  const ofEvery = {
    'x-content-type-options': 'nosniff',
    'x-frame-options': 'DENY',
    'referrer-policy': 'no-referrer',
    'cross-origin-resource-policy': 'same-origin',
    'cache-control': 'no-store',
  };
  it.each([
    ['an answer', () => post('/evaluate', batch), 200],
    ['a stream', () => post('/evaluate', `{"definitions":[]}\n{}\n`, 'application/x-ndjson'), 200],
    ['a probe', () => fetch(`${url}/livez`), 200],
    ['metrics', () => fetch(`${url}/metrics`), 200],
    ['an unknown path', () => fetch(`${url}/nothing/here`), 404],
    ['a refused body', () => post('/evaluate', 'x', 'text/plain'), 415],
    ['a refused request', () => post('/evaluate', '{'), 400],
  ])('are in %s, with a content security policy that loads nothing', async (_, ask, code) => {
    const response = await ask();
    expect(response.status).toBe(code);
    expect(Object.fromEntries(response.headers)).toMatchObject(ofEvery);
    expect(response.headers.get('content-security-policy')).toMatch(/^default-src 'none'; ?frame-ancestors 'none';/);
    expect(response.headers.get('strict-transport-security')).toBeNull();
    await response.text();
  });

  it('let the page of the API description load only its own scripts', async () => {
    const response = await fetch(`${url}/docs`);
    const page = await response.text();
    const policy = response.headers.get('content-security-policy') ?? '';
    expect(Object.fromEntries(response.headers)).toMatchObject({ 'x-content-type-options': 'nosniff', 'x-frame-options': 'DENY' });
    expect(policy).toMatch(/script-src 'self';/);
    expect(policy).not.toMatch(/script-src[^;]*unsafe/);
    const scripts = [...page.matchAll(/<script(?<attributes>[^>]*)>(?<text>[^<]*)/g)].map(({ groups }) => groups);
    expect(scripts.length).toBeGreaterThan(0);
    for (const script of scripts) {
      expect(script?.['text']?.trim()).toBe('');
      const source = /src="(?<path>[^"]+)"/.exec(script?.['attributes'] ?? '')?.groups?.['path'] ?? '';
      const loaded = await fetch(new URL(source, `${url}/docs`));
      expect([source, loaded.status, loaded.headers.get('content-type')]).toEqual([
        source,
        200,
        expect.stringContaining('javascript') as string,
      ]);
    }
  });
});

describe('request ids', () => {
  const idOf = async (headers: Record<string, string>): Promise<string | null> =>
    (await fetch(`${url}/livez`, { headers })).headers.get('x-request-id');

  it.each(['3f2c9f0a-1b2c', 'A', 'x'.repeat(64)])("keep the client's id %s", async (id) => {
    expect(await idOf({ 'x-request-id': id })).toBe(id);
  });

  it.each([[''], ['x'.repeat(65)], ['a b'], ['a"b'], ['<script>'], ['../..'], ['a\tb'], ['{"level":60}'], ['ü']])(
    "are new if the client's id is %j",
    async (id) => {
      expect(await idOf({ 'x-request-id': id })).toMatch(/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/);
    },
  );

  it("differ between two requests without a client's id", async () => {
    expect(await idOf({})).not.toBe(await idOf({}));
  });

  it('are in the headers and in the log of a failure', async () => {
    const logged = vi.spyOn(log, 'error');
    vi.spyOn(app.get<Service>(SERVICE).judge, 'judge').mockRejectedValue(inside());
    const response = await post('/definitions', JSON.stringify(widgets), 'application/json', { 'x-request-id': 'mine-1' });
    expect([response.status, response.headers.get('x-request-id')]).toEqual([500, 'mine-1']);
    expect(await response.text()).not.toContain('mine-1');
    expect(logged.mock.calls).toMatchObject([
      [{ requestId: 'mine-1', err: { message: expect.stringContaining(SECRET) as string } }, expect.any(String)],
    ]);
  });
});

describe('failures reveal no internals', () => {
  it('if a handler throws', async () => {
    vi.spyOn(app.get<Service>(SERVICE).judge, 'judge').mockRejectedValue(inside());
    const response = await post('/definitions', JSON.stringify(widgets));
    const text = await response.text();
    expect([response.status, text]).toEqual([500, expect.not.stringMatching(telling) as string]);
    expect([...response.headers].join('\n')).not.toMatch(telling);
    expect(JSON.parse(text)).toMatchObject({ kind: 'Status', reason: 'InternalError', code: 500 });
  });

  it('if an error has its own status code', async () => {
    vi.spyOn(app.get<Service>(SERVICE).judge, 'judge').mockRejectedValue(Object.assign(inside(), { statusCode: 400, code: 'ENOENT' }));
    const response = await post('/definitions', JSON.stringify(widgets));
    expect([response.status, await response.text()]).toEqual([400, expect.not.stringMatching(telling) as string]);
  });

  it('if a stream fails after its first line', async () => {
    const logged = vi.spyOn(log, 'error');
    vi.spyOn(app.get<Service>(SERVICE).evaluations, 'evaluate').mockResolvedValue({
      kind: 'answered',
      answer: { evaluation: record, results: failing() },
    });
    const response = await post('/evaluate', `{"definitions":[]}\n{}\n`, 'application/x-ndjson');
    const text = await response.text();
    expect([response.status, text]).toEqual([200, expect.not.stringMatching(telling) as string]);
    expect(JSON.parse(text.trim().split('\n').at(-1) ?? '')).toMatchObject({ kind: 'Status', code: 500 });
    expect(logged).toHaveBeenCalledTimes(1);
  });

  it.each([
    ['a path that cannot be decoded', '/%zz', 400],
    ['a parameter that is too long', `/evaluations/${'x'.repeat(2000)}`, 404],
    ['a way out of the page', '/docs/../../../../etc/passwd', 400],
    ['a way out of the page, encoded', '/docs/%2e%2e/%2e%2e/%2e%2e/package.json', 400],
  ])('if a client requests %s', async (_, target, code) => {
    const { head, body } = await raw(target);
    expect(head).toMatch(new RegExp(`^http/1.1 ${code} `));
    expect(JSON.parse(body)).toMatchObject({ kind: 'Status', code });
    expect(body).not.toMatch(telling);
    expect(head).toMatch(/x-content-type-options: nosniff/);
    expect(head).toMatch(/x-request-id: [0-9a-f-]{36}/);
  });
});
