import { describe, expect, it } from 'vitest';
import { checkOptions, defaultOptions, definitionText, serverOf } from '#documents';
import type { DocumentSlice, EvaluationOptions, SpanRecord } from '#documents';
import { CancellationFlag } from '#go';
import { customDefinition } from '../../../../testing/custom-definition.ts';
import { DefinitionCache } from './definition-cache.ts';
import { evaluateItems, verdictLine } from './evaluate-items.ts';
import type { JudgedItem } from './judged.ts';
import { PolicyCache } from './policies.ts';

function lineOf(judged: unknown, options: Partial<EvaluationOptions> = {}): string {
  const checked = checkOptions({});
  if (!checked.ok) throw new Error('options');
  const settings = { options: { ...checked.value, ...options }, definitions: [], refused: [] };
  return verdictLine(7, judged as JudgedItem, settings);
}

const definition = { plural: 'probes', group: 'example.com' };
const common = { apiVersion: 'example.com/v1', kind: 'Probe', definition, warnings: [], phases: { total: 1 } };
const verdict = { accepted: true, warnings: [], cost: { cel: 12 } };
const accepted = { outcome: 'accepted', ...common, name: 'a', namespace: 'b', verdict, object: { kind: 'Probe' } };

describe('the JSON line of a verdict', () => {
  it.each([
    ['an ordinary acceptance', accepted, {}],
    ['the same, again', accepted, {}],
    ['another kind', { ...accepted, kind: 'Other', apiVersion: 'v1' }, {}],
    ['words that are escaped', { ...accepted, kind: 'Pro"be', name: 'a\n\ud800ü\\', namespace: '\u2028' }, {}],
    ['no names', { ...accepted, name: undefined, namespace: undefined }, {}],
    ['no definition', { ...accepted, definition: undefined }, {}],
    ['no cost', { ...accepted, verdict: { ...verdict, cost: { cel: undefined } } }, {}],
    ['a cost of nothing', { ...accepted, verdict: { ...verdict, cost: { cel: 0 } } }, {}],
    ['a great cost', { ...accepted, verdict: { ...verdict, cost: { cel: 2 ** 53 - 1 } } }, {}],
    ['a resourceVersion that was taken off', { ...accepted, verdict: { ...verdict, takenOff: true } }, {}],
    ['warnings', { ...accepted, warnings: ['unknown field "x"'] }, {}],
    ['times', accepted, { timings: true }],
    ['costs of single rules', accepted, { explain: true }],
    ['a refusal', { outcome: 'rejected', ...common, verdict, status: { code: 422 } }, {}],
    ['a missing definition', { outcome: 'notEvaluated', ...common, missing: true, status: { code: 404 } }, {}],
  ])('contains the fields of the verdict in their order: %s', (_, judged, options) => {
    const { outcome, apiVersion, kind, name, namespace, status, missing, warnings, phases } = judged as unknown as JudgedItem;
    const { cost, takenOff } = (judged as { verdict: { cost: { cel?: number }; takenOff?: true } }).verdict ?? {};
    expect(lineOf(judged, options)).toBe(
      JSON.stringify({
        index: 7,
        apiVersion,
        kind,
        name,
        namespace,
        definition: judged.definition && 'probes.example.com',
        outcome,
        status,
        warnings,
        takenOff,
        missing,
        cost: cost?.cel === undefined ? undefined : { cel: cost.cel, ...('explain' in options && { rules: [] }) },
        ...('timings' in options && { timings: phases }),
      }),
    );
  });

  it('contains the stored object at the end if the request asks for it', () => {
    expect(JSON.parse(lineOf(accepted, { returnObjects: true }))).toMatchObject({ index: 7, cost: { cel: 12 }, object: { kind: 'Probe' } });
  });
});

const RULES = Array.from({ length: 50 }, (_, i) => ({ rule: `${'self.text.size() >= 0 && '.repeat(i)}true` }));
const spec = { type: 'object', properties: { text: { type: 'string' } }, 'x-kubernetes-validations': RULES };
const widgets = customDefinition({ kind: 'Widget', schema: { type: 'object', properties: { spec } } });
const options = { ...defaultOptions(), explain: true };

/** Returns the spans of a chunk of `count` objects, the first of which has the index `firstItem` in its evaluation. */
function spansOf(firstItem: number, count: number): readonly SpanRecord[] {
  const sliceOf = (document: object): DocumentSlice => ({ bytes: Buffer.from(JSON.stringify(document)), notation: 'json' });
  const text = definitionText(sliceOf(widgets), serverOf(options));
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

it('traces contain spans only for the first objects of an evaluation, and for the first and last of a chunk', () => {
  expect(indexes(spansOf(150, 100))).toEqual([...Array.from({ length: 50 }, (_, i) => 150 + i), 249]);
  expect(indexes(spansOf(5000, 100))).toEqual([5000, 5099]);
});

it('the trace of an object has a limited number of spans, for the most expensive rules', () => {
  const [object] = spansOf(0, 1);
  if (object === undefined) throw new Error('the object has no span');
  expect(count([object])).toBe(1 + 4 + 20);
  const cel = object.children.find(({ name }) => name === 'cel');
  const costs = cel?.children.map(({ attributes }) => Number(attributes['assay.cel.cost'])) ?? [];
  // Rule i costs about i units. Only the 20 most expensive rules have spans: the rules 30 to 49.
  expect(Math.max(...costs) / Math.min(...costs)).toBeLessThan(2);
  expect(new Set(costs).size).toBe(20);
});
