import { latin1Bytes, latin1Text, utf8Bytes } from '../bytes.ts';
/** Instant, with the offset of the time zone in which it was written. */
export interface Instant {
  /** Whole seconds since the Unix epoch. */
  readonly seconds: number;
  /** Nanoseconds within the second, from 0 to 999,999,999. */
  readonly nanos: number;
  /** Offset of the time zone, in seconds east of UTC. */
  readonly offset: number;
}

/** Result of parsing a time: the instant, or the text of Go's time.ParseError. */
export type TimeResult = { readonly ok: true; readonly instant: Instant } | { readonly ok: false; readonly error: string };

/** Calendar and clock fields of an instant in a time zone. `month`, `day` and `yearDay` start at 1. `weekday` is 0 for Sunday. */
export interface WallClock {
  readonly year: number;
  readonly month: number;
  readonly day: number;
  readonly yearDay: number;
  readonly weekday: number;
  readonly hour: number;
  readonly minute: number;
  readonly second: number;
}

/**
 * Layout of Go's time package for a date and time with zone. {@link RFC3339_MICRO} adds microseconds, and {@link RFC3339_DATE} contains
 * only the date.
 */
export const RFC3339 = '2006-01-02T15:04:05Z07:00';
export const RFC3339_MICRO = '2006-01-02T15:04:05.000000Z07:00';
export const RFC3339_DATE = '2006-01-02';

const SECONDS_PER_DAY = 86_400;
const LAYOUT_ELEMENTS = /2006|01|02|15|04|05|\.0+|\.9+|Z07:00/g;
const MONTH_DAYS = [31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31];

function daysIn(month: number, year: number): number {
  return month === 2 && year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0) ? 29 : (MONTH_DAYS[month - 1] as number);
}

/** Returns the number of days from the Unix epoch to a date of the proleptic Gregorian calendar. */
function daysFromCivil(year: number, month: number, day: number): number {
  const shifted = month <= 2 ? year - 1 : year;
  const era = Math.floor(shifted / 400);
  const yearOfEra = shifted - era * 400;
  const dayOfYear = Math.floor((153 * (month + (month > 2 ? -3 : 9)) + 2) / 5) + day - 1;
  return era * 146_097 + yearOfEra * 365 + Math.floor(yearOfEra / 4) - Math.floor(yearOfEra / 100) + dayOfYear - 719_468;
}

/**
 * Returns the wall clock at an instant in a time zone. `seconds` is the time since the epoch, and `offset` is the zone's seconds east of
 * UTC.
 */
export function wallClock(seconds: number, offset: number): WallClock {
  const local = seconds + offset;
  const days = Math.floor(local / SECONDS_PER_DAY);
  const ofDay = local - days * SECONDS_PER_DAY;
  const shifted = days + 719_468;
  const era = Math.floor(shifted / 146_097);
  const dayOfEra = shifted - era * 146_097;
  const yearOfEra = Math.floor(
    (dayOfEra - Math.floor(dayOfEra / 1460) + Math.floor(dayOfEra / 36_524) - Math.floor(dayOfEra / 146_096)) / 365,
  );
  const dayOfYear = dayOfEra - (365 * yearOfEra + Math.floor(yearOfEra / 4) - Math.floor(yearOfEra / 100));
  const shiftedMonth = Math.floor((5 * dayOfYear + 2) / 153);
  const month = shiftedMonth + (shiftedMonth < 10 ? 3 : -9);
  const year = yearOfEra + era * 400 + (month <= 2 ? 1 : 0);
  return {
    year,
    month,
    day: dayOfYear - Math.floor((153 * shiftedMonth + 2) / 5) + 1,
    yearDay: days - daysFromCivil(year, 1, 1) + 1,
    weekday: (((days + 4) % 7) + 7) % 7,
    hour: Math.floor(ofDay / 3600),
    minute: Math.floor(ofDay / 60) % 60,
    second: ofDay % 60,
  };
}

const pad = (value: number, width = 2): string => String(value).padStart(width, '0');

/** Returns an instant in Go's layout RFC3339Nano, without trailing zeros in the fraction and with `Z` for UTC. */
export function formatRfc3339Nano(instant: Instant): string {
  return formatRfc3339(instant, instant.nanos === 0 ? '' : `.${pad(instant.nanos, 9).replace(/0+$/, '')}`);
}

/** Returns an instant with microseconds. Smaller fractions are cut off. Source: k8s.io/apimachinery/pkg/apis/meta/v1/micro_time.go. */
export function formatRfc3339Micro(instant: Instant): string {
  return formatRfc3339(instant, `.${pad(Math.trunc(instant.nanos / 1000), 6)}`);
}

function formatRfc3339(instant: Instant, fraction: string): string {
  const clock = wallClock(instant.seconds, instant.offset);
  const year = clock.year < 0 ? `-${pad(-clock.year, 4)}` : pad(clock.year, 4);
  const time = `${pad(clock.hour)}:${pad(clock.minute)}:${pad(clock.second)}`;
  return `${year}-${pad(clock.month)}-${pad(clock.day)}T${time}${fraction}${zoneText(instant.offset)}`;
}

function zoneText(offset: number): string {
  if (offset === 0) return 'Z';
  const minutes = Math.trunc(Math.abs(offset) / 60);
  return `${offset < 0 ? '-' : '+'}${pad(Math.trunc(minutes / 60))}:${pad(minutes % 60)}`;
}

/** Table from a byte to the text that Go's time package writes for it inside quotes. */
const QUOTED_BYTES = Array.from({ length: 0x100 }, (_, byte) => {
  if (byte < 0x20 || byte > 0x7f) return latin1Bytes(`\\x${byte.toString(16).padStart(2, '0')}`);
  const char = String.fromCharCode(byte);
  return latin1Bytes(char === '"' || char === '\\' ? `\\${char}` : char);
});
const MAX_ESCAPE_LENGTH = 4;

/** Returns a text in quotes, as Go's time package writes it. Each non-ASCII byte becomes an escape `\x..`. */
export function quoteTime(text: string): string {
  const bytes = utf8Bytes(text);
  const quoted = new Uint8Array(MAX_ESCAPE_LENGTH * bytes.length);
  let end = 0;
  for (let i = 0; i < bytes.length; i++) {
    const written = QUOTED_BYTES[bytes[i] as number] as Uint8Array;
    for (let k = 0; k < written.length; k++) quoted[end++] = written[k] as number;
  }
  return `"${latin1Text(quoted.subarray(0, end))}"`;
}

/** Reason why an element of a layout could not be read: the text does not match, or the number is outside of `range`. */
class Misfit {
  readonly range: string | undefined;
  constructor(range?: string) {
    this.range = range;
  }
}

/**
 * Parses a time with a layout in the same way as Go's time.Parse. Like Go, it accepts some texts that do not exactly match the layout:
 * one-digit hours, comma fractions, offsets of 24 hours.
 */
export function parseTime(layout: string, text: string): TimeResult {
  const reader = new LayoutReader(text);
  const fail = (element: string, rest: string, message = ''): TimeResult => ({
    ok: false,
    error:
      message === ''
        ? `parsing time ${quoteTime(text)} as ${quoteTime(layout)}: cannot parse ${quoteTime(rest)} as ${quoteTime(element)}`
        : `parsing time ${quoteTime(text)}${message}`,
  });
  const elements = [...layout.matchAll(LAYOUT_ELEMENTS)];
  let end = 0;
  for (const [index, match] of elements.entries()) {
    const prefix = layout.slice(end, match.index);
    if (!reader.skip(prefix)) return fail(prefix, reader.rest);
    end = match.index + match[0].length;
    const hold = reader.rest;
    const misfit = reader.read(match[0], elements[index + 1]?.[0] ?? '');
    if (misfit?.range !== undefined) return fail('', '', `: ${misfit.range} out of range`);
    if (misfit !== undefined) return fail(match[0], hold);
  }
  if (reader.rest !== '') return fail('', '', `: extra text: ${quoteTime(reader.rest)}`);
  if (reader.day < 1 || reader.day > daysIn(reader.month, reader.year)) return fail('', '', ': day out of range');
  return { ok: true, instant: reader.instant() };
}

class LayoutReader {
  rest: string;
  year = 0;
  month = 1;
  day = 1;
  #hour = 0;
  #minute = 0;
  #second = 0;
  #nanos = 0;
  #offset = 0;

  constructor(text: string) {
    this.rest = text;
  }

  /** Moves past a literal text. Returns false if the text does not match; the part that matched is still consumed, as in Go. */
  skip(literal: string): boolean {
    for (const char of literal) {
      if (!this.rest.startsWith(char)) return false;
      this.rest = this.rest.slice(1);
    }
    return true;
  }

  read(element: string, next: string): Misfit | undefined {
    switch (element) {
      case '2006':
        return this.#readYear();
      case '01':
        this.month = this.#number('twoDigits');
        return outside(this.month, 1, 12, 'month');
      case '02':
        this.day = this.#number('twoDigits');
        return Number.isNaN(this.day) ? new Misfit() : undefined;
      case '15':
        this.#hour = this.#number('oneOrTwoDigits');
        return outside(this.#hour, 0, 23, 'hour');
      case '04':
        this.#minute = this.#number('twoDigits');
        return outside(this.#minute, 0, 59, 'minute');
      case '05':
        this.#second = this.#number('twoDigits');
        return outside(this.#second, 0, 59, 'second') ?? this.#readUnaskedFraction(next);
      case 'Z07:00':
        return this.#readZone();
      default:
        return element.startsWith('.0') ? this.#readFraction(element.length) : this.#readOptionalFraction();
    }
  }

  instant(): Instant {
    const days = daysFromCivil(this.year, this.month, this.day);
    const seconds = days * SECONDS_PER_DAY + this.#hour * 3600 + this.#minute * 60 + this.#second - this.#offset;
    return { seconds, nanos: this.#nanos, offset: this.#offset };
  }

  #readYear(): Misfit | undefined {
    const digits = this.rest.slice(0, 4);
    if (!/^\d{4}$/.test(digits)) return new Misfit();
    this.year = Number(digits);
    this.rest = this.rest.slice(4);
    return undefined;
  }

  /** Reads a number of two digits, or of one or two digits. Returns NaN if the text has no such number. */
  #number(width: 'twoDigits' | 'oneOrTwoDigits'): number {
    const match = (width === 'twoDigits' ? /^\d\d/ : /^\d\d?/).exec(this.rest);
    if (match === null) return Number.NaN;
    this.rest = this.rest.slice(match[0].length);
    return Number(match[0]);
  }

  #readUnaskedFraction(next: string): Misfit | undefined {
    return next.startsWith('.') ? undefined : this.#readOptionalFraction();
  }

  #readOptionalFraction(): Misfit | undefined {
    const match = /^[.,]\d+/.exec(this.rest);
    return match === null ? undefined : this.#readFraction(match[0].length);
  }

  #readFraction(length: number): Misfit | undefined {
    const part = this.rest.slice(0, length);
    if (part.length < length || !/^[.,]\d+$/.test(part)) return new Misfit();
    this.#nanos = Number(part.slice(1, 10).padEnd(9, '0'));
    this.rest = this.rest.slice(length);
    return undefined;
  }

  #readZone(): Misfit | undefined {
    if (this.rest.startsWith('Z')) {
      this.rest = this.rest.slice(1);
      return undefined;
    }
    const match = /^(.)(\d\d):(\d\d)/.exec(this.rest);
    if (match === null) return new Misfit();
    const [hours, minutes] = [Number(match[2]), Number(match[3])];
    this.rest = this.rest.slice(match[0].length);
    if (hours > 24) return new Misfit('time zone offset hour');
    if (minutes > 60) return new Misfit('time zone offset minute');
    if (match[1] !== '+' && match[1] !== '-') return new Misfit();
    this.#offset = (match[1] === '-' ? -1 : 1) * (hours * 60 + minutes) * 60;
    return undefined;
  }
}

function outside(value: number, min: number, max: number, name: string): Misfit | undefined {
  if (Number.isNaN(value)) return new Misfit();
  return value < min || value > max ? new Misfit(name) : undefined;
}

/** Layouts of OpenAPI's date-time format, in the order in which they are tried. Source: kube-openapi pkg/validation/strfmt/time.go. */
const DATE_TIME_LAYOUTS = [
  RFC3339_MICRO,
  '2006-01-02T15:04:05.000Z07:00',
  RFC3339,
  '2006-01-02T15:04:05.999999999Z07:00',
  '2006-01-02T15:04:05',
];

/**
 * Parses a value of OpenAPI's date-time format. An empty text represents the epoch. If no layout matches, the result is the error for the
 * last layout.
 */
export function parseDateTime(text: string): TimeResult {
  if (text === '') return { ok: true, instant: { seconds: 0, nanos: 0, offset: 0 } };
  let result = parseTime(RFC3339, text);
  for (const layout of DATE_TIME_LAYOUTS) {
    result = parseTime(layout, text);
    if (result.ok) return result;
  }
  return result;
}
