import { expect, it } from 'vitest';
import { retentionOf } from './limits.ts';

const MIB = 1024 * 1024;

it.each([
  [0, 3_600_000, 3_600_000],
  [4 * MIB, 3_600_000, 3_600_000],
  [8 * MIB, 3_600_000, 1_800_000],
  [16 * MIB, 3_600_000, 900_000],
  [1024 * MIB, 3_600_000, 300_000],
  [1024 * MIB, 1000, 1000],
])('with %i bytes of results and a retention of %i ms, results are stored for %i ms', (bytes, whole, kept) => {
  expect(retentionOf(bytes, whole)).toBe(kept);
});
