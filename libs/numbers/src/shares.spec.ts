import { expect, it } from 'vitest';
import { roughPercent } from './shares.ts';

it('roughPercent never shows a positive share as zero', () => {
  expect([0, 1e-9, 0.012, 0.0999, 0.5, 1].map(roughPercent)).toEqual(['0 %', 'below 0.1 %', '1.2 %', '10 %', '50 %', '100 %']);
});
