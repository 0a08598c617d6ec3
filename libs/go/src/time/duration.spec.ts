import { describe, expect, it } from 'vitest';
import { formatDuration, parseDuration } from './duration.ts';

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
  ])('reads %s as Go does', (text, nanos) => {
    expect(parseDuration(text)).toEqual({ ok: true, nanos });
  });

  it.each([
    ['', 'time: invalid duration ""'],
    ['3', 'time: missing unit in duration "3"'],
    ['1d', 'time: unknown unit "d" in duration "1d"'],
    ['.s', 'time: invalid duration ".s"'],
    ['-', 'time: invalid duration "-"'],
    ['9223372036854775808ns', 'time: invalid duration "9223372036854775808ns"'],
  ])('rejects %s', (text, error) => {
    expect(parseDuration(text)).toEqual({ ok: false, error });
  });
});

describe('formatDuration', () => {
  it.each([
    [0n, '0s'],
    [1n, '1ns'],
    [1500n, '1.5µs'],
    [1500000n, '1.5ms'],
    [999999999n, '999.999999ms'],
    [59999999999n, '59.999999999s'],
    [60000000000n, '1m0s'],
    [90500000000n, '1m30.5s'],
    [5400000000000n, '1h30m0s'],
    [-2000000n, '-2ms'],
    [-9223372036854775808n, '-2562047h47m16.854775808s'],
  ])('writes %s nanoseconds as %s', (nanos, text) => {
    expect(formatDuration(nanos)).toBe(text);
  });
});
