import { expect, it } from 'vitest';
import { collidingDoubles, collidingIntegers } from '../../../testing/colliding-words.ts';
import { nativeNumberKeys } from '../../../testing/native-keys.ts';
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

it('a SeededSet distinguishes the same values as a `Set`, with few values and with many', () => {
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

it('a NumberTable numbers values in the order of insertion', () => {
  const table = new NumberTable(2);
  const given = [5, 5, NaN, -0, 7.5, 0, NaN, ...Array.from({ length: 1000 }, (_, i) => 100 + i)];
  expect(given.map((number) => table.add(number)).slice(0, 8)).toEqual([0, 0, 1, 2, 3, 2, 1, 4]);
  expect([table.size, table.indexOf(7.5), table.indexOf(1099), table.indexOf(6)]).toEqual([1004, 3, 1003, -1]);
});

it.each([
  ['doubles', collidingDoubles(5000)],
  ['integers', collidingIntegers(5000)],
])('a SeededSet puts at most 16 %s into hash tables without a seed', (_, keys) => {
  const count = nativeNumberKeys(() => {
    expect(new SeededSet(keys).size).toBe(keys.length);
  });
  expect(count).toBeLessThanOrEqual(16);
});

/** Returns the CPU time, in microseconds, that this thread needs to add the numbers to a table. It is the lowest of five measurements. */
function cpuTime(numbers: readonly number[]): number {
  const times = Array.from({ length: 5 }, () => {
    const before = process.threadCpuUsage().user;
    const table = new NumberTable();
    for (const number of numbers) table.add(number);
    return process.threadCpuUsage().user - before;
  });
  return Math.min(...times);
}

it('a NumberTable is not slowed down by numbers that collide in a hash table without a seed', () => {
  const [chosen, ordinary] = [collidingDoubles(20_000), Array.from({ length: 20_000 }, (_, i) => i / 3 + 0.1)];
  // In a `Set`, the chosen numbers take about 300 times as long as the ordinary numbers.
  expect(cpuTime(chosen)).toBeLessThan(30 * (cpuTime(ordinary) + 1000));
});
