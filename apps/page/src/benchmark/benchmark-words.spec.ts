import { describe, expect, it } from 'vitest';
import type { PlacedFindings } from '#benchmark';
import {
  boundSentence,
  changeSentence,
  curveChangeSentence,
  costliestSentence,
  growthSentence,
  refusalSentence,
  timeChangeSentence,
} from './benchmark-words.ts';
import { costAtSize, curveOf } from './curve.ts';

const PLAN = { fields: {}, old: 'none' } as const;
const SQUARE = [4, 64, 4096].map((size) => ({ size, cost: size ** 2 }));
const STEEPEST = { field: 'spec.a', unit: 'items', costExponent: 2, near: 'n²', points: SQUARE, times: [] } as const;
const FINDINGS: PlacedFindings = {
  definition: 'widgets.example.com',
  source: 'definitions',
  version: 'v1',
  path: 'properties[spec].x-kubernetes-validations[0]',
  rule: 'self.a.all(x, self.a.all(y, x <= y))',
  growsWith: [STEEPEST],
  isPartial: false,
  suggestedBounds: [],
  times: [],
  claims: [],
};
const compared = (base: number, head: number, verdict: 'equal' | 'dearer' | 'cheaper') =>
  ({ kind: 'compared', cost: { base, head, verdict } }) as const;

describe('the description of a rule', () => {
  it('states the growth, with the cost at size 1,000 or at the nearest size', () => {
    const curve = curveOf(FINDINGS);
    expect(growthSentence(curve)).toBe('The cost grows as n² with spec.a: 1,000 items cost about 1,000,000 units.');
    const short = curveOf({ ...FINDINGS, growsWith: [{ ...STEEPEST, points: SQUARE.slice(0, 2) }] });
    expect(growthSentence(short)).toBe('The cost grows as n² with spec.a: 64 items cost 4,096 units.');
    expect(growthSentence(undefined)).toBe('The cost grows with the size of no field.');
    expect(growthSentence(undefined, false)).toBe('Not finished: no field is known yet with whose size the cost grows.');
    expect(costAtSize({ points: [] }, 5)).toBeUndefined();
    expect(costAtSize({ points: [{ x: 8, y: 3 }] }, 5)).toEqual({ size: 8, cost: 3, isExact: true });
  });

  it('states the growth of fields whose sizes multiply, and omits values that an axis cannot show', () => {
    const fields = ['spec.a', 'spec.b'].map((field) => ({ field, unit: 'items' as const }));
    const points = [
      { size: 16, cost: 256 },
      { size: 4, cost: 16 },
      { size: 0, cost: 1 },
    ];
    const curve = curveOf({ ...FINDINGS, growsTogether: { fields, costExponent: 1.4, points } });
    expect(curve?.points).toEqual([
      { x: 4, y: 16 },
      { x: 16, y: 256 },
    ]);
    expect(growthSentence(curve)).toBe('The cost grows as n^1.40 with spec.a × spec.b: 16 items of each cost 256 units.');
    expect(boundSentence(curve)).toBeUndefined();
  });

  it('states the bound of the schema', () => {
    const bounded = (costAtBound: number) => curveOf({ ...FINDINGS, growsWith: [{ ...STEEPEST, bound: 9, costAtBound }] });
    expect(growthSentence(bounded(81))).toBe('The cost grows as n² with spec.a: 9 items cost 81 units.');
    expect(boundSentence(bounded(81))).toBe('The schema allows 9 items of spec.a.');
    // The search ends beyond the limit, so there is no figure for the bound.
    expect(boundSentence(bounded(5_000_001))).toBe('The schema allows 9 items of spec.a, where one evaluation exceeds its limit.');
    expect(growthSentence(bounded(5_000_001))).toBe('The cost grows as n² with spec.a: 1,000 items cost about 1,000,000 units.');
    expect(boundSentence(curveOf(FINDINGS))).toBe('The schema sets no bound for spec.a.');
  });

  it('states the size from which a server rejects a write', () => {
    const end = { field: 'spec.a', unit: 'items', size: 1001, limit: 'call', plan: PLAN } as const;
    const curve = curveOf({ ...FINDINGS, budgetEndsAt: end });
    expect(curve?.refusedFrom).toBe(1001);
    expect(refusalSentence({ budgetEndsAt: end }, curve)).toBe(
      'A server refuses the write from 1,001 items of spec.a on, by the limit of one evaluation.',
    );
    const together = { ...end, together: ['spec.b'], limit: 'object' } as const;
    expect(curveOf({ ...FINDINGS, budgetEndsAt: together })?.refusedFrom).toBeUndefined();
    expect(refusalSentence({ budgetEndsAt: together }, curve)).toContain(
      '1,001 items of spec.a and of spec.b on, by the budget of an object',
    );
    const others = [{ field: 'spec.a[]', unit: 'code points', size: 253 }] as const;
    expect(refusalSentence({ budgetEndsAt: { ...end, others } }, curve)).toContain('of spec.a on, with 253 code points of spec.a[], by');
    expect(refusalSentence({ budgetEndsAt: { ...end, others, alone: true } }, curve)).toContain('on, while all other fields are small, by');
    expect(refusalSentence({}, curveOf({ ...FINDINGS, growsWith: [{ ...STEEPEST, wouldEndAt: 1001 }] }))).toBe(
      'No write was found that a server refuses for its cost. Without bounds a server would refuse one evaluation from 1,001 items on.',
    );
  });

  it('states the cost of the most expensive write beside the estimate', () => {
    const worst = { cost: 2000, evaluations: 3, bytes: 90, end: 'accepted', plan: PLAN } as const;
    const found = { ...FINDINGS, worst, estimate: { call: '9', object: '26000' }, estimateOverWorst: 13 };
    expect(costliestSentence(found)).toBe(
      'The most expensive write found costs 2,000 units in 3 evaluations. The estimate, which a server computes from the schema alone, is 26,000 units: 13 times that.',
    );
    expect(costliestSentence({ ...found, worst: { ...worst, end: 'object' } })).toBe(
      'The most expensive write found reaches the budget of an object.',
    );
    expect(costliestSentence(FINDINGS)).toBeUndefined();
  });

  it('states how the cost of the most expensive write changed since the older definition', () => {
    const end = 'accepted';
    const worst = { cost: 1, evaluations: 1, bytes: 9, end, plan: PLAN } as const;
    expect(changeSentence({ base: compared(1000, 1500, 'dearer') })).toBe(
      'The most expensive write found costs 1,000 → 1,500 units, 50 % more.',
    );
    expect(changeSentence({ base: compared(1000, 985, 'cheaper') })).toBe(
      'The most expensive write found costs 1,000 → 985 units, 1.5 % less.',
    );
    expect(changeSentence({ base: compared(1000, 40_000, 'dearer') })).toBe(
      'The most expensive write found costs 1,000 → 40,000 units, 40 times as much.',
    );
    expect(changeSentence({ base: compared(0, 5, 'dearer') })).toBe('The most expensive write found costs 0 → 5 units.');
    expect(changeSentence({ base: compared(7, 7, 'equal'), worst })).toBe('The most expensive write found costs 7 units, as before.');
    expect(changeSentence({ base: compared(1_000_001, 1_000_001, 'equal'), worst: { ...worst, end: 'call' } })).toBe(
      'The most expensive write found reaches the limit of one evaluation, as before.',
    );
    expect(changeSentence({ base: { kind: 'new' } })).toBe('The earlier definition has no such rule.');
    expect(changeSentence({})).toBeUndefined();
  });

  it('states how the cost changed at the largest size that both curves have', () => {
    const older = curveOf({
      ...FINDINGS,
      growsWith: [
        {
          ...STEEPEST,
          points: [
            { size: 4, cost: 8 },
            { size: 64, cost: 2048 },
          ],
        },
      ],
    });
    expect(curveChangeSentence(curveOf(FINDINGS), older)).toBe('One evaluation of 64 items costs 2,048 → 4,096 units, 100 % more.');
    expect(curveChangeSentence(older, older)).toBe('One evaluation of 64 items costs 2,048 units, as before.');
    const other = curveOf({ ...FINDINGS, growsWith: [{ ...STEEPEST, field: 'spec.b' }] });
    expect([curveChangeSentence(other, older), curveChangeSentence(undefined, older)]).toEqual([undefined, undefined]);
  });

  it('states how the times changed, if they were compared', () => {
    const time = { engine: 'Assay compiled', ratio: 1.21, lo: 1.1, hi: 1.3, verdict: 'slower', pairs: 64 } as const;
    expect(timeChangeSentence({ ...compared(1, 2, 'dearer'), time })).toBe(
      'One evaluation takes 1.21 times as long (95 % interval 1.10 to 1.30): slower.',
    );
    expect(timeChangeSentence(compared(1, 2, 'dearer'))).toBeUndefined();
  });
});
