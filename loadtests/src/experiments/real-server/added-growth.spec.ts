import { expect, it } from 'vitest';
import { seededRandom } from '../../../../testing/seeded-random.ts';
import { addedGrowth } from './added-growth.ts';

const random = seededRandom(3);
/** Returns differences of twenty pairs around a time, with noise of up to a share of the time in both directions. */
const around = (ms: number, noise: number): number[] => Array.from({ length: 20 }, () => ms * (1 + noise * (2 * random() - 1)));

it.each([1, 2, 3])('the growth of added times has the exponent %d, also with noise', (exponent) => {
  const growth = addedGrowth([20, 28, 40, 56].map((size) => ({ size, differences: around(0.03 * size ** exponent, 0.3) })));
  expect(growth?.exponent).toBeCloseTo(exponent, 0);
  expect(growth?.lo).toBeLessThan(exponent + 0.15);
  expect(growth?.hi).toBeGreaterThan(exponent - 0.15);
});

it('added times have no decided growth after a slow phase at one size, with a median up to 0, or with too few sizes', () => {
  const sizes = [20, 28, 40, 56].map((size) => ({ size, differences: around(0.03 * size ** 2, 0.05) }));
  expect(addedGrowth(sizes)).toBeDefined();
  expect(
    addedGrowth(sizes.map((one, i) => (i === 2 ? { ...one, differences: one.differences.map((ms) => ms / 2) } : one))),
  ).toBeUndefined();
  expect(addedGrowth(sizes.map((one, i) => (i === 0 ? { ...one, differences: around(-1, 0.1) } : one)))).toBeUndefined();
  expect(addedGrowth(sizes.slice(0, 2))).toBeUndefined();
});
