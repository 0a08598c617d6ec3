import { describe, expect, it } from 'vitest';
import { parseDuration } from './duration.ts';

describe('parseDuration', () => {
  it.each([
    ['0', 0n],
    ['1h30m', 5_400_000_000_000n],
    ['-1.5s', -1_500_000_000n],
    ['+5us', 5_000n],
    ['3µs', 3_000n],
    ['3μs', 3_000n],
    ['.5m', 30_000_000_000n],
    ['0.100000000000000000000h', 360_000_000_000n],
    ['9223372036854775807ns', 2n ** 63n - 1n],
    ['-9223372036854775808ns', -(2n ** 63n)],
  ])('%s', (text, nanos) => {
    expect(parseDuration(text)).toEqual({ ok: true, nanos });
  });

  it.each([
    ['', 'time: invalid duration ""'],
    ['3', 'time: missing unit in duration "3"'],
    ['1d', 'time: unknown unit "d" in duration "1d"'],
    ['.s', 'time: invalid duration ".s"'],
    ['-', 'time: invalid duration "-"'],
    ['9223372036854775808ns', 'time: invalid duration "9223372036854775808ns"'],
  ])('%s is refused', (text, error) => {
    expect(parseDuration(text)).toEqual({ ok: false, error });
  });
});
