import { CancellationFlag } from '#go';
import { defaultOptions, definitionText, serverOf } from '#documents';
import type { DocumentSlice, SpanRecord } from '#documents';
import { expect, it } from 'vitest';
import { customDefinition } from '../../../../testing/custom-definition.ts';
import { DefinitionCache } from './definition-cache.ts';
import { evaluateItems } from './evaluate-items.ts';
import { PolicyCache } from './policy-cache.ts';

const RULES = Array.from({ length: 50 }, (_, i) => ({ rule: `${'self.text.size() >= 0 && '.repeat(i)}true` }));
const spec = { type: 'object', properties: { text: { type: 'string' } }, 'x-kubernetes-validations': RULES };
const definition = customDefinition({ kind: 'Widget', schema: { type: 'object', properties: { spec } } });
const options = { ...defaultOptions(), explain: true };

/** Returns the spans of a chunk of `count` objects, the first of which has the index `firstItem` in its evaluation. */
function spansOf(firstItem: number, count: number): readonly SpanRecord[] {
  const sliceOf = (document: object): DocumentSlice => ({ bytes: Buffer.from(JSON.stringify(document)), notation: 'json' });
  const text = definitionText(sliceOf(definition), serverOf(options));
  const caches = { definitions: new DefinitionCache(), policies: new PolicyCache() };
  caches.definitions.compile(text);
  const settings = { options, definitions: [{ group: 'example.com', kind: 'Widget', digest: text.digest }], refused: [] };
  const object = sliceOf({ apiVersion: 'example.com/v1', kind: 'Widget', metadata: { name: 'w' }, spec: { text: 'a' } });
  const items = Array.from({ length: count }, () => object);
  const traceparent = '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01';
  return evaluateItems({ kind: 'evaluate', firstItem, items, settings, traceparent }, caches, new CancellationFlag()).spans;
}

const count = (spans: readonly SpanRecord[]): number => spans.reduce((sum, { children }) => sum + 1 + count(children), 0);
const indexes = (spans: readonly SpanRecord[]): readonly unknown[] => spans.map(({ attributes }) => attributes['assay.object.index']);

it('only the first objects of an evaluation, and the first and last of a chunk, have spans', () => {
  expect(indexes(spansOf(150, 100))).toEqual([...Array.from({ length: 50 }, (_, i) => 150 + i), 249]);
  expect(indexes(spansOf(5000, 100))).toEqual([5000, 5099]);
});

it('an object has a limited number of spans, for its most expensive rules', () => {
  const [object] = spansOf(0, 1);
  if (object === undefined) throw new Error('the object has no span');
  expect(count([object])).toBe(1 + 4 + 20);
  const cel = object.children.find(({ name }) => name === 'cel');
  const costs = cel?.children.map(({ attributes }) => Number(attributes['assay.cel.cost'])) ?? [];
  // Rule i costs about i units. The rules from 30 to 49 are shown.
  expect(Math.max(...costs) / Math.min(...costs)).toBeLessThan(2);
  expect(new Set(costs).size).toBe(20);
});
