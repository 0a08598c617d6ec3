import { describe, expect, it } from 'vitest';
import { seriesFigures } from './policy-study.ts';

const series = (msOf: (size: number) => number, sizes = [1, 4, 16, 64, 256, 1024]) =>
  seriesFigures(sizes.map((size) => ({ size, cost: 10 * size, ms: msOf(size) })));

describe('the figures of a series of judged sizes', () => {
  it.each([
    ['n', (n: number) => 0.5 + 0.02 * n, 1],
    ['n²', (n: number) => 3 + 0.001 * n * n, 2],
    ['n to the power of 1.5', (n: number) => 0.1 * n ** 1.5, 1.5],
  ])('have the exponent of a time that grows like %s', (_, msOf, exponent) => {
    const { timeExponent, costExponent } = series(msOf);
    expect(timeExponent).toBeCloseTo(exponent, 2);
    expect(costExponent).toBe(1);
  });

  it('state the size at which the time exceeds a bound, between two judged sizes or beyond the largest one', () => {
    const { passes } = series((n) => 0.2 * n);
    expect(passes).toEqual([
      { ms: 100, size: 500, isJudged: false },
      { ms: 1000, size: 5000, isJudged: false },
    ]);
  });

  it('extend quadratic growth beyond the largest judged size', () => {
    const { passes } = series((n) => 0.0005 * n * n);
    // 0.0005 · n² = 1,000 at n = 1,414.2.
    expect(passes.find(({ ms }) => ms === 1000)?.size).toBe(1415);
  });

  it('state no size if the time does not grow, or if the size would be far beyond the judged sizes', () => {
    expect(series(() => 5)).toMatchObject({ passes: [] });
    expect(series((n) => 1e-6 * n).passes).toEqual([]);
    expect(series(() => 5).timeExponent).toBeUndefined();
  });

  it('omit sizes at which a server stops the evaluation', () => {
    const points = [1, 2, 4, 8].map((size) => ({ size, cost: size, ms: size }));
    const stopped = { size: 16, cost: 5, ms: 5, stoppedBy: 'limit' as const };
    expect(seriesFigures([...points, stopped])).toEqual(seriesFigures(points));
  });
});
