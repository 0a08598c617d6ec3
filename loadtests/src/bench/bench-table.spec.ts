import { describe, expect, it } from 'vitest';
import { benchText, holds } from './bench-table.ts';
import type { BenchTable, WantedFigure } from './bench-table.ts';

const tableOf = (wanted: readonly WantedFigure[], isForInformation = false): BenchTable => ({
  columns: ['what'],
  rows: [['a']],
  wanted,
  isForInformation,
  notes: [],
});

describe('the table of measured figures with their bounds', () => {
  it.each([
    [{ name: 'ms', value: 2, most: 2 }, true, /ms\s+2\s+≤ 2\s+met/],
    [{ name: 'ms', value: 2.1234, most: 2 }, false, /ms\s+2.12\s+≤ 2\s+FAILS/],
    [{ name: 'a second', value: 99_000, least: 100_000 }, false, /a second\s+99,000\s+≥ 100,000\s+FAILS/],
    [{ name: 'ms', value: undefined, most: 2 }, true, /ms\s+not measured\s+≤ 2\n/],
    [{ name: 'ms', value: Number.NaN, most: 2 }, true, /ms\s+not measured\s+≤ 2\n/],
  ])('fails for a figure beyond its bound, but not for a figure that was not measured: %o', (figure, isGood, text) => {
    expect(holds(tableOf([figure]))).toBe(isGood);
    expect(benchText(tableOf([figure]))).toMatch(text);
  });

  it('never fails if its bounds are only for information', () => {
    const table = tableOf([{ name: 'ms', value: 3, most: 2 }], true);
    expect(holds(table)).toBe(true);
    expect(benchText(table)).toMatch(/missed/);
  });
});
