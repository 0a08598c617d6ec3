import { describe, expect, it } from 'vitest';
import { goSort } from './sort.ts';

function order(keys: readonly number[]): number[] {
  const indices = keys.map((_, index) => index);
  goSort(indices, (a, b) => (keys[a] as number) < (keys[b] as number));
  return indices;
}

describe('goSort', () => {
  it('orders equal elements as Go does', () => {
    const keys = Array.from({ length: 16 }, (_, index) => index % 3);
    expect(order(keys)).toEqual([6, 15, 12, 3, 0, 9, 4, 7, 10, 13, 1, 8, 5, 11, 2, 14]);
  });

  it('does not move elements across a NaN', () => {
    expect(order([3, NaN, 1, 2])).toEqual([0, 1, 2, 3]);
  });

  it('sorts numbers', () => {
    const keys = Array.from({ length: 5000 }, (_, index) => (index * 7919) % 5003);
    expect(order(keys).map((index) => keys[index])).toEqual(keys.toSorted((a, b) => a - b));
  });
});
