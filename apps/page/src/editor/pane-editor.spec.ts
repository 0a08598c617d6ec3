import { expect, it } from 'vitest';
import { changeBetween, lensWords } from './pane-editor.ts';

it.each([
  ['an insertion', 'ac', 'abc', { from: 1, to: 1, insert: 'b' }],
  ['a deletion', 'abc', 'ac', { from: 1, to: 2, insert: '' }],
  ['an insertion among equal characters', 'aa', 'aaa', { from: 2, to: 2, insert: 'a' }],
  ['a whole text', '', 'abc', { from: 0, to: 0, insert: 'abc' }],
  ['no change', 'abc', 'abc', undefined],
])('the editor replaces only the part of a text that changed: %s', (_, before, after, change) =>
  expect(changeBetween(before, after)).toEqual(change),
);

it.each([
  ['103', false, 'cost at most 103, under 0.1 % of the limit'],
  ['5894144', false, 'cost at most 5,894,144, 58.9 % of the limit'],
  ['15000000', true, '↑ too expensive: 50 % over the limit'],
  ['345880409620000000', true, '↑ too expensive: 35 billion × over the limit'],
  ['18000000000000000000', true, '↑ too expensive: 1.8 trillion × over the limit'],
])('the editor shows the cost %s in words', (totalCost, isTooExpensive, words) =>
  expect(lensWords({ totalCost, isTooExpensive })).toBe(words),
);
