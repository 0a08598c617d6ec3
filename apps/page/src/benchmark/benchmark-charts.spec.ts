import { describe, expect, it } from 'vitest';
import type { PlacedFindings } from '#benchmark';
import { costChart, timeChart } from './benchmark-charts.ts';
import type { Curve } from './curve.ts';
import { layOutCurves } from './curve.ts';

const CURVE: Curve = {
  fields: 'spec.a',
  unit: 'items',
  isJoint: false,
  growth: 'n²',
  points: [10, 100, 1000].map((x) => ({ x, y: x ** 2 })),
};
const FORM = { width: 400, xText: String, yText: String };

describe('the chart of costs', () => {
  it('shows the cost limits, and the bounds of the schema near them', () => {
    const chart = costChart({ ...CURVE, bound: 20_000, refusedFrom: 1001 }, undefined);
    expect(chart.horizontals).toEqual([
      { y: 1_000_000, label: 'limit of one evaluation: 1,000,000' },
      { y: 10_000_000, label: 'budget of an object: 10,000,000' },
    ]);
    expect(chart.verticals.map(({ label }) => label)).toEqual(['bound of the schema: 20,000', 'refused from 1,001 on']);
    expect(costChart({ ...CURVE, bound: 200_000 }, undefined).verticals).toEqual([]);
  });

  it('names both rules, and their fields if they differ', () => {
    expect(costChart(CURVE, CURVE).lines.map(({ name }) => name)).toEqual(['present rule, units', 'older rule, units']);
    const other = costChart(CURVE, { ...CURVE, fields: 'spec.b' });
    expect(other.lines.map(({ name }) => name)).toEqual(['present rule, units (spec.a, items)', 'older rule, units (spec.b, items)']);
  });

  it('has logarithmic axes, and draws everything inside the picture', () => {
    const drawing = layOutCurves(costChart({ ...CURVE, bound: 2000, refusedFrom: 1001 }, CURVE), FORM);
    const [line] = drawing?.lines ?? [];
    const [a, b, c] = line?.dots ?? [];
    if (drawing === undefined || a === undefined || b === undefined || c === undefined) throw new Error('nothing was drawn');
    // On logarithmic axes, equal factors have equal distances. Larger costs are higher.
    expect(c.x - b.x).toBeCloseTo(b.x - a.x);
    expect(a.y - b.y).toBeCloseTo(b.y - c.y);
    expect(b.y).toBeLessThan(a.y);
    const { plot, horizontals, verticals, xTicks, yTicks } = drawing;
    for (const x of [...verticals.map((one) => one.x), ...xTicks.map((one) => one.x)]) {
      expect(x).toBeGreaterThanOrEqual(plot.left);
      expect(x).toBeLessThanOrEqual(plot.right);
    }
    for (const { y } of horizontals) expect(y).toBeGreaterThanOrEqual(plot.top);
    expect(xTicks.map(({ text }) => text)).toEqual(expect.arrayContaining(['10', '100', '1000']));
    expect(yTicks.map(({ text }) => text)).toContain('1000000');
    // Labels of vertical lines are in different rows, so they do not overlap.
    expect(new Set(verticals.map(({ label }) => label.y)).size).toBe(2);
  });

  it('exists if there is at least one point', () => {
    const chart = (points: Curve['points']) => costChart({ ...CURVE, points }, undefined);
    expect(layOutCurves(chart([]), FORM)).toBeUndefined();
    const one = layOutCurves(chart([{ x: 1, y: 1 }]), FORM);
    expect(one?.lines[0]?.dots.every(({ x, y }) => Number.isFinite(x) && Number.isFinite(y))).toBe(true);
  });
});

describe('the chart of times', () => {
  const timed = (unit: 'items' | 'code points', points: readonly { readonly size: number; readonly ms: number }[]) => {
    const times = points.length === 0 ? [] : [{ engine: 'Assay compiled', points } as const];
    const growsWith = [{ field: 'spec.a', unit, costExponent: 1, points: [], times }];
    return timeChart({ growsWith } as unknown as PlacedFindings);
  };
  const POINTS = [
    { size: 10_000, ms: 2 },
    { size: 100_000, ms: 20 },
  ];

  it("shows the KEP's range only for lists", () => {
    expect(timed('items', POINTS)?.chart.band).toMatchObject([
      { x: 10_000, lo: expect.closeTo(7 / 3) as number, hi: expect.closeTo(35 / 3) as number },
      { x: 30_000, lo: 7, hi: 35 },
      { x: 100_000 },
    ]);
    expect(timed('items', POINTS)?.bandName).toContain('KEP-2876');
    expect(timed('code points', POINTS)).toMatchObject({ chart: { lines: [{ name: 'Assay compiled' }] } });
    expect(timed('code points', POINTS)?.chart.band).toBeUndefined();
  });

  it('does not exist if no times were measured', () => expect(timed('items', [])).toBeUndefined());
});
