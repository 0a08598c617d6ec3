import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { evaluationAnswer } from '#documents';
import { startApi } from './start-api.ts';
import { widget, widgets } from './widgets.ts';

let app: NestFastifyApplication;
let url: string;
beforeAll(async () => {
  ({ app, url } = await startApi());
});
afterAll(() => app.close());

async function post(type: string, body: string, query = '') {
  const response = await fetch(`${url}/evaluate${query}`, { method: 'POST', headers: { 'content-type': type }, body });
  return { code: response.status, answer: await response.json() };
}

const DEFINITION = JSON.stringify(widgets);
const BAD = `apiVersion: example.com/v1
kind: Widget
metadata: {name: bad}
sizes:
- 1
- 0
`;

describe('locations of errors in a request', () => {
  it('refer to the original YAML body', async () => {
    const body = `${DEFINITION}\n---\n# a comment\n${BAD}---\napiVersion: v1\nkind: List\nitems:\n- ${BAD.replaceAll('\n', '\n  ')}`;
    const { code, answer } = await post('application/yaml', body, '?locations=true');
    expect(code).toBe(200);
    const { definitions, items } = evaluationAnswer.parse(answer);
    expect(definitions.map(({ location }) => location)).toEqual([{ document: 0, line: 1, column: 1 }]);
    expect(items.map(({ outcome }) => outcome)).toEqual(['rejected', 'rejected']);
    const [first, inList] = items;
    expect(first?.location).toEqual({ document: 1, line: 4, column: 1 });
    expect(first?.findings).toMatchObject([{ severity: 'error', field: 'sizes', location: { line: 7, column: 1 } }]);
    expect(inList?.location).toEqual({ document: 2, line: 14, column: 3 });
    expect(inList?.findings).toMatchObject([{ severity: 'error', field: 'sizes', location: { line: 17, column: 3 } }]);
  });

  it('refer to the original JSON body', async () => {
    const body = `{"definitions": [${DEFINITION}],\n "objects": [${JSON.stringify(widget('a', [1]))},\n   ${JSON.stringify(widget('b', [0]))}],\n "options": {"locations": true}}`;
    const { code, answer } = await post('application/json', body);
    expect(code).toBe(200);
    const { items, definitions } = evaluationAnswer.parse(answer);
    const [accepted, rejected] = items;
    expect(definitions[0]?.location).toEqual({ document: 0, line: 1, column: 18 });
    expect([accepted?.location, accepted?.findings]).toEqual([{ document: 1, line: 2, column: 14 }, undefined]);
    expect(rejected?.location).toEqual({ document: 2, line: 3, column: 4 });
    const at = body.split('\n')[2]?.indexOf('"sizes"') ?? -1;
    expect(rejected?.findings).toMatchObject([{ field: 'sizes', location: { line: 3, column: at + 1 } }]);
  });

  it('are omitted unless the request asks for them, and rejected if the service no longer has the body', async () => {
    const { answer } = await post('application/yaml', `${DEFINITION}\n---\n${BAD}`);
    expect(evaluationAnswer.parse(answer).items[0]).not.toHaveProperty('location');
    const later = await post('application/yaml', `${DEFINITION}\n---\n${BAD}`, '?locations=true&wait=0');
    expect([later.code, (later.answer as { message: string }).message]).toEqual([
      400,
      expect.stringContaining('locations: available only for'),
    ]);
    const lines = await post(
      'application/x-ndjson',
      `{"definitions":[${DEFINITION}]}\n${JSON.stringify(widget('a', [1]))}\n`,
      '?locations=true',
    );
    expect(lines.code).toBe(400);
  });
});
