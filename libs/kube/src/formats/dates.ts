const DATE = /^(\d{4})-(\d{2})-(\d{2})$/;
const DAYS = [31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31];

/** `date`: a day that exists, as Go's time.Parse reads "2006-01-02". */
export function isDate(text: string): boolean {
  const match = DATE.exec(text);
  if (match === null) return false;
  const [year, month, day] = [Number(match[1]), Number(match[2]), Number(match[3])];
  if (month < 1 || month > 12) return false;
  const leap = month === 2 && year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0);
  return day >= 1 && day <= (DAYS[month - 1] as number) + (leap ? 1 : 0);
}

const TIME = /^([0-9]{2}):([0-9]{2}):([0-9]{2})([^\n][0-9]+)?(z|([+-][0-9]{2}:[0-9]{2}))$/u;

/**
 * `date-time`: looser than RFC 3339, any character may precede the fraction and what follows a second `t` is ignored.
 * Source: kube-openapi pkg/validation/strfmt/time.go `IsDateTime`.
 */
export function isDateTime(text: string): boolean {
  if (text.length < 4) return false;
  const [date, time] = text.toLowerCase().split('t');
  if (time === undefined || !isDate(date as string)) return false;
  const match = TIME.exec(time);
  return match !== null && (match[1] as string) <= '23' && (match[2] as string) <= '59' && (match[3] as string) <= '59';
}

const PIECE = /(\d+)\s*([A-Za-zµ]+)/g;
/** Unit names: the last of each row also as a prefix (`minutes`, `secs`). */
const UNITS: readonly (readonly string[])[] = [
  ['ns', 'nano'],
  ['us', 'µs', 'micro'],
  ['ms', 'milli'],
  ['s', 'sec'],
  ['m', 'min'],
  ['h', 'hr', 'hour'],
  ['d', 'day'],
  ['w', 'wk', 'week'],
];
const MAX_INT64 = 2n ** 63n - 1n;

const GO_DURATION = /^[-+]?(?:0|(?:(?:\d+\.?\d*|\.\d+)(?:ns|us|µs|μs|ms|s|m|h))+)$/;
const GO_PIECE = /(\d*)(?:\.\d*)?(ns|us|µs|μs|ms|s|m|h)/g;
const NANOSECONDS: Readonly<Record<string, bigint>> = {
  ns: 1n,
  us: 1_000n,
  µs: 1_000n,
  μs: 1_000n,
  ms: 1_000_000n,
  s: 1_000_000_000n,
  m: 60_000_000_000n,
  h: 3_600_000_000_000n,
};

/** Go's time.ParseDuration: `1h30m`, within 2^63 nanoseconds. */
function isGoDuration(text: string): boolean {
  if (!GO_DURATION.test(text)) return false;
  let total = 0n;
  for (const [, digits, unit] of text.matchAll(GO_PIECE)) total += BigInt(digits || '0') * (NANOSECONDS[unit as string] as bigint);
  return total <= (text.startsWith('-') ? MAX_INT64 + 1n : MAX_INT64);
}

/** `duration`: Go's syntax, or pieces such as `3 days` anywhere in the text. Source: kube-openapi strfmt/duration.go. */
export function isDuration(text: string): boolean {
  if (isGoDuration(text)) return true;
  let found = false;
  for (const [, digits, word] of text.matchAll(PIECE)) {
    if (BigInt(digits as string) > MAX_INT64) return false;
    const unit = (word as string).toLowerCase();
    found ||= UNITS.some((names) => names.some((name) => name === unit) || unit.startsWith(names.at(-1) as string));
  }
  return found;
}
