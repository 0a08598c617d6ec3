import { expect, it } from 'vitest';
import { seededRandom, shuffled } from './seeded-random.ts';

it('a seeded shuffle contains all items, and is the same for the same seed', () => {
  const items = Array.from({ length: 50 }, (_, i) => i);
  expect(shuffled(items, seededRandom(3))).toEqual(shuffled(items, seededRandom(3)));
  expect(shuffled(items, seededRandom(3))).not.toEqual(items);
  expect(shuffled(items, seededRandom(3)).toSorted((a, b) => a - b)).toEqual(items);
});
