import { describe, expect, it } from 'vitest';
import { readJson } from './json/read-json.ts';
import { parseSemver } from './semver.ts';
import { parseDuration, parseLenientDuration } from './time/duration.ts';
import { readYaml } from './yaml/read-yaml.ts';

/**
 * Number of digits for which a slow algorithm exceeds the time limit of a test. Slow algorithms are a conversion to a BigInt, and a scan
 * that starts again at each digit.
 */
const MANY = 6_000_000;
const digits = (digit: string, count = MANY): string => digit.repeat(count);

/** Returns the value of a YAML scalar, or the length of the value if it is a text. */
function scalar(text: string): unknown {
  const reading = readYaml(`a: ${text}`);
  const value = reading.ok ? (reading.value as { a: unknown }).a : reading.error;
  return typeof value === 'string' ? value.length : value;
}

describe('numbers with many digits', () => {
  it.each([
    ['decimal', digits('9'), MANY],
    ['hexadecimal', `0x${digits('f')}`, MANY + 2],
    ['octal', `0o${digits('7')}`, MANY + 2],
    ['binary', `0b${digits('1')}`, MANY + 2],
    ['zeros before a hexadecimal one', `0x${digits('0')}1f`, 31],
    ['zeros before a binary one', `0b${digits('0')}11`, 3],
    ['zeros before an octal one', `0${digits('0')}17`, 15],
    ['those of a fraction', `0.${digits('3')}`, 1 / 3],
  ])('are read in linear time, in YAML: %s', (_, text, value) => {
    expect(scalar(text)).toBe(value);
  });

  it('are read in linear time, in JSON', () => {
    expect(readJson(`{"a":${digits('9')}}`)).toMatchObject({ value: { a: null } });
    expect(readJson(`{"a":9223372036854775807,"b":9223372036854775808}`)).toMatchObject({
      ok: true,
      value: { a: 9_223_372_036_854_775_807n, b: { value: 2 ** 63 } },
    });
  });

  it('are read in linear time, in durations and versions', () => {
    expect(parseDuration(`${digits('9')}h`)).toMatchObject({ ok: false });
    expect(parseDuration(`${digits('0')}1h`)).toEqual({ ok: true, nanos: 3_600_000_000_000n });
    expect(parseLenientDuration(digits('9', 300_000))).toMatchObject({ ok: false });
    expect(parseLenientDuration(`${digits('9')} days`)).toMatchObject({ ok: false });
    expect(parseLenientDuration('2 days 3 hours')).toEqual({ ok: true, nanos: 183_600_000_000_000n });
    expect(parseSemver(`${digits('9')}.0.0`)).toMatchObject({ ok: false });
    expect(parseSemver('18446744073709551615.0.0').ok).toBe(true);
  });
});
