import { describe, expect, it } from 'vitest';
import { formatRfc3339Micro, formatRfc3339Nano, parseTime, RFC3339, RFC3339_DATE } from './time.ts';

describe('parseTime', () => {
  it.each([
    ['2024-02-29T12:00:00Z', '2024-02-29T12:00:00Z'],
    ['2024-02-29T12:00:00.120Z', '2024-02-29T12:00:00.12Z'],
    ['2024-02-29T12:00:00,5Z', '2024-02-29T12:00:00.5Z'],
    ['0001-01-01T00:00:00+05:30', '0001-01-01T00:00:00+05:30'],
    ['9999-12-31T23:59:59.999999999-08:00', '9999-12-31T23:59:59.999999999-08:00'],
  ])('reads %s as %s', (text, written) => {
    const result = parseTime(RFC3339, text);
    expect(result.ok ? formatRfc3339Nano(result.instant) : result.error).toBe(written);
  });

  it.each([
    [RFC3339, '2023-02-29T00:00:00Z', 'parsing time "2023-02-29T00:00:00Z": day out of range'],
    [RFC3339, '2024-13-01T00:00:00Z', 'parsing time "2024-13-01T00:00:00Z": month out of range'],
    [RFC3339, '2024-01-01T24:00:00Z', 'parsing time "2024-01-01T24:00:00Z": hour out of range'],
    [RFC3339, '2024-01-01', 'parsing time "2024-01-01" as "2006-01-02T15:04:05Z07:00": cannot parse "" as "T"'],
    [RFC3339_DATE, '2024-1-01', 'parsing time "2024-1-01" as "2006-01-02": cannot parse "1-01" as "01"'],
    [RFC3339_DATE, '2024-01-01x', 'parsing time "2024-01-01x": extra text: "x"'],
  ])('with the layout %s rejects %s', (layout, text, error) => {
    expect(parseTime(layout, text)).toEqual({ ok: false, error });
  });

  it('formatRfc3339Micro() writes all six digits of microseconds', () => {
    expect(formatRfc3339Micro({ seconds: 0, nanos: 1_234_567, offset: 0 })).toBe('1970-01-01T00:00:00.001234Z');
  });
});
