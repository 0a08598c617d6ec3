import { quoteTime } from './time.ts';

/** Result of parsing a duration: int64 nanoseconds, or Go's error text. */
export type DurationResult = { readonly ok: true; readonly nanos: bigint } | { readonly ok: false; readonly error: string };

const UNIT_NANOS: Readonly<Record<string, bigint>> = {
  ns: 1n,
  us: 1_000n,
  µs: 1_000n,
  μs: 1_000n,
  ms: 1_000_000n,
  s: 1_000_000_000n,
  m: 60_000_000_000n,
  h: 3_600_000_000_000n,
};
const LIMIT = 2n ** 63n;

/** Parses a duration such as `1h30m`, `-1.5s` or `0` in the same way as Go's time.ParseDuration. Source: Go time/format.go. */
export function parseDuration(text: string): DurationResult {
  const invalid = (): DurationResult => ({ ok: false, error: `time: invalid duration ${quoteTime(text)}` });
  const negative = text.startsWith('-');
  let rest = /^[-+]/.test(text) ? text.slice(1) : text;
  if (rest === '0') return { ok: true, nanos: 0n };
  if (rest === '') return invalid();
  let total = 0n;
  while (rest !== '') {
    const number = /^(\d*)(?:\.(\d*))?/.exec(rest) as RegExpExecArray;
    const [whole, fraction] = [number[1] ?? '', number[2] ?? ''];
    if (whole === '' && fraction === '') return invalid();
    const count = leadingInteger(whole);
    if (count === undefined || count > LIMIT) return invalid();
    rest = rest.slice(number[0].length);
    const unitText = (/^[^.\d]*/.exec(rest) as RegExpExecArray)[0];
    if (unitText === '') return { ok: false, error: `time: missing unit in duration ${quoteTime(text)}` };
    const unit = Object.hasOwn(UNIT_NANOS, unitText) ? (UNIT_NANOS[unitText] as bigint) : undefined;
    if (unit === undefined) return { ok: false, error: `time: unknown unit ${quoteTime(unitText)} in duration ${quoteTime(text)}` };
    rest = rest.slice(unitText.length);
    if (count > LIMIT / unit) return invalid();
    total += count * unit + fractionNanos(fraction, Number(unit));
    if (total > LIMIT) return invalid();
  }
  if (negative) return { ok: true, nanos: -total };
  return total > LIMIT - 1n ? invalid() : { ok: true, nanos: total };
}

/** Number of digits of 2^63. */
const LIMIT_DIGITS = 19;

/** Returns the integer value of a sequence of digits, which may be empty. Returns undefined if it has more significant digits than 2^63. */
function leadingInteger(digits: string): bigint | undefined {
  const significant = digits.length > LIMIT_DIGITS ? digits.replace(/^0+/, '') : digits;
  return significant.length > LIMIT_DIGITS ? undefined : BigInt(significant);
}

/**
 * Returns the digits after the decimal point as nanoseconds. `unit` is the number of nanoseconds of the duration's unit. As in Go, they are
 * computed in float64, and digits beyond int64 are ignored.
 */
function fractionNanos(digits: string, unit: number): bigint {
  let value = 0n;
  let scale = 1;
  for (const digit of digits) {
    const next = value * 10n + BigInt(digit);
    if (value > (LIMIT - 1n) / 10n || next > LIMIT) break;
    value = next;
    scale *= 10;
  }
  return value === 0n ? 0n : BigInt(Math.trunc(Number(value) * (unit / scale)));
}

/** Returns a number of nanoseconds as Go's Duration prints it: `1h30m0s`, `1.5ms`, `0s`. Source: Go time/time.go `Duration.String`. */
export function formatDuration(nanos: bigint): string {
  if (nanos === 0n) return '0s';
  const size = nanos < 0n ? -nanos : nanos;
  const sign = nanos < 0n ? '-' : '';
  if (size < 1_000n) return `${sign}${size}ns`;
  if (size < 1_000_000n) return `${sign}${decimal(size, 3)}µs`;
  if (size < 1_000_000_000n) return `${sign}${decimal(size, 6)}ms`;
  const minutes = size / 60_000_000_000n;
  const seconds = `${decimal(size % 60_000_000_000n, 9)}s`;
  if (minutes === 0n) return sign + seconds;
  return minutes < 60n ? `${sign}${minutes}m${seconds}` : `${sign}${minutes / 60n}h${minutes % 60n}m${seconds}`;
}

/** Returns the value of `value / 10^digits` as text without trailing zeros. */
function decimal(value: bigint, digits: number): string {
  const unit = 10n ** BigInt(digits);
  const fraction = (value % unit).toString().padStart(digits, '0').replace(/0+$/, '');
  return fraction === '' ? `${value / unit}` : `${value / unit}.${fraction}`;
}

/**
 * Pattern of one number with its unit. It matches only from the first digit of a number. If every digit could start a match, a long number
 * without a unit would take quadratic time.
 */
// Blanks are those of RE2: no others of Unicode.
const PIECES = /(?<!\d)(\d+)[\t\n\f\r ]*([A-Za-zµ]+)/g;
/**
 * Unit names that OpenAPI's duration format accepts, with the nanoseconds of each unit. A word that only begins with the last name of a
 * row, such as `minutes`, is also accepted.
 */
const LENIENT_UNITS: readonly (readonly [nanos: bigint, names: readonly string[]])[] = [
  [1n, ['ns', 'nano']],
  [1_000n, ['us', 'µs', 'micro']],
  [1_000_000n, ['ms', 'milli']],
  [1_000_000_000n, ['s', 'sec']],
  [60_000_000_000n, ['m', 'min']],
  [3_600_000_000_000n, ['h', 'hr', 'hour']],
  [86_400_000_000_000n, ['d', 'day']],
  [604_800_000_000_000n, ['w', 'wk', 'week']],
];

/**
 * Parses a value of OpenAPI's duration format. If the value is not in Go's syntax, the result is the sum of all parts such as `3 days` in
 * the text. The sum overflows like an int64. Source: kube-openapi pkg/validation/strfmt/duration.go `ParseDuration`.
 */
export function parseLenientDuration(text: string): DurationResult {
  const strict = parseDuration(text);
  if (strict.ok) return strict;
  let total = 0n;
  let found = false;
  for (const [, digits, word] of text.matchAll(PIECES)) {
    const factor = leadingInteger(digits as string);
    if (factor === undefined || factor >= LIMIT) return { ok: false, error: `strconv.Atoi: parsing "${digits}": value out of range` };
    const unit = (word as string).toLowerCase();
    for (const [nanos, names] of LENIENT_UNITS) {
      const matches = names.filter((name, index) => name === unit || (index === names.length - 1 && unit.startsWith(name))).length;
      if (matches > 0) found = true;
      total += BigInt(matches) * factor * nanos;
    }
  }
  return found ? { ok: true, nanos: BigInt.asIntN(64, total) } : { ok: false, error: `unable to parse ${text} as duration` };
}
