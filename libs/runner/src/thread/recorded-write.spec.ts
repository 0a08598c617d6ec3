import { CancellationFlag, isJsonObject, writeJson } from '#go';
import { describe, expect, it } from 'vitest';
import { LATEST_MINOR } from '#kube';
import type { DocumentNotation } from '../protocol.ts';
import { cutDocuments } from './cut-documents.ts';
import { readItem } from './read-item.ts';

const token = new CancellationFlag();
const widget = (spec: unknown, resourceVersion = '7'): object => ({
  apiVersion: 'example.com/v1',
  kind: 'Widget',
  metadata: { name: 'w', resourceVersion },
  spec,
});
const event = (verb: string, more: object): object => ({
  apiVersion: 'audit.k8s.io/v1',
  kind: 'Event',
  stage: 'ResponseComplete',
  verb,
  ...more,
});
const review = (request: object): object => ({ apiVersion: 'admission.k8s.io/v1', kind: 'AdmissionReview', request });

/** Returns the write that a document describes, or the outcome and the reason if it describes none. */
function readAs(document: object, notation: 'json' | 'yaml'): unknown {
  const read = readItem({ bytes: Buffer.from(JSON.stringify(document)), notation }, LATEST_MINOR, token);
  if (!read.ok) return [read.outcome, read.status.message];
  const { kind, body, oldObject, settings } = read.write;
  const { spec } = JSON.parse(Buffer.from(body).toString()) as { spec: unknown };
  return { kind, spec, ...(oldObject && { old: JSON.parse(writeJson(oldObject['spec'] ?? null)) as unknown }), ...settings };
}

describe.each(['json', 'yaml'] as const)('a recorded write in %s', (notation) => {
  it.each([
    ['an audited create', event('create', { requestObject: widget(1) }), { kind: 'Widget', spec: 1, operation: 'CREATE' }],
    [
      'an audited update',
      event('update', { requestObject: widget(2), responseObject: widget(3) }),
      { kind: 'Widget', spec: 2, operation: 'CREATE' },
    ],
    [
      'an audited patch',
      event('patch', { requestObject: {}, responseObject: widget(3) }),
      { kind: 'Widget', spec: 3, operation: 'CREATE' },
    ],
    [
      'an audited write of the status',
      event('update', { objectRef: { subresource: 'status' }, requestObject: widget(2), responseObject: widget(2, '8') }),
      { kind: 'Widget', spec: 2, old: 2, operation: 'UPDATE', subresource: 'status' },
    ],
    [
      'a reviewed update',
      review({ operation: 'UPDATE', object: widget(2), oldObject: widget(1), subResource: '' }),
      { kind: 'Widget', spec: 2, old: 1, operation: 'UPDATE' },
    ],
    [
      'a reviewed create',
      review({ operation: 'CREATE', object: widget(2), oldObject: null }),
      { kind: 'Widget', spec: 2, operation: 'CREATE' },
    ],
    ['a reviewed deletion', review({ operation: 'DELETE', oldObject: widget(1) }), ['notEvaluated', expect.stringContaining('DELETE')]],
    ['an event without content', event('update', {}), ['notEvaluated', expect.stringContaining('holds no object')]],
  ])('%s', (_, document, wanted) => {
    expect(readAs(document, notation)).toEqual(wanted);
  });
});

describe('the documents of a dump', () => {
  const cut = (text: string, notation: DocumentNotation = 'yaml') =>
    cutDocuments(Buffer.from(text), notation, { definitions: 100, objects: 100 }, token);
  const texts = (slices: readonly { readonly bytes: Uint8Array }[]): unknown[] =>
    slices.map(({ bytes }) => JSON.parse(Buffer.from(bytes).toString()) as unknown);

  it('get the kind and apiVersion that a list states for all its items', () => {
    const list = { apiVersion: 'example.com/v1', kind: 'WidgetList', metadata: { resourceVersion: '9' }, items: [{ spec: 1 }, widget(2)] };
    expect(texts(cut(JSON.stringify(list)).objects)).toMatchObject([{ apiVersion: 'example.com/v1', kind: 'Widget', spec: 1 }, widget(2)]);
    const definitions = { apiVersion: 'apiextensions.k8s.io/v1', kind: 'CustomResourceDefinitionList', items: [{ spec: {} }] };
    expect(cut(JSON.stringify(definitions)).definitions).toHaveLength(1);
  });

  it("stay unchanged if an object's kind only ends in List", () => {
    const object = { apiVersion: 'example.com/v1', kind: 'AllowList', metadata: { name: 'a' }, items: [1] };
    expect(texts(cut(JSON.stringify(object)).objects)).toEqual([object]);
  });

  it('skip audit events without a write', () => {
    const log = [
      event('list', {}),
      event('create', { stage: 'RequestReceived' }),
      event('create', { requestObject: widget(1) }),
      { apiVersion: 'audit.k8s.io/v1', kind: 'EventList', items: [{ verb: 'get' }, { verb: 'update', requestObject: widget(2) }] },
    ];
    const { objects } = cut(log.map((one) => JSON.stringify(one)).join('\n'), 'json-lines');
    expect(objects).toHaveLength(2);
    const first = texts(objects)[0];
    expect(isJsonObject(first as never)).toBe(true);
  });
});
