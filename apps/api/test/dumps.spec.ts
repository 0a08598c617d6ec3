import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { customDefinition } from '../../../testing/custom-definition.ts';
import { startApi } from './start-api.ts';

let app: NestFastifyApplication;
let url: string;
beforeAll(async () => {
  ({ app, url } = await startApi());
});
afterAll(() => app.close());

const OWNED = { uid: '0b1c2d3e-0000-4000-8000-00000000000a', resourceVersion: '48151623', generation: 3 };
function definitionWith(more: object, owned: object = OWNED): object {
  const spec = { type: 'object', properties: { a: { type: 'string' }, n: { type: 'integer' } }, ...more };
  const plain = customDefinition({ kind: 'Widget', schema: { type: 'object', properties: { spec } } });
  return { ...plain, metadata: { ...plain.metadata, ...owned } };
}
const definition = definitionWith({});
const widget = (name: string, spec: object, owned: object = OWNED) => ({
  apiVersion: 'example.com/v1',
  kind: 'Widget',
  metadata: { name, ...owned },
  spec,
});

async function post(path: string, type: string, body: string): Promise<{ code: number; values: Record<string, unknown>[] }> {
  const response = await fetch(`${url}${path}`, { method: 'POST', headers: { 'content-type': type }, body });
  const text = await response.text();
  const isLines = response.headers.get('content-type')?.includes('ndjson');
  const parts = isLines ? text.split('\n').filter((line) => line !== '') : [text];
  return { code: response.status, values: parts.map((part) => JSON.parse(part) as Record<string, unknown>) };
}
const lines = (...values: object[]): string => values.map((value) => JSON.stringify(value)).join('\n');

describe('objects and definitions of a dump, over HTTP', () => {
  it('are evaluated without the fields that a server owns, and the summary reports that once', async () => {
    const { values } = await post(
      '/evaluate',
      'application/json',
      JSON.stringify({ definitions: [definition], objects: [widget('a', {})] }),
    );
    expect(values).toMatchObject([
      {
        definitions: [{ accepted: true, takenOff: true }],
        items: [{ name: 'a', outcome: 'accepted', takenOff: true }],
        summary: { takenOff: 1, notice: expect.stringContaining('1 document has a resourceVersion') as string },
      },
    ]);
  });

  it('are evaluated unchanged if the request asks for that', async () => {
    const body = { definitions: [definitionWith({}, {})], objects: [widget('a', {})], options: { asSent: true } };
    const { values } = await post('/evaluate', 'application/json', JSON.stringify(body));
    expect(values[0]?.['items']).toMatchObject([
      { name: 'a', outcome: 'rejected', status: { message: 'resourceVersion should not be set on objects to be created' } },
    ]);
    expect((await post('/definitions?asSent', 'application/json', JSON.stringify(definition))).values).toMatchObject([
      { report: { accepted: false } },
    ]);
    expect((await post('/definitions', 'application/json', JSON.stringify(definition))).values).toMatchObject([
      { report: { accepted: true } },
    ]);
  });

  it("get the server's conflict if the object of a pair is older than the stored object", async () => {
    const old = widget('a', {});
    const newer = widget('a', {}, { ...OWNED, resourceVersion: '48151624' });
    const { values } = await post(
      '/evaluate',
      'application/x-ndjson',
      lines({ definitions: [definition] }, { object: old, oldObject: old }, { object: old, oldObject: newer }),
    );
    expect(values.slice(0, 2)).toMatchObject([{ outcome: 'accepted' }, { outcome: 'rejected', status: { code: 409 } }]);
  });

  it('are also found in lists, audit logs and admission reviews', async () => {
    const list = { apiVersion: 'example.com/v1', kind: 'WidgetList', items: [{ metadata: { name: 'listed' }, spec: {} }] };
    const event = {
      verb: 'update',
      stage: 'ResponseComplete',
      requestObject: widget('audited', {}),
      responseObject: widget('audited', {}),
    };
    const log = { apiVersion: 'audit.k8s.io/v1', kind: 'EventList', items: [event, { verb: 'list', stage: 'ResponseComplete' }] };
    const request = { operation: 'UPDATE', object: widget('reviewed', {}), oldObject: widget('reviewed', {}) };
    const review = { apiVersion: 'admission.k8s.io/v1', kind: 'AdmissionReview', request };
    const body = [definition, list, log, review].map((one) => JSON.stringify(one)).join('\n---\n');
    const { values } = await post('/evaluate', 'application/yaml', body);
    expect(values[0]?.['items']).toMatchObject(['listed', 'audited', 'reviewed'].map((name) => ({ name, outcome: 'accepted' })));
  });

  it('may be the objects of a what-if request', async () => {
    const change = { definitions: [definition, definitionWith({ required: ['n'] }, { ...OWNED, resourceVersion: '7' })] };
    const { code, values } = await post(
      '/what-if',
      'application/x-ndjson',
      lines(change, widget('fine', { n: 1 }), widget('lacking', { a: 'x' })),
    );
    expect(code).toBe(200);
    expect(values).toMatchObject([
      { name: 'lacking', effect: 'breaksOnNextChange', nextChange: { path: 'spec.a' }, causes: [{ field: 'spec.n' }] },
      { definition: { accepted: true, takenOff: true }, impact: { effects: { unaffected: 1, breaksOnNextChange: 1 } } },
    ]);
  });
});
