import { expect, it } from 'vitest';
import { collidingDoubles, collidingIntegers } from '../../../testing/colliding-words.ts';
import { NumberTable, SeededSet } from './seeded-set.ts';
import type { SeededKey } from './seeded-set.ts';

const NAMED = {};
const SYMBOL = Symbol('s');
const KINDS: readonly SeededKey[] = [
  '1',
  1,
  1n,
  true,
  null,
  undefined,
  NAMED,
  SYMBOL,
  'NaN',
  NaN,
  -0,
  0,
  '0',
  0n,
  2n ** 63n,
  1.5,
  Infinity,
  -Infinity,
  {},
];

it('tells apart what a set tells apart, few values and many', () => {
  for (const many of [0, 10, 5000]) {
    const numbers = Array.from({ length: many }, (_, i) => i * 7919.25 - 1000);
    const set = new Set<SeededKey>();
    const seeded = new SeededSet();
    for (const key of [...KINDS, ...numbers, ...KINDS, ...numbers]) {
      expect(seeded.has(key)).toBe(set.has(key));
      expect(seeded.add(key)).toBe(!set.has(key));
      set.add(key);
      expect(seeded.size).toBe(set.size);
    }
    expect([...KINDS, ...numbers].every((key) => seeded.has(key))).toBe(true);
    expect(seeded.has('absent') || seeded.has(0.125) || seeded.has(5n) || seeded.has({})).toBe(false);
  }
});

it('numbers what it is given in order', () => {
  const table = new NumberTable(2);
  const given = [5, 5, NaN, -0, 7.5, 0, NaN, ...Array.from({ length: 1000 }, (_, i) => 100 + i)];
  expect(given.map((number) => table.add(number)).slice(0, 8)).toEqual([0, 0, 1, 2, 3, 2, 1, 4]);
  expect([table.size, table.indexOf(7.5), table.indexOf(1099), table.indexOf(6)]).toEqual([1004, 3, 1003, -1]);
});

/** Milliseconds of a set of values, and of as many others. */
function milliseconds(keys: readonly SeededKey[]): number {
  const begin = performance.now();
  expect(new SeededSet(keys).size).toBe(keys.length);
  return performance.now() - begin;
}

it.each([
  ['doubles', collidingDoubles(40_000)],
  ['integers', collidingIntegers(40_000)],
])('is not flooded by %s that the runtime puts in one place', (_, keys) => {
  milliseconds(keys);
  // A `Set` takes some 3,000 ms for them.
  expect(milliseconds(keys)).toBeLessThan(400);
});
