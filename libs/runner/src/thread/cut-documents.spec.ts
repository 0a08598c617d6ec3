import { describe, expect, it } from 'vitest';
import { CancellationFlag, Cancelled } from '#go';
import { MAX_BODY_BYTES } from '#kube';
import { MAX_ITEM_BYTES } from '#documents';
import type { CutDocument, DocumentSlice } from '#documents';
import { clusterObjects } from '../object-types.ts';
import { cutDocuments } from './cut-documents.ts';

const UNLIMITED = { definitions: Infinity, objects: Infinity };

/** Cancellation token that requests cancellation at check number `at` and at every later check. */
class LateToken extends CancellationFlag {
  reads = 0;
  readonly #at: number;
  constructor(at: number) {
    super();
    this.#at = at;
  }
  override get cancelled(): boolean {
    this.reads += 1;
    return this.reads >= this.#at;
  }
}

type Notation = Parameters<typeof cutDocuments>[1];

/** One text for every form of request body. Each text contains ten thousand units of work. */
const BODIES: readonly (readonly [what: string, text: string, notation: Notation])[] = [
  ['many documents', 'a: 1\n---\n'.repeat(10_000), 'yaml'],
  ['one long document', 'a: 1\n'.repeat(10_000), 'yaml'],
  ['one long scalar', `a: "${'b\n'.repeat(10_000)}"`, 'yaml'],
  ['aliases that come to much', `a: &a [${'x,'.repeat(10_000)}]\nb: [*a, *a]\n`, 'yaml'],
  ['a long list', `kind: List\nitems:\n${'- {a: 1}\n'.repeat(10_000)}`, 'yaml'],
  ['lines of JSON', '{"a":1}\n'.repeat(10_000), 'json-lines'],
  ['a long list of JSON', `{"kind":"List","items":[${'{"a":1},'.repeat(10_000)}{}]}`, 'yaml'],
];

describe('splitting a body into documents', () => {
  it.each(BODIES)('stops when the caller cancels it: %s', (_, text, notation) => {
    const bytes = Buffer.from(text);
    const patient = new LateToken(Infinity);
    cutDocuments(bytes, notation, UNLIMITED, patient);
    expect(patient.reads).toBeGreaterThan(10);
    for (const at of [1, Math.floor(patient.reads / 2), patient.reads]) {
      const token = new LateToken(at);
      expect(() => cutDocuments(bytes, notation, UNLIMITED, token)).toThrow(Cancelled);
      expect(token.reads).toBe(at);
    }
  });
});

describe('a document that is larger than a request', () => {
  const wide = ' '.repeat(MAX_BODY_BYTES);
  const compact = '{"apiVersion":"e.com/v1","kind":"W","a":[1]}';
  const written = compact.replace('"kind"', `${wide}"kind"`);
  const cut = (text: string, areFiles: boolean) => {
    const { objects } = cutDocuments(Buffer.from(text), 'yaml', { ...UNLIMITED, areFiles }, new CancellationFlag());
    return shown(objects);
  };
  const shown = (slices: readonly CutDocument[]) =>
    slices.map(({ bytes, notation, origin }) => ({ text: Buffer.from(bytes).toString(), notation, size: origin.end - origin.start }));

  it.each([false, true])('becomes compact JSON, as kubectl sends it, if it is an item of a list', (areFiles) => {
    const list = `{"kind":"List","items":[${compact},${written}]}`;
    expect(cut(list, areFiles)).toEqual([
      { text: compact, notation: 'json', size: compact.length },
      { text: compact, notation: 'json', size: written.length },
    ]);
  });

  it('becomes compact JSON if it is from a file, but not if it is from a request', () => {
    expect(cut(written, true)).toEqual([{ text: compact, notation: 'json', size: written.length }]);
    expect(cut(written, false)).toEqual([{ text: written, notation: 'json', size: written.length }]);
    const yaml = `apiVersion: e.com/v1\nkind: W\na: [1]\n#${wide}\n`;
    expect(cut(yaml, true)).toMatchObject([{ text: '{"a":[1],"apiVersion":"e.com/v1","kind":"W"}', notation: 'json' }]);
    expect(cut(yaml, false)).toMatchObject([{ notation: 'yaml' }]);
  });

  it('stays YAML if it has duplicate keys, because JSON would lose one value', () => {
    expect(cut(`apiVersion: e.com/v1\nkind: W\na: 1\na: 2\n#${wide}\n`, true)).toMatchObject([{ notation: 'yaml' }]);
  });
});

/** Minimal document that is recognized as a definition instead of an object. */
const DEFINITION = '{"apiVersion":"apiextensions.k8s.io/v1","kind":"CustomResourceDefinition"}';
const OBJECT = '{"apiVersion":"e.com/v1","kind":"W","spec":{"n":50}}';
const BOM = '\ufeff';

function found(text: string | Uint8Array, notation: Notation = 'yaml', limits = UNLIMITED) {
  const { definitions, objects, status } = cutDocuments(Buffer.from(text), notation, limits, new CancellationFlag());
  const texts = (slices: readonly DocumentSlice[]) =>
    slices.map(({ bytes, notation }) => `${notation} ${Buffer.from(bytes).toString().trim()}`);
  return status ?? { definitions: texts(definitions), objects: texts(objects) };
}

describe('the documents of a request body', () => {
  it.each([
    ['JSON', OBJECT, `json ${OBJECT}`],
    ['block YAML', 'apiVersion: e.com/v1\nkind: W', 'yaml apiVersion: e.com/v1\nkind: W'],
  ])('are found after a byte order mark: %s', (_, object, slice) => {
    expect(found(`${BOM}${object}`)).toEqual({ definitions: [], objects: [slice] });
    expect(found(`${BOM}${object}\n---\n${DEFINITION}`)).toEqual({ definitions: [expect.stringContaining(DEFINITION)], objects: [slice] });
    expect(found(`${BOM}${DEFINITION}\n---\n${object}`)).toMatchObject({ definitions: [`json ${DEFINITION}`] });
  });

  it('are found after a byte order mark, with one document per line', () => {
    expect(found(`${BOM}${DEFINITION}\n${OBJECT}\n`, 'json-lines')).toEqual({
      definitions: [`json ${DEFINITION}`],
      objects: [`json ${OBJECT}`],
    });
  });

  it('are not decoded, so invalid bytes reach the parser', () => {
    const bytes = Buffer.from('a: "\xff\xfe"\n---\nb: 1\n', 'latin1');
    const { objects } = cutDocuments(bytes, 'yaml', UNLIMITED, new CancellationFlag());
    expect(Buffer.from(objects[0]?.bytes ?? []).toString('latin1')).toBe('a: "\xff\xfe"\n');
  });

  it('include the items of lists as JSON, with numbers as the list writes them', () => {
    expect(found(`{"items":[ {"a":1.0}, ${DEFINITION} ],"kind":"WList"}`)).toEqual({
      definitions: [`json ${DEFINITION}`],
      objects: ['json {"a":1.0}'],
    });
    expect(found(`kind: WList\nitems:\n- a: 1.5\n- ${DEFINITION}\n`)).toEqual({
      definitions: [`json ${DEFINITION}`],
      objects: ['json {"a":1.5}'],
    });
  });

  it('include an unreadable document, and a List whose items are no array, as one document', () => {
    for (const text of [`{"kind":"List","items":[1 2]}`, `{"kind":"List","items":{}}`, `{"kind":"List"`, `${DEFINITION.slice(0, -1)},x]`])
      expect(found(text)).toEqual({ definitions: [], objects: [`json ${text}`] });
  });

  it('include a list with a duplicate key as one document, and two documents without a separator as well', () => {
    const yaml = `kind: List\nitems: [${OBJECT}]\nitems: [{a: 1}]`;
    const json = `{"kind":"List","items":[],"items":[${OBJECT}]}`;
    const merged = `apiVersion: apiextensions.k8s.io/v1\nkind: CustomResourceDefinition`;
    expect(found(yaml)).toEqual({ definitions: [], objects: [`yaml ${yaml}`] });
    expect(found(json)).toEqual({ definitions: [], objects: [`json ${json}`] });
    expect(found(`apiVersion: e.com/v1\nkind: W\n${merged}`)).toEqual({ definitions: [], objects: [expect.stringContaining(merged)] });
    expect(found(`${merged}\nkind: CustomResourceDefinition`)).toMatchObject({ definitions: { length: 1 }, objects: [] });
  });

  it.each([
    ['YAML documents', 'a: 1\n---\n'],
    ['JSON documents', `${OBJECT}\n---\n`],
    ['elements of a JSON list', `{"kind":"List","items":[${Array(50).fill('{"a":1}').join(',')}]}\n---\n`],
    ['elements of a YAML list', `kind: List\nitems: [${Array(50).fill('{a: 1}').join(',')}]\n---\n`],
  ])('are limited in number: %s', (_, text) => {
    const token = new LateToken(Infinity);
    const limits = { definitions: 10, objects: 20 };
    const { status, objects } = cutDocuments(Buffer.from(text.repeat(10_000)), 'yaml', limits, token);
    expect(status).toMatchObject({ code: 413, message: 'Request entity too large: at most 20 objects a request' });
    expect(objects).toEqual([]);
    expect(token.reads).toBeLessThan(200);
    expect(found(`${DEFINITION}\n---\n`.repeat(11), 'yaml', limits)).toMatchObject({
      code: 413,
      message: expect.stringContaining('10 definitions') as string,
    });
  });

  it.each([
    ['digits', `a: ${'9'.repeat(MAX_ITEM_BYTES)}`],
    ['repeated keys', 'a: 1\n'.repeat(MAX_ITEM_BYTES / 4)],
  ])('that are too large for an item are not parsed: %s', (_, text) => {
    const token = new LateToken(Infinity);
    const { objects } = cutDocuments(Buffer.from(text), 'yaml', UNLIMITED, token);
    expect(objects).toHaveLength(1);
    expect(token.reads).toBeLessThan(text.split('\n').length / 256 + 2);
  });

  it('that are large are parsed if they are lists', () => {
    const item = { kind: 'W', pad: 'x'.repeat(100_000) };
    const items = Array.from({ length: 80 }, () => item);
    expect(found(JSON.stringify({ items, kind: 'List' }))).toMatchObject({ objects: { length: 80 } });
    expect(found(`apiVersion: v1\nitems:\n${`- kind: W\n  pad: ${item.pad}\n`.repeat(80)}kind: List\n`)).toMatchObject({
      objects: { length: 80 },
    });
  });
});

describe('admission policies among the documents', () => {
  const yaml = (...documents: string[]): string => documents.join('\n---\n');
  const policy = (kind: string, more = ''): string => `apiVersion: admissionregistration.k8s.io/v1\nkind: ${kind}\n${more}`;
  const withParams = policy('ValidatingAdmissionPolicy', 'spec: {paramKind: {apiVersion: e.com/v1, kind: Limit}}');
  const limit = '{"apiVersion":"e.com/v1","kind":"Limit"}';
  const namespace = '{"apiVersion":"v1","kind":"Namespace"}';
  const cut = (text: string, notation: Notation = 'yaml') => cutDocuments(Buffer.from(text), notation, UNLIMITED, new CancellationFlag());
  const texts = (slices: readonly DocumentSlice[]) =>
    slices.map(({ bytes }) =>
      Buffer.from(bytes)
        .toString()
        .replace(/^---\n/, '')
        .trim(),
    );

  it('are separated from objects, and name the kinds of objects that they read', () => {
    const documents = cut(yaml(OBJECT, namespace, limit, withParams, policy('ValidatingAdmissionPolicyBinding'), policy('Other')));
    expect(documents.policies).toHaveLength(2);
    expect(texts(documents.objects)).toEqual([OBJECT, namespace, limit, policy('Other').trim()]);
    expect(texts(clusterObjects([documents]))).toEqual([namespace, limit]);
  });

  it('may be in another text than the objects', () => {
    const [objects, policies] = [cut(`${limit}\n${OBJECT}\n`, 'json-lines'), cut(withParams)];
    expect(texts(clusterObjects([objects]))).toEqual([]);
    expect(texts(clusterObjects([objects, policies]))).toEqual([limit]);
  });

  it('have the same limits as definitions', () => {
    const limits = { definitions: 1, objects: 1 };
    const text = yaml(withParams, policy('MutatingAdmissionPolicy'));
    expect(cutDocuments(Buffer.from(text), 'yaml', limits, new CancellationFlag())).toMatchObject({
      policies: [],
      status: { code: 413, message: expect.stringContaining('at most 1 policies') as string },
    });
  });
});
