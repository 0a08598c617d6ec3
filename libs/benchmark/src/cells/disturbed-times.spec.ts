import { describe, expect, it } from 'vitest';
import { SPEC_RULE, widgetSubjects } from '../testing/studied-widget.ts';
import { performCell } from './perform-cell.ts';
import type { TimesCell } from './study-cell.ts';

const RULE = 'self.a.all(x, self.a.all(y, x <= y + 5))';
const properties = { a: { type: 'array', items: { type: 'integer' } } };
const subjects = widgetSubjects({ type: 'object', properties, 'x-kubernetes-validations': [{ rule: RULE }] });
const never = { cancelled: false };
const filled = (size: number) => ({ fields: { spec: { present: true }, 'spec.a': { present: true, size } }, old: 'none' }) as const;
const cell: TimesCell = {
  kind: 'times',
  rule: SPEC_RULE,
  ms: 1500,
  seed: 1,
  worst: filled(400),
  steepest: { field: 'spec.a', unit: 'items', sizes: [50, 100, 200, 400], from: filled(50) },
};

/** Takes times by a thread that has a core for a share of the time. */
const taken = (share: number) =>
  performCell(cell, subjects, { now: () => performance.now(), cpuMs: () => share * performance.now(), token: never });

describe('times that are taken', () => {
  it('with a core tell growth and claims', () => {
    const { series, claims, disturbed } = taken(0.95);
    expect(disturbed).toBeUndefined();
    expect(series.map(({ exponent }) => exponent !== undefined)).toEqual([true, true]);
    expect(claims.length).toBeGreaterThan(0);
  });

  it('without a core for much of the time tell times only, and say so', () => {
    const { series, times, claims, disturbed } = taken(0.5);
    expect(disturbed).toBeCloseTo(0.5, 3);
    expect(series.map(({ exponent, points }) => [exponent, points.length > 0])).toEqual([
      [undefined, true],
      [undefined, true],
    ]);
    expect(times.length).toBeGreaterThan(0);
    expect(claims.map(({ verdict }) => ['holds', 'not measured'].includes(verdict))).not.toContain(false);
  });
});
