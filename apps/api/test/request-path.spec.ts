import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { readFileSync } from 'node:fs';
import { Session } from 'node:inspector/promises';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startApi } from './start-api.ts';
import { widget, widgets } from './widgets.ts';

const PROJECT = fileURLToPath(new URL('../../../', import.meta.url));
/** Pattern of source files that run in the engine host or its threads, where this process cannot observe them. */
const ELSEWHERE = /^libs\/(?:runner\/src\/(?:host|thread)|crd)\//;

/** Returns the files that the table in docs/contributing/architecture.md names, in the order of its rows. */
function filesOfTable(): string[] {
  const text = readFileSync(`${PROJECT}docs/contributing/architecture.md`, 'utf8');
  const section = text.split('\n## ').find((part) => part.startsWith('`POST /evaluate`, file by file')) ?? '';
  const rows = section.matchAll(/^\| \d+ \|(?<files>[^|]*)\|/gm);
  return [...rows].flatMap(({ groups }) =>
    [...(groups?.['files'] ?? '').matchAll(/`((?:apps|libs)\/[^`]+\.ts)`/g)].map(([, file = '']) => file),
  );
}

describe('the path of a request in docs/contributing/architecture.md', () => {
  let app: NestFastifyApplication;
  let url: string;
  beforeAll(async () => {
    ({ app, url } = await startApi());
  });
  afterAll(() => app.close());

  it('contains only files that run for a request', async () => {
    const body = JSON.stringify({ definitions: [widgets], objects: [widget('one', [1])] });
    const post = async (): Promise<string> =>
      (await fetch(`${url}/evaluate`, { method: 'POST', headers: { 'content-type': 'application/json' }, body })).text();
    const session = new Session();
    session.connect();
    await session.post('Profiler.enable');
    await session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: false });
    // The first request loads code that later requests do not need, so it is not measured.
    await post();
    await session.post('Profiler.takePreciseCoverage');
    expect(await post()).toContain('"accepted":1');
    const { result } = await session.post('Profiler.takePreciseCoverage');
    session.disconnect();
    const ran = result
      .filter(({ functions }) => functions.some(({ functionName, ranges }) => functionName !== '' && (ranges[0]?.count ?? 0) > 0))
      .map(({ url: script }) => script);
    const files = filesOfTable();
    expect(files.length).toBeGreaterThan(20);
    const missing = files.filter((file) => !ELSEWHERE.test(file) && !ran.some((script) => script.includes(file)));
    expect(missing).toEqual([]);
  });
});
