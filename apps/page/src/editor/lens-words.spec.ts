import { expect, it } from 'vitest';
import { lensWords } from './lens-words.ts';

it.each([
  ['estimate 103 of 10,000,000 (0.0 %)', false, 'cost at most 103, under 0.1 % of the limit'],
  ['estimate 5,894,144 of 10,000,000 (58.9 %) = 5,756 × 1,024', false, 'cost at most 5,894,144, 58.9 % of the limit'],
  ['estimate 15,000,000 of 10,000,000 (150.0 %)', true, '✗ too expensive: 150.0 % of the limit'],
  ['estimate 3.5 × 10^17 of 10,000,000 (34,588,040,962 ×)', true, '✗ too expensive: 35 billion × over the limit'],
  ['estimate 1.8 × 10^19 of 10,000,000 (1.8 × 10^12 ×) = 2 × 9', true, '✗ too expensive: 1.8 × 10¹² × over the limit'],
  ['something else', true, '✗ something else'],
])('writes %s for people', (title, isTooDear, words) => expect(lensWords({ title, isTooDear })).toBe(words));
