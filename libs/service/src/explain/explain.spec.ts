import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { checkOptions, explanationAnswer, NO_POLICIES } from '#documents';
import type { DocumentSlice, PricedPart } from '#documents';
import { customDefinition } from '../../../../testing/custom-definition.ts';
import { EngineHost } from '../../../runner/src/engine-host.ts';
import { explain } from './explain.ts';

const slice = (value: unknown): DocumentSlice => ({ bytes: Buffer.from(JSON.stringify(value)), notation: 'json' });
/** Returns a definition of `kind` with one rule on each item of the array `list`. Each item has an array `s` of integers. */
function definition(kind: string, rule: string): DocumentSlice {
  const items = {
    type: 'object',
    properties: { s: { type: 'array', maxItems: 1000, items: { type: 'integer' } } },
    'x-kubernetes-validations': [{ rule }],
  };
  const schema = { type: 'object', properties: { list: { type: 'array', maxItems: 10, items } } };
  return slice(customDefinition({ kind, scope: 'Cluster', schema }));
}
const object = (kind: string, name: string, ...lengths: number[]): DocumentSlice =>
  slice({
    apiVersion: 'example.com/v1',
    kind,
    metadata: { name },
    list: lengths.map((length) => ({ s: Array.from({ length }, (_, i) => i + 1) })),
  });
const read = checkOptions({});
if (!read.ok) throw new Error(read.status.message);
const options = read.value;
const own = (part: PricedPart): number => (part.actual?.own ?? Number.NaN) + part.parts.reduce((sum, inner) => sum + own(inner), 0);

describe('explaining on threads', () => {
  const host = new EngineHost({ threads: 2 });
  beforeAll(() => host.start());
  afterAll(() => host.stop());

  it('measures each definition with the objects of its kind, and combines the results of chunks', async () => {
    const objects = Array.from({ length: 300 }, (_, i) => object('Probe', `p${i}`, i === 280 ? 50 : 1, 2));
    const explanation = await explain(host, {
      definitions: [definition('Probe', 'self.s.all(i, i > 0)'), definition('Other', 'self.s.size() < 3')],
      objects: [...objects, object('Other', 'o', 1), object('Unknown', 'u')],
      ...NO_POLICIES,
      options,
    });
    expect(explanationAnswer.safeParse(explanation).error).toBeUndefined();
    const [probe, other] = explanation.definitions.map(({ rules }) => rules[0]!);
    expect(probe?.measured).toMatchObject({ objects: 300, evaluations: 600, costliest: { object: 280, at: 'list[0]' } });
    expect(own(probe!.parts!)).toBe(probe?.measured?.costliest.cost);
    expect(probe?.measured?.headroom).toBe(1_000_000 - probe!.measured!.costliest.cost);
    const costs = explanation.objects.slice(0, 300).map(({ celCost = 0 }) => celCost);
    expect(explanation.definitions[0]?.measured).toEqual({
      objects: 300,
      costliest: { object: 280, cost: Math.max(...costs) },
      headroom: 10_000_000 - Math.max(...costs),
    });
    expect(probe?.parts?.estimate.total.max).toBe(probe?.maxCost);
    expect(other?.measured).toMatchObject({ objects: 1, evaluations: 1, costliest: { object: 300 } });
    expect(explanation.objects).toHaveLength(302);
    expect(explanation.objects.slice(299)).toMatchObject([
      { index: 299, name: 'p299', outcome: 'accepted' },
      { index: 300, name: 'o', outcome: 'accepted' },
      { index: 301, outcome: 'notEvaluated', status: { code: 404 } },
    ]);
    const total = explanation.objects.reduce((sum, { celCost = 0 }) => sum + celCost, 0);
    expect((probe?.measured?.cost ?? 0) + (other?.measured?.cost ?? 0)).toBe(total);
  });

  it('evaluates no objects with a definition that a server rejects for more than its costs', async () => {
    const { definitions, objects } = await explain(host, {
      definitions: [definition('Probe', 'self.nope')],
      objects: [object('Probe', 'p', 1)],
      ...NO_POLICIES,
      options,
    });
    expect(definitions[0]).toMatchObject({
      report: { accepted: false },
      rules: [{ error: expect.stringContaining('undefined field') as string }],
    });
    expect(objects).toMatchObject([{ outcome: 'notEvaluated' }]);
  });

  it('stops when it is cancelled', async () => {
    const limitless = checkOptions({ costLimits: { perCall: 'unlimited', perObject: 'unlimited' } });
    if (!limitless.ok) throw new Error(limitless.status.message);
    const endless = definition('Probe', 'self.s.all(a, self.s.all(b, self.s.all(c, a + b + c > 0)))');
    const { definitions, objects } = await explain(
      host,
      { definitions: [endless], objects: [object('Probe', 'p', 1000)], ...NO_POLICIES, options: limitless.value },
      AbortSignal.timeout(5000),
    );
    // The list has a bound already, so only a lower one helps.
    expect(definitions[0]).toMatchObject({
      rules: [{ suggestions: [] }],
      additions: { tightening: [{ path: 'list[*].s', keyword: 'maxItems' }] },
    });
    expect(objects).toMatchObject([{ outcome: 'cancelled' }]);
  });
});
