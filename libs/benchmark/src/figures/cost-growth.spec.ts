import { describe, expect, it } from 'vitest';
import { costGrowth } from './cost-growth.ts';
import type { CostPoint } from './cost-growth.ts';

type Cost = (size: number) => number;

/** Returns sizes from `least` up to `largest`, each twice as large as the one before. */
const doubled = (largest: number, least = 1): number[] =>
  Array.from({ length: Math.floor(Math.log2(largest / least)) + 1 }, (_, i) => least * 2 ** i);
const pointsOf = (cost: Cost, sizes: readonly number[]): CostPoint[] => sizes.map((size) => ({ size, cost: cost(size) }));

const KNOWN: readonly (readonly [name: string, cost: Cost, exponent: number])[] = [
  ['n', (n) => n, 1],
  ['5n + 3', (n) => 5 * n + 3, 1],
  ['n beside a large constant part', (n) => 1_000_000_007 + 2 * n, 1],
  ['n²', (n) => n * n, 2],
  ['n² beside a large constant part', (n) => 10 ** 12 + n * n, 2],
  ['n² beside 100n', (n) => n * n + 100 * n + 17, 2],
  ['all pairs', (n) => (n * (n - 1)) / 2, 2],
  ['n³', (n) => n ** 3, 3],
  ['n³ beside lower powers', (n) => n ** 3 + 50 * n * n + 7 * n + 90_000, 3],
  ['n·m where both grow', (n) => 3 * n * (n + 2) + 4, 2],
  ['texts, a unit each ten characters', (n) => Math.ceil(n / 10), 1],
  ['texts beside a constant part', (n) => 1000 + 3 * Math.ceil(n / 10), 1],
  ['n texts of n characters', (n) => n * Math.ceil(n / 10), 2],
  ['texts beside elements', (n) => 4 * n + Math.ceil(n / 10) + 12, 1],
];

describe('the exponent with which an exact cost grows', () => {
  it.each(KNOWN)('is found within 0.1 for sizes up to 64: %s', (_, cost, exponent) => {
    const growth = costGrowth(pointsOf(cost, doubled(64)));
    expect(growth.kind === 'grows' && Math.abs(growth.exponent - exponent)).toBeLessThanOrEqual(0.1);
  });

  it.each(KNOWN)('is found within 0.05 for sizes up to 1,024 or more: %s', (_, cost, exponent) => {
    const uneven = [1, 3, 5, 11, 20, 43, 90, 170, 350, 700, 1300];
    for (const sizes of [doubled(1024), doubled(65_536), doubled(2048, 32), doubled(1536, 3), uneven]) {
      const growth = costGrowth(pointsOf(cost, sizes));
      expect(growth.kind === 'grows' && Math.abs(growth.exponent - exponent)).toBeLessThanOrEqual(0.05);
    }
  });

  it('is 1 if the cost grows linearly in steps, whatever their width and height', () => {
    for (let width = 2; width <= 16; width++)
      for (const height of [1, 7])
        for (let phase = 0; phase < width; phase++) {
          const growth = costGrowth(pointsOf((n) => height * Math.ceil((n + phase) / width), doubled(1024)));
          expect(growth).toMatchObject({ kind: 'grows', exponent: 1, near: 'n' });
        }
  });

  it('has a name if the cost grows like n·log n or log n', () => {
    const sorting: Cost = (n) => 40 + n * Math.ceil(Math.log2(n));
    for (const largest of [64, 1024, 16_384]) {
      const slope = 1 + 1 / Math.log(largest);
      const growth = costGrowth(pointsOf(sorting, doubled(largest)));
      expect(growth).toMatchObject({ kind: 'grows', near: 'n log n' });
      expect(growth.kind === 'grows' && Math.abs(growth.exponent - slope)).toBeLessThanOrEqual(largest >= 1024 ? 0.05 : 0.1);
    }
    expect(costGrowth(pointsOf((n) => 7 + 3 * Math.log2(n), doubled(1024)))).toMatchObject({ kind: 'grows', exponent: 0, near: 'log n' });
  });

  it('has no name if the cost grows like n^1.5', () => {
    const growth = costGrowth(pointsOf((n) => 500 + Math.round(n ** 1.5), doubled(1024)));
    expect(growth).toMatchObject({ kind: 'grows', near: undefined, exactFrom: undefined });
    expect(growth.kind === 'grows' && growth.exponent).toBeCloseTo(1.5, 2);
  });

  it('is replaced by "flat" if the cost is constant for all sizes, or from some size on', () => {
    expect(costGrowth(pointsOf(() => 42, doubled(64)))).toEqual({ kind: 'flat', from: 1 });
    for (const bound of [2, 100, 512])
      expect(costGrowth(pointsOf((n) => Math.min(n, bound), doubled(1024)))).toEqual({
        kind: 'flat',
        from: 2 ** Math.ceil(Math.log2(bound)),
      });
    // Only the last size exceeds 600, at which the cost stops growing. One such point does not show the kind of growth, so `near` is undefined.
    expect(costGrowth(pointsOf((n) => Math.min(n, 600), doubled(1024)))).toMatchObject({ kind: 'grows', exponent: 0, near: undefined });
  });

  it('describes the largest sizes if the growth begins or changes at a threshold', () => {
    for (const threshold of [10, 33, 100, 250]) {
      const late = costGrowth(pointsOf((n) => 9 + 2 * Math.max(0, n - threshold), doubled(1024)));
      expect(late).toMatchObject({ kind: 'grows', exponent: 1, near: 'n' });
      const steeper = costGrowth(pointsOf((n) => (n <= threshold ? 7 * n : 7 * threshold + n * n), doubled(4096)));
      expect(steeper.kind === 'grows' && Math.abs(steeper.exponent - 2)).toBeLessThanOrEqual(0.05);
    }
  });

  it('is not reported for too few points', () => {
    expect(costGrowth(pointsOf((n) => n, [1, 2]))).toEqual({ kind: 'tooFew' });
    expect(costGrowth(pointsOf((n) => n, [1, 1, 2, 2, 0]))).toEqual({ kind: 'tooFew' });
    // A single rise at the end, or only a few steps, would fit any exponent.
    expect(costGrowth(pointsOf((n) => Math.max(512, n), doubled(1024)))).toEqual({ kind: 'tooFew' });
    expect(costGrowth(pointsOf((n) => Math.ceil(n / 25), doubled(64)))).toEqual({ kind: 'tooFew' });
  });

  it('does not depend on the order of the points', () => {
    const points = pointsOf((n) => 3 * n + 1, [64, 1, 16, 4, 32, 8, 2]);
    expect(costGrowth(points)).toEqual({ kind: 'grows', exponent: 1, near: 'n', exactFrom: 1 });
  });
});
