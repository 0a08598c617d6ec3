import { describe, expect, it } from 'vitest';
import { Float, readJson } from '#go';
import type { JsonValue } from '#go';
import { areDistinct } from './distinct.ts';

const numbers = (length: number, of: (i: number) => unknown): unknown[] => Array.from({ length }, (_, i) => of(i));

describe('areDistinct', () => {
  it.each([
    ['integers in order', (i: number) => i],
    ['integers far apart', (i: number) => i * 7919 * 104_729 - 2 ** 52],
    ['integers that differ above 32 bits', (i: number) => i * 2 ** 33],
    ['strings', (i: number) => `name-${i}`],
    ['strings of all lengths', (i: number) => 'x'.repeat(i)],
  ])('finds no duplicate in %s, and one after an element is repeated', (_, of) => {
    for (const length of [0, 1, 2, 12, 13, 1000]) {
      const values = numbers(length, of);
      expect(areDistinct(values), `${length}`).toBe(true);
      for (const at of [0, Math.floor(length / 2), length - 1]) {
        if (length > 0) expect(areDistinct([...values, values[at]]), `${length}, ${at} again`).toBe(false);
      }
    }
  });

  it('returns false for lists with values of other or mixed kinds', () => {
    for (const other of [null, 1.5, 1n, true, new Float(1), 'a', Symbol('s')]) {
      expect(areDistinct([1, other])).toBe(false);
      expect(areDistinct([...numbers(20, (i) => i), other])).toBe(false);
    }
  });

  it('finds duplicates in lists of integers that readJson returned', () => {
    const read = (list: readonly number[]): JsonValue[] => {
      const reading = readJson(JSON.stringify(list));
      return reading.ok ? (reading.value as JsonValue[]) : [];
    };
    const list = Array.from({ length: 200 }, (_, i) => 100 - i);
    expect(areDistinct(read(list))).toBe(true);
    expect(areDistinct(read([...list, 7]))).toBe(false);
    expect(areDistinct(read([...list, 900_000_000]))).toBe(true);
    expect(areDistinct(read([...list, 900_000_000, 3]))).toBe(false);
  });
});
