import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { afterAll, describe, expect, it } from 'vitest';
import { SERVICE } from '../src/engine/service.ts';
import type { Service } from '../src/engine/service.ts';
import { slow, slowObject } from './slow.ts';
import { startApi } from './start-api.ts';

let app: NestFastifyApplication | undefined;
let started: Promise<string> | undefined;
afterAll(() => app?.close());

async function start(variables: NodeJS.ProcessEnv = {}): Promise<string> {
  const api = await startApi({ ASSAY_THREADS: '1', ...variables });
  app = api.app;
  return api.url;
}
/** Starts the service that the tests share, and waits until its engine has judged an object. Returns the address of the service. */
const shared = (): Promise<string> =>
  (started ??= start().then(async (url) => {
    await (await post(url, '/evaluate', [slowObject('warm', 1)])).text();
    return url;
  }));
function post(url: string, path: string, objects: unknown[], options: unknown = {}, signal?: AbortSignal): Promise<Response> {
  const body = JSON.stringify({ definitions: [slow], objects, options });
  return fetch(`${url}${path}`, { method: 'POST', headers: { 'content-type': 'application/json' }, body, ...(signal && { signal }) });
}
/** Resolves when the engine runs `expected` jobs. Only the timeout of the test limits the wait. */
async function untilRunning(expected: number): Promise<void> {
  const host = app?.get<Service>(SERVICE).host;
  while (host?.load.running !== expected) await new Promise((resolve) => setTimeout(resolve, 5));
}

describe('work ends early:', () => {
  it('when the client disconnects', async () => {
    const url = await shared();
    const controller = new AbortController();
    const answer = post(url, '/evaluate', [slowObject('a', 900), slowObject('b', 900)], {}, controller.signal).catch(() => 'gone');
    await untilRunning(1);
    controller.abort();
    await untilRunning(0);
    expect(await answer).toBe('gone');
    expect(await (await post(url, '/evaluate', [slowObject('next', 2)])).json()).toMatchObject({ summary: { accepted: 1 } });
  });

  it('at a deadline before the first verdict, with a 408', async () => {
    const url = await shared();
    const response = await post(url, '/evaluate', [slowObject('a', 900)], { deadline: '40ms' });
    expect(response.status).toBe(408);
    expect(await response.json()).toMatchObject({ kind: 'Status', reason: 'Timeout', code: 408 });
  });

  it.each(['/evaluate', '/explain'])('at a deadline in the query while the service still reads a YAML body: %s', async (path) => {
    const url = await shared();
    const body = `a: [${'x, '.repeat(400_000)}]`;
    const response = await fetch(`${url}${path}?deadline=1ms`, { method: 'POST', headers: { 'content-type': 'application/yaml' }, body });
    expect(response.status).toBe(408);
    expect(await response.json()).toMatchObject({ kind: 'Status', reason: 'Timeout', code: 408 });
    await untilRunning(0);
  });

  it('when a client deletes an asynchronous evaluation', async () => {
    const url = await shared();
    const location = (await post(url, '/evaluate?wait=0', [slowObject('a', 900), slowObject('b', 900)])).headers.get('location') ?? '';
    await untilRunning(1);
    expect((await fetch(`${url}${location}`, { method: 'DELETE' })).status).toBe(204);
    await untilRunning(0);
    expect(await (await fetch(`${url}${location}`)).json()).toMatchObject({ state: 'cancelled' });
    expect(await (await fetch(`${url}${location}/events`)).text()).toMatch(/^event: cancelled/);
  });

  it('but an asynchronous evaluation continues after a restart', async () => {
    await app?.close();
    const journal = join(mkdtempSync(join(tmpdir(), 'assay-restart-')), 'journal.sqlite');
    const first = await start({ ASSAY_JOURNAL: journal });
    const objects = Array.from({ length: 600 }, (_, i) => slowObject(`o${i}`, i === 0 ? 100 : 1));
    const location = (await post(first, '/evaluate?wait=0', objects)).headers.get('location') ?? '';
    // The stop interrupts a chunk. After the restart, the chunk runs again.
    await untilRunning(1);
    await app?.close();
    const second = await start({ ASSAY_JOURNAL: journal });
    const lines = (await (await fetch(`${second}${location}/results`)).text()).trim().split('\n');
    expect(lines).toHaveLength(600);
    expect(await (await fetch(`${second}${location}`)).json()).toMatchObject({ state: 'complete', summary: { items: 600, accepted: 600 } });
  });
});
