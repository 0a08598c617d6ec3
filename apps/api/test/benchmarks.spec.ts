import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { createHash } from 'node:crypto';
import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { sentDigest } from '#documents';
import { customDefinition } from '../../../testing/custom-definition.ts';
import { SERVICE } from '../src/engine/service.ts';
import type { Service } from '../src/engine/service.ts';
import { keysFile, sha256 } from './keys-file.ts';
import { startApi } from './start-api.ts';

const file = keysFile([
  { name: 'alpha', sha256: sha256('token-alpha'), roles: ['benchmark', 'evaluate'] },
  { name: 'beta', sha256: sha256('token-beta'), roles: ['benchmark'] },
  { name: 'plain', sha256: sha256('token-plain') },
  { name: 'operator', sha256: sha256('token-operator'), roles: ['operate'] },
  { name: 'crowd', sha256: sha256('token-crowd'), roles: ['benchmark'] },
  { name: 'poor', sha256: sha256('token-poor'), roles: ['benchmark'], benchmarkMinutes: 0.5 },
]);
const journal = join(mkdtempSync(join(tmpdir(), 'assay-benchmarks-')), 'journal.sqlite');
const settings = { ASSAY_KEYS_FILE: file, ASSAY_JOURNAL: journal, ASSAY_METRICS_OPEN: 'true' };

let app: NestFastifyApplication;
let url: string;
beforeAll(async () => {
  ({ app, url } = await startApi(settings));
});
afterAll(() => app.close());

const list = { type: 'array', items: { type: 'integer' } };
/**
 * Returns a definition with the given rules; by default, with one rule over pairs of elements. Some tests pass rules whose study takes
 * longer.
 */
const definition = (kind = 'Widget', rules: readonly string[] = ['self.a.all(x, self.a.all(y, x <= y + 3))']) =>
  customDefinition({
    kind,
    schema: {
      type: 'object',
      properties: {
        spec: {
          type: 'object',
          properties: { a: { ...list, maxItems: 40 }, b: { ...list, maxItems: 200 }, s: { type: 'string', maxLength: 500 } },
          'x-kubernetes-validations': rules.map((rule) => ({ rule })),
        },
      },
    },
  });
/** Definition with rules that are so expensive that a search cannot finish. */
const hard = definition(
  'Hard',
  Array.from({ length: 40 }, (_, i) => `self.b.all(x, self.a.exists(y, y == x + ${i}) || self.s.matches('^(a|b)*${i}$'))`),
);

type Answer = { readonly code: number; readonly body: Record<string, unknown>; readonly headers: Headers };
async function ask(method: string, path: string, name = 'alpha', body?: object): Promise<Answer> {
  const headers = { authorization: `Bearer token-${name}`, ...(body && { 'content-type': 'application/json' }) };
  const response = await fetch(`${url}${path}`, { method, headers, ...(body && { body: JSON.stringify(body) }) });
  const text = await response.text();
  return { code: response.status, body: (text === '' ? {} : JSON.parse(text)) as Record<string, unknown>, headers: response.headers };
}
async function begun(body: object, name = 'alpha'): Promise<string> {
  const { code, body: state, headers } = await ask('POST', '/benchmarks', name, body);
  expect([code, state], JSON.stringify(state)).toMatchObject([202, { id: expect.any(String) as string }]);
  return headers.get('location') ?? '';
}
/** Waits until a study is in a state. */
async function reached(location: string, state: string, name = 'alpha'): Promise<Record<string, unknown>> {
  for (let i = 0; i < 600; i++) {
    const { body } = await ask('GET', location, name);
    if (body['state'] === state) return body;
    await setTimeout(50);
  }
  throw new Error(`${location} is not ${state}`);
}
/** Returns the body of a request for a short study. On an idle machine, the study ends long before its budget is used up. */
const study = (more: object = {}) => ({ definitions: [definition()], budget: '20s', seed: 1, ...more });
const long = (more: object = {}) => study({ definitions: [definition(), hard], budget: '60s', ...more });

/** Reads the server-sent events of a study, each with its name and data. */
async function eventsOf(
  location: string,
  name = 'alpha',
): Promise<readonly { readonly event: string; readonly data: Record<string, unknown> }[]> {
  const response = await fetch(`${url}${location}/events`, { headers: { authorization: `Bearer token-${name}` } });
  expect(response.headers.get('content-type')).toContain('text/event-stream');
  const blocks = (await response.text()).split('\n\n').filter((block) => block !== '');
  return blocks.map((block) => {
    const [, event = '', data = ''] = /^event: (\w+)\ndata: (.*)$/.exec(block) ?? [];
    return { event, data: JSON.parse(data) as Record<string, unknown> };
  });
}

describe('a study', () => {
  it('runs on after the response 202, sends its progress as events, and ends with a report', async () => {
    const location = await begun(study());
    const events = await eventsOf(location);
    expect(events.at(-1)).toMatchObject({ event: 'complete', data: { state: 'complete', restarts: 0, progress: { known: 1, rules: 1 } } });
    expect(events.slice(0, -1).every(({ event }) => event === 'progress')).toBe(true);
    expect(await reached(location, 'complete')).toMatchObject({
      rules: [{ definition: 'widgets.example.com', growsWith: 'spec.a', costExponent: 2, cost: expect.any(Number) as number }],
    });
    const { code, body } = await ask('GET', `${location}/report`);
    expect([code, body]).toMatchObject([
      200,
      {
        schema: 'assay.dev/study/v1',
        node: process.version,
        rules: [{ growsWith: [{ field: 'spec.a', near: 'n²' }], worst: { end: 'accepted' } }],
      },
    ]);
    const form = async (accept: string, query = ''): Promise<Response> =>
      fetch(`${url}${location}/report${query}`, { headers: { accept, authorization: 'Bearer token-alpha' } });
    const page = await form('text/html,*/*;q=0.5');
    expect([page.status, page.headers.get('content-type')]).toEqual([200, 'text/html; charset=utf-8']);
    const html = await page.text();
    expect(html).toContain('<svg');
    // The policies of the document and of the response permit the document's style sheet.
    const [, style = ''] = /<style>([^]*?)<\/style>/.exec(html) ?? [];
    const hash = `sha256-${createHash('sha256').update(style).digest('base64')}`;
    expect(page.headers.get('content-security-policy')).toMatch(/^default-src 'none';.*frame-ancestors 'none'$/);
    expect(page.headers.get('content-security-policy')).toContain(hash);
    const chart = await form('image/svg+xml');
    expect([chart.headers.get('content-type'), await chart.text()]).toEqual(['image/svg+xml', expect.stringMatching(/^<svg[^]*spec\.a/)]);
    expect((await form('image/svg+xml', '?rule=none')).status).toBe(404);
    expect((await form('text/csv')).status).toBe(406);
    expect((await ask('GET', `${location}/report?rule=none`)).body).toMatchObject({ rules: [] });
    const listed = { id: location.split('/')[2], definitions: [{ definition: 'widgets.example.com', rules: 1, isPartial: false }] };
    expect((await ask('GET', '/benchmarks')).body).toMatchObject({ benchmarks: [listed] });
  });

  it('is listed under the names of its definitions after it has ended', async () => {
    const first = await begun(study(), 'beta');
    await reached(first, 'complete', 'beta');
    const second = await begun(study({ seed: 2 }), 'beta');
    await reached(second, 'complete', 'beta');
    const of = async (definition: string, name = 'beta'): Promise<unknown> => {
      const { body } = await ask('GET', `/benchmarks?definition=${encodeURIComponent(definition)}`, name);
      return body['benchmarks'];
    };
    const found = await of('widgets.example.com');
    const figures = { limitShare: expect.any(Number) as number, costliest: { version: 'v1', cost: expect.any(Number) as number } };
    expect(found).toMatchObject(
      [second, first].map((location) => ({ id: location.split('/')[2], state: 'complete', definitions: [figures] })),
    );
    expect(await of('gadgets.example.com')).toEqual([]);
    expect((await ask('GET', '/benchmarks?limit=1&definition=widgets.example.com', 'beta')).body['benchmarks']).toHaveLength(1);
    expect((await ask('GET', '/benchmarks?definition=', 'beta')).code).toBe(400);
    expect(await of('widgets.example.com', 'alpha')).not.toContainEqual(expect.objectContaining({ id: first.split('/')[2] }));
    for (const location of [first, second]) await ask('DELETE', location, 'beta');
  });

  it('reports partial results when it is cancelled, and stops within 300 ms', async () => {
    const location = await begun(long());
    for (;;) {
      const { rules = [], progress } = (await ask('GET', location)).body as { rules?: { cost?: number }[]; progress?: object };
      if (progress !== undefined && rules.some(({ cost }) => cost !== undefined)) break;
      await setTimeout(20);
    }
    expect((await ask('GET', `${location}/report`)).body).toMatchObject({ isPartial: true });
    const engine = app.get<Service>(SERVICE).host;
    const requestedAt = performance.now();
    const removed = await ask('DELETE', location);
    expect(removed.code).toBe(204);
    expect(performance.now() - requestedAt).toBeLessThan(300);
    expect(engine.load.running).toBe(0);
    expect(await reached(location, 'cancelled')).toMatchObject({ rules: expect.arrayContaining([]) as object });
    expect((await ask('GET', `${location}/report`)).body).toMatchObject({ isPartial: true });
    expect((await ask('DELETE', location)).code).toBe(204);
    expect((await ask('GET', location)).code).toBe(404);
  });

  it('keeps running while evaluations get their responses', async () => {
    const location = await begun(long());
    const object = { apiVersion: 'example.com/v1', kind: 'Widget', metadata: { name: 'one' }, spec: { a: [1, 2] } };
    for (let i = 0; i < 5; i++) {
      const { code, body } = await ask('POST', '/evaluate', 'alpha', { definitions: [definition()], objects: [object] });
      expect([code, body]).toMatchObject([200, { summary: { accepted: 1 } }]);
    }
    expect((await ask('GET', location)).body).toMatchObject({ state: 'running' });
    await ask('DELETE', location);
  });

  it('accepts stored definitions, objects, an older revision and a choice of rules', async () => {
    const text = JSON.stringify(definition());
    const digest = sentDigest(Buffer.from(text));
    const headers = { authorization: 'Bearer token-alpha', 'content-type': 'application/json' };
    expect((await fetch(`${url}/definitions/${digest}`, { method: 'PUT', headers, body: text })).status).toBe(201);
    const base = { name: 'main', definitions: [definition('Widget', ['self.a.all(x, x < 100)'])] };
    const object = { apiVersion: 'example.com/v1', kind: 'Widget', metadata: { name: 'one' }, spec: { a: [1, 2] } };
    const body = { definitionRefs: [digest], definitions: [hard], objects: [object], base, budget: '20s', rule: 'y + 3' };
    const location = await begun(body);
    await reached(location, 'complete');
    const { body: report } = await ask('GET', `${location}/report`);
    expect(report).toMatchObject({
      base: 'main',
      seed: 1,
      rules: [{ definition: 'widgets.example.com', source: 'definitions[0]', base: { kind: 'compared' } }],
    });
    expect((await ask('POST', '/benchmarks', 'alpha', { ...body, definitionRefs: [sentDigest(Buffer.from('another'))] })).code).toBe(422);
  });

  it.each([
    ['no definition', { definitions: [] }, 'holds no definition'],
    ['an unknown field', { buget: '1s' }, 'unknown field "buget"'],
    ['a budget without a unit', { budget: '30' }, 'budget: must be a duration'],
    ['a budget beyond the longest deadline', { budget: '2h' }, 'at most 3600000ms'],
    ['a seed that is no integer', { seed: 1.5 }, 'seed'],
    ['a base without its definitions as a list', { base: { definitions: {} } }, 'malformed'],
    ['raised cost limits', { options: { costLimits: { perCall: 'unlimited' } } }, 'operator permits'],
  ])('is rejected by the service: %s', async (_, more, words) => {
    const { code, body } = await ask('POST', '/benchmarks', 'alpha', study(more));
    expect([code, String(body['message'])]).toEqual([400, expect.stringContaining(words)]);
  });
});

describe('the page of a study with too many rules', () => {
  it('is a 413 that explains how to choose some of the rules', async () => {
    const texts = Array.from({ length: 1001 }, (_, i) => `!has(self.s) || self.s != '${i}'`);
    const location = await begun(study({ definitions: [definition('Widget', texts)] }));
    await reached(location, 'running');
    for (;;) {
      const { progress } = (await ask('GET', location)).body;
      if (progress !== undefined) break;
      await setTimeout(50);
    }
    const page = async (query = ''): Promise<Response> =>
      fetch(`${url}${location}/report${query}`, { headers: { accept: 'text/html', authorization: 'Bearer token-alpha' } });
    const refused = await page();
    expect([refused.status, await refused.json()]).toMatchObject([413, { message: expect.stringContaining('?rule=') as string }]);
    expect((await page('?rule=!has')).status).toBe(413);
    expect((await page(`?rule=${encodeURIComponent("'77'")}`)).status).toBe(200);
    expect((await ask('DELETE', location)).code).toBe(204);
  });
});

describe('permission for studies', () => {
  it('is a role of its own', async () => {
    expect(await ask('POST', '/benchmarks', 'plain', study())).toMatchObject({
      code: 403,
      body: { message: expect.stringContaining('benchmark') as string },
    });
    expect((await ask('GET', '/benchmarks', 'plain')).code).toBe(403);
    expect((await ask('POST', '/benchmarks', 'operator', study())).code).toBe(403);
    expect((await ask('POST', '/evaluate', 'beta', { definitions: [definition()] })).code).toBe(403);
  });

  it("includes a client's own studies, and operators may read all studies", async () => {
    const location = await begun(long());
    for (const [method, path] of [
      ['GET', ''],
      ['GET', '/report'],
      ['GET', '/events'],
      ['DELETE', ''],
    ] as const)
      expect([path, (await ask(method, `${location}${path}`, 'beta')).code]).toEqual([path, 404]);
    expect((await ask('GET', '/benchmarks', 'beta')).body).toEqual({ benchmarks: [] });
    expect((await ask('GET', location, 'operator')).code).toBe(200);
    expect((await ask('DELETE', location, 'operator')).code).toBe(204);
  });
});

describe('limits and metrics of studies', () => {
  it('permit one running and four waiting studies for each client, and then give a 429', async () => {
    const locations: string[] = [];
    for (let i = 0; i < 5; i++) locations.push(await begun(long(), 'crowd'));
    const { code, body, headers } = await ask('POST', '/benchmarks', 'crowd', study());
    expect([code, body]).toMatchObject([429, { kind: 'Status', reason: 'TooManyRequests' }]);
    expect(Number(headers.get('retry-after'))).toBeGreaterThan(0);
    const states = ((await ask('GET', '/benchmarks', 'crowd')).body['benchmarks'] as { state: string }[]).map(({ state }) => state);
    expect(states).toEqual(['waiting', 'waiting', 'waiting', 'waiting', 'running']);
    for (const location of locations.toReversed()) expect((await ask('DELETE', location, 'crowd')).code).toBe(204);
  });

  it('include daily thread time: a further study gets a 429 until the day ends', async () => {
    const location = await begun(long({ budget: '29.5s' }), 'poor');
    const { code, body, headers } = await ask('POST', '/benchmarks', 'poor', study());
    expect([code, body['message']]).toEqual([429, expect.stringContaining('0 of 30 s of thread time are left')]);
    expect(Number(headers.get('retry-after'))).toBeLessThanOrEqual(86_400);
    await ask('DELETE', location, 'poor');
  });

  it('count studies and their time, without names of clients and definitions', async () => {
    const metrics = await (await fetch(`${url}/metrics`)).text();
    expect(metrics).toMatch(/^assay_studies\{state="unfinished"[^}]*\} \d/m);
    expect(metrics).toMatch(/^assay_studies_ended_total\{end="complete"[^}]*\} [1-9]/m);
    expect(metrics).toMatch(/^assay_study_cells_total\{kind="costs"[^}]*\} [1-9]/m);
    expect(metrics).toMatch(/^assay_study_thread_seconds_total(?:\{[^}]*\})? \d+\.\d+/m);
    expect(metrics).not.toMatch(/alpha|crowd|widgets/);
  });
});

describe('after a restart', () => {
  it('a running study begins again, and a report still exists', async () => {
    const complete = await begun(study());
    await reached(complete, 'complete');
    const { body: report } = await ask('GET', `${complete}/report`);
    const running = await begun(long());
    await reached(running, 'running');
    await app.close();
    ({ app, url } = await startApi(settings));
    expect((await ask('GET', `${complete}/report`)).body).toEqual(report);
    expect(await reached(running, 'running')).toMatchObject({ restarts: 1 });
    expect((await ask('DELETE', running)).code).toBe(204);
  });
});
