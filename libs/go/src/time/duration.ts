import { quoteTime } from './time.ts';

/** Result of parsing a duration: int64 nanoseconds, or Go's error text. */
export type DurationResult = { readonly ok: true; readonly nanos: bigint } | { readonly ok: false; readonly error: string };

/** Nanoseconds of units with the letter `s`, by the code of the letter before it: `ns`, `us`, `µs`, `μs`, `ms`. */
const SECOND_PARTS: ReadonlyMap<number, number> = new Map([
  [0x6e, 1],
  [0x75, 1_000],
  [0xb5, 1_000],
  [0x3bc, 1_000],
  [0x6d, 1_000_000],
]);
/** Nanoseconds of units with one letter, by its code: `s`, `m`, `h`. */
const WHOLE_UNITS: ReadonlyMap<number, number> = new Map([
  [0x73, 1_000_000_000],
  [0x6d, 60_000_000_000],
  [0x68, 3_600_000_000_000],
]);
const LETTER_S = 0x73;
const LIMIT = 2n ** 63n;
const POINT = 0x2e;
/** Number of digits whose value is always a safe integer. */
const SAFE_DIGITS = 15;

/** Parses a duration such as `1h30m`, `-1.5s` or `0` in the same way as Go's time.ParseDuration. Source: Go time/format.go. */
export function parseDuration(text: string): DurationResult {
  const nanos = nanosOf(text);
  if (typeof nanos === 'bigint') return { ok: true, nanos };
  const { problem, unit } = nanos;
  return { ok: false, error: `time: ${problem} ${unit === undefined ? '' : `${quoteTime(unit)} in duration `}${quoteTime(text)}` };
}

/** Reason why a text is no duration, in Go's words, and the unknown unit if there is one. */
interface DurationProblem {
  readonly problem: 'invalid duration' | 'missing unit in duration' | 'unknown unit';
  readonly unit?: string;
}

const INVALID: DurationProblem = { problem: 'invalid duration' };

/** Returns the nanoseconds of a duration. Does not quote a text that is no duration, because it may be long. */
function nanosOf(text: string): bigint | DurationProblem {
  const negative = text.startsWith('-');
  let at = negative || text.startsWith('+') ? 1 : 0;
  if (text.length === at + 1 && text.endsWith('0')) return 0n;
  if (text.length === at) return INVALID;
  const sum = new Nanoseconds();
  while (at < text.length) {
    const wholeEnd = skipDigits(text, at);
    const fractionAt = text.charCodeAt(wholeEnd) === POINT ? wholeEnd + 1 : wholeEnd;
    const fractionEnd = fractionAt === wholeEnd ? wholeEnd : skipDigits(text, fractionAt);
    if (wholeEnd === at && fractionEnd === fractionAt) return INVALID;
    const count = leadingInteger(text, at, wholeEnd);
    if (count === undefined) return INVALID;
    at = skipUnit(text, fractionEnd);
    if (at === fractionEnd) return { problem: 'missing unit in duration' };
    const unit = unitNanos(text, fractionEnd, at);
    if (unit === undefined) return { problem: 'unknown unit', unit: text.slice(fractionEnd, at) };
    if (!sum.add(count, unit, fractionNanos(text, fractionAt, fractionEnd, unit))) return INVALID;
  }
  const { nanos } = sum;
  if (negative) return -nanos;
  return nanos > LIMIT - 1n ? INVALID : nanos;
}

/** Sum of nanoseconds up to 2^63. A safe integer is stored as a number, because numbers are much faster than BigInts. */
class Nanoseconds {
  #small = 0;
  #large = 0n;
  /** True if no safe integer that is added to the large part exceeds 2^63. */
  #hasRoom = true;

  get nanos(): bigint {
    return this.#large + BigInt(this.#small);
  }

  /** Adds `count` units and a fraction. Returns false if the product or the sum exceeds 2^63. */
  add(count: number | bigint, unit: number, fraction: number | bigint): boolean {
    const product = typeof count === 'number' ? count * unit : Number.NaN;
    if (product <= Number.MAX_SAFE_INTEGER && typeof fraction === 'number') {
      const sum = this.#small + product + fraction;
      if (sum <= Number.MAX_SAFE_INTEGER) {
        this.#small = sum;
        return this.#hasRoom || this.nanos <= LIMIT;
      }
    }
    const exact = BigInt(count);
    if (exact > LIMIT / BigInt(unit)) return false;
    this.#large = this.nanos + exact * BigInt(unit) + BigInt(fraction);
    this.#small = 0;
    this.#hasRoom = this.#large <= LIMIT - 2n ** 53n;
    return this.#large <= LIMIT;
  }
}

/** Returns the nanoseconds of a unit, or undefined if there is no such unit. Makes no text, because a duration may have many units. */
function unitNanos(text: string, from: number, to: number): number | undefined {
  if (to - from === 1) return WHOLE_UNITS.get(text.charCodeAt(from));
  return to - from === 2 && text.charCodeAt(from + 1) === LETTER_S ? SECOND_PARTS.get(text.charCodeAt(from)) : undefined;
}

/** Number of digits after which a pattern finds the end of the others, which is faster than a loop. */
const FEW_DIGITS = 32;

function skipDigits(text: string, from: number): number {
  let at = from;
  while (isDigit(text.charCodeAt(at))) {
    at += 1;
    if (at - from < FEW_DIGITS) continue;
    const end = text.slice(at).search(/\D/);
    return end < 0 ? text.length : at + end;
  }
  return at;
}

/** Returns the end of a unit, which has any characters but points and digits. */
function skipUnit(text: string, from: number): number {
  let at = from;
  while (at < text.length && text.charCodeAt(at) !== POINT && !isDigit(text.charCodeAt(at))) at += 1;
  return at;
}

const isDigit = (code: number): boolean => code >= 0x30 && code <= 0x39;

/** Returns the value of at most {@link SAFE_DIGITS} digits. */
function shortInteger(text: string, from: number, to: number): number {
  let value = 0;
  for (let at = from; at < to; at++) value = value * 10 + text.charCodeAt(at) - 0x30;
  return value;
}

/** Returns the integer value of a sequence of digits, which may be empty. Returns undefined if it exceeds 2^63. */
function leadingInteger(text: string, from: number, to: number): number | bigint | undefined {
  let first = from;
  if (to - from > SAFE_DIGITS) while (first < to && text.charCodeAt(first) === 0x30) first += 1;
  if (to - first <= SAFE_DIGITS) return shortInteger(text, first, to);
  // 2^63 has 19 digits, so a number with more digits exceeds the limit.
  const value = to - first > 19 ? undefined : BigInt(text.slice(first, to));
  return value === undefined || value > LIMIT ? undefined : value;
}

/**
 * Returns the digits after the decimal point as nanoseconds. `unit` is the number of nanoseconds of the duration's unit. As in Go, they are
 * computed in float64, and digits beyond int64 are ignored.
 */
function fractionNanos(text: string, from: number, to: number, unit: number): number | bigint {
  if (from === to) return 0;
  if (to - from <= SAFE_DIGITS) return Math.trunc(shortInteger(text, from, to) * (unit / 10 ** (to - from)));
  let value = 0n;
  let scale = 1;
  for (let at = from; at < to; at++) {
    const next = value * 10n + BigInt(text.charCodeAt(at) - 0x30);
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
 * Unit names that OpenAPI's duration format accepts, with the nanoseconds of each unit. A word that only begins with the last name of a
 * row, such as `minutes`, is also accepted.
 */
const LENIENT_UNITS: readonly (readonly [nanos: number, names: readonly string[]])[] = [
  [1, ['ns', 'nano']],
  [1_000, ['us', 'µs', 'micro']],
  [1_000_000, ['ms', 'milli']],
  [1_000_000_000, ['s', 'sec']],
  [60_000_000_000, ['m', 'min']],
  [3_600_000_000_000, ['h', 'hr', 'hour']],
  [86_400_000_000_000, ['d', 'day']],
  [604_800_000_000_000, ['w', 'wk', 'week']],
];

/**
 * Parses a value of OpenAPI's duration format. If the value is not in Go's syntax, the result is the sum of all parts such as `3 days` in
 * the text. The sum overflows like an int64. Source: kube-openapi pkg/validation/strfmt/duration.go `ParseDuration`.
 */
export function parseLenientDuration(text: string): DurationResult {
  const strict = nanosOf(text);
  if (typeof strict === 'bigint') return { ok: true, nanos: strict };
  const sum = new LenientSum();
  for (let at = 0; at < text.length;) {
    const end = skipDigits(text, at);
    if (end === at) {
      at += 1;
      continue;
    }
    const wordAt = skipBlanks(text, end);
    const wordEnd = skipLetters(text, wordAt);
    if (wordEnd > wordAt && !sum.add(leadingInteger(text, at, end), text, wordAt, wordEnd))
      return { ok: false, error: `strconv.Atoi: parsing "${text.slice(at, end)}": value out of range` };
    at = wordEnd;
  }
  return sum.hasUnit ? { ok: true, nanos: sum.nanos } : { ok: false, error: `unable to parse ${text} as duration` };
}

// RE2's white space is ASCII only.
function skipBlanks(text: string, from: number): number {
  let at = from;
  for (let code = text.charCodeAt(at); code === 0x20 || (code >= 0x09 && code <= 0x0d && code !== 0x0b);) code = text.charCodeAt(++at);
  return at;
}

function skipLetters(text: string, from: number): number {
  let at = from;
  for (;;) {
    const code = text.charCodeAt(at);
    const letter = code | 0x20;
    if (!(letter >= 0x61 && letter <= 0x7a) && code !== MICRO_SIGN) return at;
    at += 1;
  }
}

const MICRO_SIGN = 0xb5;
/** Number of words whose nanoseconds are kept while a text is read. Most texts repeat a few words. */
const KEPT_WORDS = 16;

/** Sum of the parts of a text in OpenAPI's duration format. It overflows like an int64. */
class LenientSum {
  hasUnit = false;
  #small = 0;
  #large = 0n;
  readonly #factors = new Map<string | number, number>();

  get nanos(): bigint {
    return BigInt.asIntN(64, this.#large + BigInt(this.#small));
  }

  /** Adds a number of the unit that a part of a text names. Returns false if the number is no int64. */
  add(count: number | bigint | undefined, text: string, from: number, to: number): boolean {
    if (count === undefined || count >= LIMIT) return false;
    // The key of a unit with one or two letters is a number. Cutting such short words out of the text would take most of the time.
    const key = to - from > 2 ? text.slice(from, to) : text.charCodeAt(from) + (to - from === 2 ? 0x10000 * text.charCodeAt(from + 1) : 0);
    const factor = this.#factors.get(key) ?? lenientFactor(text.slice(from, to).toLowerCase());
    if (this.#factors.size < KEPT_WORDS) this.#factors.set(key, factor);
    this.hasUnit ||= factor > 0;
    const sum = typeof count === 'number' ? this.#small + count * factor : Number.POSITIVE_INFINITY;
    if (sum <= Number.MAX_SAFE_INTEGER) this.#small = sum;
    else {
      this.#large = BigInt.asIntN(64, this.#large + BigInt(this.#small) + BigInt(count) * BigInt(factor));
      this.#small = 0;
    }
    return true;
  }
}

/** Returns the sum of the nanoseconds of all units that a word names. Go adds each of them. */
function lenientFactor(unit: string): number {
  let factor = 0;
  for (const [nanos, names] of LENIENT_UNITS) {
    const matches = names.filter((name, index) => name === unit || (index === names.length - 1 && unit.startsWith(name))).length;
    factor += matches * nanos;
  }
  return factor;
}
