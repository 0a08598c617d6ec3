import { expect, it } from 'vitest';
import { lensWords } from './lens-words.ts';

it.each([
  ['103', false, 'cost at most 103, under 0.1 % of the limit'],
  ['5894144', false, 'cost at most 5,894,144, 58.9 % of the limit'],
  ['15000000', true, '↑ too expensive: 50 % over the limit'],
  ['345880409620000000', true, '↑ too expensive: 35 billion × over the limit'],
  ['18000000000000000000', true, '↑ too expensive: 1.8 trillion × over the limit'],
])('shows %s as text', (totalCost, isTooDear, words) => expect(lensWords({ totalCost, isTooDear })).toBe(words));
