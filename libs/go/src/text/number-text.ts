/** Lowest decimal exponent for which Go's shortest %g and %v use the exponent form. */
const EXPONENT_FROM = 6;

/**
 * Returns a float64 in the form in which Go's %v and %g print it. It has the shortest digits. Below 1e-4 and from 1e6 on, it has an
 * exponent with at least two digits (`1e+06`). Source: Go strconv/ftoa.go (`%e is used if the exponent … is less than -4 or greater than or
 * equal to the precision`, 6 when shortest).
 */
export function formatFloat(value: number): string {
  if (Number.isNaN(value)) return 'NaN';
  if (value === Infinity) return '+Inf';
  if (value === -Infinity) return '-Inf';
  if (value === 0) return Object.is(value, -0) ? '-0' : '0';
  const [mantissa, exponentText] = value.toExponential().split('e') as [string, string];
  const exponent = Number(exponentText);
  if (exponent >= -4 && exponent < EXPONENT_FROM) return String(value);
  const digits = String(Math.abs(exponent)).padStart(2, '0');
  return `${mantissa}e${exponent < 0 ? '-' : '+'}${digits}`;
}

/** Returns a float64 with the shortest digits and without an exponent, as Go's strconv prints it with format 'f' and precision -1. */
export function formatFixedFloat(value: number): string {
  if (!Number.isFinite(value) || value === 0) return formatFloat(value);
  const text = String(value);
  if (!text.includes('e')) return text;
  const [mantissa, exponentText] = value.toExponential().split('e') as [string, string];
  return expand(mantissa, Number(exponentText));
}

/** Returns the number `mantissa · 10^exponent` as digits without an exponent. */
function expand(mantissa: string, exponent: number): string {
  const negative = mantissa.startsWith('-');
  const digits = mantissa.replace('-', '').replace('.', '');
  const sign = negative ? '-' : '';
  return exponent < 0 ? `${sign}0.${'0'.repeat(-exponent - 1)}${digits}` : sign + digits.padEnd(exponent + 1, '0');
}

/**
 * Returns the text of a float64 as Go's encoding/json prints it. The text has an exponent if the absolute value is at least 1e21, or below
 * 1e-6 but not 0. The text of an integral value has no decimal point.
 */
export function formatJsonFloat(value: number): string {
  return Object.is(value, -0) ? '-0' : String(value);
}

/** Number of digits of the largest uint64. */
const MAX_DIGITS = 20;

/**
 * Returns the integer of a text that consists of digits, optionally after a sign. Returns undefined if the text has more significant digits
 * than a uint64 can have. Such numbers are rejected because parsing a BigInt takes more than linear time.
 */
export function machineInteger(text: string): bigint | undefined {
  const isSigned = text.startsWith('-') || text.startsWith('+');
  let from = isSigned ? 1 : 0;
  while (from < text.length - 1 && text.charCodeAt(from) === 0x30) from++;
  if (text.length - from > MAX_DIGITS) return undefined;
  const magnitude = BigInt(text.slice(from));
  return text.startsWith('-') ? -magnitude : magnitude;
}

const ZERO = 0x30;

/**
 * Returns the digits of a number without leading zeros. The result is empty if all digits are zeros. A pattern such as `/^0+/` stores a
 * place to return to for each zero, which millions of zeros exhaust.
 */
export function significantDigits(digits: string): string {
  let start = 0;
  while (digits.charCodeAt(start) === ZERO) start++;
  return digits.slice(start);
}
