import { expect, it } from 'vitest';
import { SPEC_RULE, STANDING, widgetSubjects } from '../testing/studied-widget.ts';
import { performCell } from './perform-cell.ts';
import type { LadderRung } from './size-ladder.ts';
import type { WritePlan } from '../study/study-report.ts';

const specOf = (rule: string, most: number) => ({
  type: 'object',
  properties: { a: { type: 'array', maxItems: most, items: { type: 'integer' } } },
  'x-kubernetes-validations': [{ rule }],
});
const LINEAR = '!has(self.a) || self.a.all(x, x >= 0)';
const SQUARE = '!has(self.a) || self.a.all(x, self.a.all(y, x + y >= 0))';
const planned = (size: number, old: WritePlan['old'] = 'none'): WritePlan => ({
  fields: { spec: { present: true }, 'spec.a': { present: true, size } },
  old,
});
const ladder = (spec: object, worst: WritePlan, maxMs = 1000) =>
  performCell({ kind: 'ladder', rule: SPEC_RULE, worst, maxMs, name: 'fresh', fieldValidation: 'Warn' }, widgetSubjects(spec), STANDING);
const rungsOf = (found: ReturnType<typeof ladder>): readonly LadderRung[] => (found.kind === 'ladder' ? found.rungs : []);

it('a size ladder contains the most expensive create and four smaller ones, each with its exact cost and predicted time', () => {
  const found = ladder(specOf(LINEAR, 160), planned(160));
  expect(found).toMatchObject({ kind: 'ladder', isCut: false });
  const rungs = rungsOf(found);
  expect(rungs.map(({ size }) => size)).toEqual([10, 40, 80, 120, 160]);
  // Each element adds the same cost.
  const costs = rungs.map(({ cost }) => cost);
  expect((costs[4] ?? 0) - (costs[2] ?? 0)).toBe(2 * ((costs[2] ?? 0) - (costs[1] ?? 0)));
  for (const { object, serverTime, isAccepted } of rungs) {
    expect(isAccepted).toBe(true);
    expect(serverTime).toMatchObject({ kind: 'predicted', family: 'comprehensions over lists' });
    expect(object).toContain('"name":"fresh"');
  }
});

it('a size ladder contains five accepted creates, and a create that the server refuses for its cost', () => {
  const rungs = rungsOf(ladder(specOf(SQUARE, 2000), planned(2000)));
  expect(rungs.map(({ isAccepted }) => isAccepted)).toEqual([true, true, true, true, true, false]);
  const [largest, refused] = rungs.slice(-2);
  expect(largest?.cost).toBeLessThanOrEqual(1_000_000);
  expect(largest?.cost).toBeGreaterThan(800_000);
  expect(refused).toMatchObject({ size: 2000, serverTime: { kind: 'notPredicted' } });
});

it('a size ladder contains no creates whose predicted time exceeds the limit', () => {
  const found = ladder(specOf(SQUARE, 300), planned(300), 10);
  expect(found).toMatchObject({ kind: 'ladder', isCut: true });
  for (const { serverTime } of rungsOf(found)) expect(serverTime.kind === 'predicted' ? serverTime.ms : Infinity).toBeLessThanOrEqual(10);
  expect(rungsOf(found)).toHaveLength(5);
});

it('a rule that needs a stored object has no size ladder', () => {
  const found = ladder(specOf('!has(self.a) || !has(oldSelf.a) || self.a == oldSelf.a', 10), planned(10, 'same'));
  expect(found).toEqual({ kind: 'none', reason: 'it is an update, which needs a stored object' });
});

const price = (spec: object, object: object) =>
  performCell(
    { kind: 'price', version: 'v1', object: JSON.stringify(object), name: 'fresh', fieldValidation: 'Warn' },
    widgetSubjects(spec),
    STANDING,
  );
const widget = (metadata: object, a: readonly number[]) => ({ apiVersion: 'example.com/v1', kind: 'Widget', metadata, spec: { a } });

it('pricing a given object renames the object and removes the fields that a server sets', () => {
  const priced = price(specOf(LINEAR, 10), widget({ name: 'mine', namespace: 'x', resourceVersion: '7', uid: 'u' }, [1, 2]));
  expect(priced).toMatchObject({ isAccepted: true, serverTime: { kind: 'predicted' } });
  expect(priced?.object).toContain('"metadata":{"name":"fresh","namespace":"x"}');
});

it('an object that breaks a rule has no predicted time', () => {
  expect(price(specOf(LINEAR, 10), widget({ name: 'mine' }, [-1]))).toMatchObject({
    isAccepted: false,
    serverTime: { kind: 'notPredicted', reason: 'a limit ends the evaluation, or a rule does not hold' },
  });
});
