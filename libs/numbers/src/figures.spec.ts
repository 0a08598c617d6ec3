import { describe, expect, it } from 'vitest';
import { bytesText, countedText, countText, growthText, shareText, timesText, timeText } from './figures.ts';

describe('figures for people', () => {
  it.each([
    [0, '0 ms'],
    [0.000_25, '250 ns'],
    [0.25, '250 µs'],
    [-3.2, '−3.2 ms'],
    [1500, '1.5 s'],
    [100_000, '100 s'],
    [125_000, '2 min 5 s'],
    [180_000, '3 min'],
    [4_980_000, '1 h 23 min'],
    [3_599_600, '1 h'],
  ])('%s ms are %s', (ms, text) => expect(timeText(ms)).toBe(text));

  it('are "not measured" if they are missing', () => {
    for (const text of [timeText, countText, bytesText, shareText, timesText, growthText])
      for (const none of [undefined, Number.NaN, Number.POSITIVE_INFINITY]) expect(text(none)).toBe('not measured');
  });

  it('use singular and plural', () => {
    expect([0, 1, 2].map((count) => countedText(count, 'experiment'))).toEqual(['0 experiments', '1 experiment', '2 experiments']);
  });
});
