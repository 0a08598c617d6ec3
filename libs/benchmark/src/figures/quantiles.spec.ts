import { describe, expect, it } from 'vitest';
import { seededRandom } from '../../../../testing/seeded-random.ts';
import { estimatePercentile, median, percentile } from './quantiles.ts';

describe('percentiles', () => {
  it('use the nearest rank, in any order of samples', () => {
    expect([0, 50, 90, 100].map((p) => percentile([4, 1, 3, 2], p))).toEqual([1, 2, 4, 4]);
    expect(percentile([10, 9, -1], 0)).toBe(-1);
    expect(median([])).toBeUndefined();
  });

  it('have a confidence interval only if there are enough samples', () => {
    const upTo = (count: number): number[] => Array.from({ length: count }, (_, i) => i + 1);
    expect(estimatePercentile(upTo(5), { p: 50 })).toEqual({ kind: 'tooFew' });
    expect(estimatePercentile(upTo(6), { p: 50 })).toEqual({ kind: 'estimated', value: 3, lo: 1, hi: 6 });
    // The expected ranks come from tables of binomial intervals for 100 samples.
    expect(estimatePercentile(upTo(100), { p: 50 })).toEqual({ kind: 'estimated', value: 50, lo: 40, hi: 61 });
    expect(estimatePercentile(upTo(367), { p: 99 })).toEqual({ kind: 'tooFew' });
    expect(estimatePercentile(upTo(368), { p: 99 })).toMatchObject({ kind: 'estimated', hi: 368 });
    expect(estimatePercentile(upTo(100), { p: 100 })).toEqual({ kind: 'tooFew' });
  });

  it.each([
    [50, 0.05],
    [10, 0.05],
    [95, 0.01],
  ])('have an interval that contains the true p%d as often as its confidence level states, for a skewed distribution', (p, error) => {
    const random = seededRandom(p);
    const truth = -Math.log(1 - p / 100);
    let missed = 0;
    const runs = 400;
    for (let run = 0; run < runs; run++) {
      const samples = Array.from({ length: 200 }, () => -Math.log(1 - random()));
      const reported = estimatePercentile(samples, { p, error });
      if (reported.kind === 'estimated' && (reported.lo > truth || reported.hi < truth)) missed += 1;
    }
    expect(missed).toBeLessThanOrEqual(error * runs * 1.2);
  });
});
