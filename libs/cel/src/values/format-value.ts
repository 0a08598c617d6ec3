import { Float, formatFloat, formatRfc3339Nano } from '#go';
import { toText } from './convert.ts';
import { isList, isMap } from './type-of.ts';
import { CelError, Duration, Optional, Timestamp } from './value.ts';
import type { CelValue } from './value.ts';

/** Returns a value as Go's `%v` prints it in error messages. */
export function formatValue(value: CelValue): string {
  if (typeof value === 'string') return value;
  if (value === null) return '0';
  if (value instanceof Float) return formatFloat(value.value);
  if (value instanceof CelError) return value.message;
  if (value instanceof Timestamp) return formatGoTime(value);
  if (value instanceof Duration) return formatGoDuration(value.nanos);
  if (value instanceof Uint8Array) return `[${[...value].join(' ')}]`;
  if (value instanceof Optional) return value.value === undefined ? 'optional.none()' : `optional(${formatValue(value.value)})`;
  if (isList(value)) {
    return `[${Array.from({ length: value.size }, (_, index) => formatValue(value.at(index))).join(', ')}]`;
  }
  if (isMap(value)) return `{${[...value.keys()].map((key) => `${formatValue(key)}: ${formatValue(value.get(key) ?? null)}`).join(', ')}}`;
  const text = toText(value);
  return typeof text === 'string' ? text : '';
}

/** Formats a timestamp as Go's time.Time prints it: `2006-01-02 15:04:05.999999999 -0700 MST`. */
function formatGoTime(instant: Timestamp): string {
  const [date, rest] = formatRfc3339Nano(instant).split('T') as [string, string];
  const match = /^([\d:.]+)(Z|[+-]\d\d:\d\d)$/.exec(rest) as RegExpExecArray;
  const zone = match[2] === 'Z' ? '+0000 UTC' : `${(match[2] as string).replace(':', '')} ${(match[2] as string).replace(':', '')}`;
  return `${date} ${match[1]} ${zone}`;
}

/** Formats a duration as Go's time.Duration prints it: `1h2m3.5s`. */
function formatGoDuration(nanos: bigint): string {
  if (nanos === 0n) return '0s';
  const sign = nanos < 0n ? '-' : '';
  const size = nanos < 0n ? -nanos : nanos;
  const decimal = (value: bigint, unit: bigint): string => {
    const fraction = String(value % unit).padStart(String(unit).length - 1, '0');
    return `${value / unit}${unit === 1n ? '' : `.${fraction}`.replace(/\.?0+$/, '')}`;
  };
  if (size < 1_000n) return `${sign}${size}ns`;
  if (size < 1_000_000n) return `${sign}${decimal(size, 1_000n)}µs`;
  if (size < 1_000_000_000n) return `${sign}${decimal(size, 1_000_000n)}ms`;
  const hours = size / 3_600_000_000_000n;
  const minutes = (size / 60_000_000_000n) % 60n;
  const seconds = decimal(size % 60_000_000_000n, 1_000_000_000n);
  return `${sign}${hours > 0n ? `${hours}h` : ''}${hours > 0n || minutes > 0n ? `${minutes}m` : ''}${seconds}s`;
}
