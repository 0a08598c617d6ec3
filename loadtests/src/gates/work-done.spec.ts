import { describe, expect, it } from 'vitest';
import { baselineOf } from './baselines.ts';
import { countWork, growthBetween } from './work-done.ts';
import type { CountedWork } from './work-done.ts';

const counted = countWork();

describe('the counted steps of an evaluation', () => {
  it('equal the baseline; `npm run loadtest -- baselines` records a new one', () => {
    const certain = (works: readonly CountedWork[]): CountedWork[] => works.filter(({ scatters }) => !scatters);
    expect(certain(counted)).toEqual(certain(baselineOf('work-done')));
  });

  it.each(counted)('grow with the length of the value no faster than the case allows: $name', (work) => {
    for (const figure of ['elementReads', 'costUnits', 'steps'] as const)
      expect([figure, growthBetween(work, figure) <= work.growth + (work.scatters ? 0.5 : 0.01)]).toEqual([figure, true]);
  });

  it('reveal quadratic work that cost units do not show', () => {
    const linearCost = { short: { elementReads: 160_000, costUnits: 2003 }, long: { elementReads: 2_560_000, costUnits: 8003 } };
    expect(growthBetween(linearCost, 'costUnits')).toBeLessThan(1.01);
    expect(growthBetween(linearCost, 'elementReads')).toBeCloseTo(2);
  });
});
