import { expect, it } from 'vitest';
import { gatesText } from './sorted-gates.ts';
import type { Gate } from './summary.ts';

const gates = (held: number, failed: number, notMeasured: number): Pick<Gate, 'verdict'>[] => [
  ...Array.from({ length: held }, () => ({ verdict: 'holds' }) as const),
  ...Array.from({ length: failed }, () => ({ verdict: 'fails' }) as const),
  ...Array.from({ length: notMeasured }, () => ({ verdict: 'not measured' }) as const),
];

it.each([
  [0, 0, 0, 'there are no gates'],
  [1, 0, 0, 'the only gate holds'],
  [0, 0, 1, 'the only gate was not measured'],
  [5, 0, 0, 'all 5 gates hold'],
  [4, 1, 0, '1 of 5 gates fails'],
  [3, 0, 2, '3 of 5 gates hold, 2 were not measured'],
  [2, 2, 1, '2 of 5 gates fail, 1 was not measured'],
  [0, 0, 4, 'none of 4 gates was measured'],
])('of %i held, %i failed and %i missing gates says: %s', (held, failed, notMeasured, text) => {
  expect(gatesText(gates(held, failed, notMeasured))).toBe(text);
});
