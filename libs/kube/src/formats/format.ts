import { parseRequestUri, utf8Length, parseLenientDuration } from '#go';
import type { Change } from '../change.ts';
import { isEmail } from './email.ts';
import { isCidrFormat, isIPv4Format, isIPv6Format, isMacFormat } from './network.ts';

const ISBN10 = /^(?:[0-9]{9}X|[0-9]{10})$/;
const ISBN13 = /^[0-9]{13}$/;
const CARD =
  /^(?:4[0-9]{12}(?:[0-9]{3})?|5[1-5][0-9]{14}|6(?:011|5[0-9][0-9])[0-9]{12}|3[47][0-9]{13}|3(?:0[0-5]|[68][0-9])[0-9]{11}|(?:2131|1800|35\d{3})\d{11})$/;
const SSN = /^\d{3}[- ]?\d{2}[- ]?\d{4}$/;

const withoutSeparators = (text: string): string => text.replace(/[\t\n\f\r -]+/g, '');

/** Returns true if the text has the format `isbn10`. Source: kube-openapi internal/third_party/govalidator. */
function isIsbn10(text: string): boolean {
  const digits = withoutSeparators(text);
  if (!ISBN10.test(digits)) return false;
  let sum = 0;
  for (let i = 0; i < 10; i++) sum += (i + 1) * (digits[i] === 'X' ? 10 : Number(digits[i]));
  return sum % 11 === 0;
}

/** Returns true if the text has the format `isbn13`. */
function isIsbn13(text: string): boolean {
  const digits = withoutSeparators(text);
  if (!ISBN13.test(digits)) return false;
  let sum = 0;
  for (let i = 0; i < 12; i++) sum += (i % 2 === 0 ? 1 : 3) * Number(digits[i]);
  return Number(digits[12]) === (10 - (sum % 10)) % 10;
}

/** Returns true if the text has the format `isbn`, which is either `isbn10` or `isbn13`. */
function isIsbn(text: string): boolean {
  return isIsbn10(text) || isIsbn13(text);
}

/**
 * Returns true if the text has the format `creditcard`: a known prefix and a correct check digit. All characters other than digits are
 * ignored.
 */
function isCreditCard(text: string): boolean {
  const digits = text.replace(/[^0-9]+/g, '');
  if (!CARD.test(digits)) return false;
  let sum = 0;
  for (let i = digits.length - 1, double = false; i >= 0; i--, double = !double) {
    const digit = Number(digits[i]) * (double ? 2 : 1);
    sum += digit > 9 ? digit - 9 : digit;
  }
  return sum % 10 === 0;
}

/** Returns true if the text has the format `ssn`: a US social security number of eleven characters. */
function isSsn(text: string): boolean {
  return text.length === 11 && SSN.test(text);
}

const DATE = /^(\d{4})-(\d{2})-(\d{2})$/;
const DAYS = [31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31];

/**
 * Returns true if the text has the format `date`: an existing day in the form that Go's `time.Parse` accepts for the layout "2006-01-02".
 */
export function isDate(text: string): boolean {
  const match = DATE.exec(text);
  if (match === null) return false;
  const [year, month, day] = [Number(match[1]), Number(match[2]), Number(match[3])];
  if (month < 1 || month > 12) return false;
  const leap = month === 2 && year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0);
  return day >= 1 && day <= (DAYS[month - 1] as number) + (leap ? 1 : 0);
}

/**
 * Returns true if the text has the format `date-time`. The format is looser than RFC 3339: any character may precede the fraction, and the
 * text after a second `t` is ignored. Source: kube-openapi pkg/validation/strfmt/time.go `IsDateTime`.
 */
export function isDateTime(text: string): boolean {
  if (text.length < 4) return false;
  const [date, time] = text.toLowerCase().split('t');
  if (time === undefined || !isDate(date as string)) return false;
  const match = /^([0-9]{2}):([0-9]{2}):([0-9]{2})([^\n][0-9]+)?(z|([+-][0-9]{2}:[0-9]{2}))$/u.exec(time);
  return match !== null && (match[1] as string) <= '23' && (match[2] as string) <= '59' && (match[3] as string) <= '59';
}

/**
 * Returns true if the text has the format `duration`: Go's syntax, or parts such as `3 days` anywhere in the text. Source: kube-openapi
 * pkg/validation/strfmt/duration.go `IsDuration`.
 */
function isDuration(text: string): boolean {
  return parseLenientDuration(text).ok;
}

/** Function that returns true if a string has a certain format. */
export type FormatCheck = (text: string) => boolean;

/** Returns true if a text is a host name. The pattern is in the function, because creating it takes half a millisecond. */
function isHostname(text: string): boolean {
  const hostname =
    /^([a-zA-Z0-9\p{S}\p{L}]((-?[a-zA-Z0-9\p{S}\p{L}]{0,62})?)|([a-zA-Z0-9\p{S}\p{L}](([a-zA-Z0-9\-\p{S}\p{L}]{0,61}[a-zA-Z0-9\p{S}\p{L}])?)(\.)){1,}([a-zA-Z\p{L}]){2,63})$/u;
  return utf8Length(text) <= 255 && hostname.test(text) && text.split('.').every((part) => utf8Length(part) <= 63);
}

const matching =
  (pattern: RegExp): FormatCheck =>
  (text) =>
    pattern.test(text);

const CHANNEL = '(0|[1-9]\\d?|1\\d\\d?|2[0-4]\\d|25[0-5])';
const SPACE = '[\\t\\n\\f\\r ]*';

/**
 * Checks of all string formats, by the name of the format without dashes. Source: kube-openapi pkg/validation/strfmt (d427ff9),
 * pkg/internal/third_party/govalidator.
 */
const CHECKS: ReadonlyMap<string, FormatCheck> = new Map<string, FormatCheck>([
  ['bsonobjectid', matching(/^[0-9a-fA-F]{24}$/)],
  ['uri', (text) => parseRequestUri(text).ok],
  ['email', isEmail],
  ['hostname', isHostname],
  ['ipv4', isIPv4Format],
  ['ipv6', isIPv6Format],
  ['cidr', isCidrFormat],
  ['mac', isMacFormat],
  ['uuid', matching(/^[0-9a-f]{8}-?[0-9a-f]{4}-?[0-9a-f]{4}-?[0-9a-f]{4}-?[0-9a-f]{12}$/i)],
  ['uuid3', matching(/^[0-9a-f]{8}-?[0-9a-f]{4}-?3[0-9a-f]{3}-?[0-9a-f]{4}-?[0-9a-f]{12}$/i)],
  ['uuid4', matching(/^[0-9a-f]{8}-?[0-9a-f]{4}-?4[0-9a-f]{3}-?[89ab][0-9a-f]{3}-?[0-9a-f]{12}$/i)],
  ['uuid5', matching(/^[0-9a-f]{8}-?[0-9a-f]{4}-?5[0-9a-f]{3}-?[89ab][0-9a-f]{3}-?[0-9a-f]{12}$/i)],
  ['isbn', isIsbn],
  ['isbn10', isIsbn10],
  ['isbn13', isIsbn13],
  ['creditcard', isCreditCard],
  ['ssn', isSsn],
  ['hexcolor', matching(/^#?([0-9a-fA-F]{3}|[0-9a-fA-F]{6})$/)],
  ['rgbcolor', matching(new RegExp(`^rgb\\(${SPACE}${[CHANNEL, CHANNEL, CHANNEL].join(`${SPACE},${SPACE}`)}${SPACE}\\)$`))],
  ['byte', matching(/^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=|[A-Za-z0-9+/]{4})$/)],
  ['password', () => true],
  ['date', isDate],
  ['duration', isDuration],
  ['datetime', isDateTime],
  ['k8sshortname', (text) => text.length <= 63 && /^[a-z0-9]([-a-z0-9]*[a-z0-9])?$/.test(text)],
  ['k8slongname', (text) => text.length <= 253 && /^[a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*$/.test(text)],
]);

/** Names of all string formats, without dashes. */
export const STRING_FORMATS: readonly string[] = [...CHECKS.keys()];

/** First Kubernetes minor version that validates a format. All minor versions validate formats that are not listed. */
const SINCE: ReadonlyMap<string, number> = new Map([
  ['k8sshortname', 34],
  ['k8slongname', 34],
]);

/**
 * Returns the difference that a format is validated only from a Kubernetes version on. Returns undefined if all versions that Assay knows
 * validate it, or if none does.
 */
export function formatChange(name: string): Change | undefined {
  const since = SINCE.get(normalizeFormat(name));
  // A server supports the formats of the previous version, so the change comes one version later.
  return since === undefined
    ? undefined
    : { name, since: since + 1, sentence: `Since 1.${since + 1}, a server checks the format \`${name}\``, upstream: undefined };
}

/** Returns the normalized name of a format, without dashes, because dashes are ignored in format names. */
function normalizeFormat(name: string): string {
  return name.replaceAll('-', '');
}

/**
 * Returns the check of a string format in a Kubernetes minor version. Returns undefined if that minor version does not know the format.
 */
export function stringFormat(name: string, minor: number): FormatCheck | undefined {
  const normalized = normalizeFormat(name);
  return (SINCE.get(normalized) ?? 0) <= minor ? CHECKS.get(normalized) : undefined;
}

/**
 * Length of the longest text of each format that limits the length, in code points. The checks above limit it. Formats that allow spaces,
 * leading zeros or any text are missing.
 */
const LONGEST: ReadonlyMap<string, number> = new Map([
  ['bsonobjectid', 24],
  ['hostname', 255],
  ['ipv6', '0000:0000:0000:0000:0000:0000:255.255.255.255'.length],
  ['mac', 20 * '00:'.length - 1],
  ...['uuid', 'uuid3', 'uuid4', 'uuid5'].map((name) => [name, '00000000-0000-0000-0000-000000000000'.length] as const),
  ['ssn', 11],
  ['hexcolor', '#000000'.length],
  ['k8sshortname', 63],
  ['k8slongname', 253],
]);

/**
 * Returns the length of the longest text of a format, in code points. Returns undefined if the length has no limit, or if a server of this
 * Kubernetes minor version does not check the format.
 */
export function longestOfFormat(name: string, minor: number): number | undefined {
  return (formatChange(name)?.since ?? 0) <= minor ? LONGEST.get(normalizeFormat(name)) : undefined;
}
