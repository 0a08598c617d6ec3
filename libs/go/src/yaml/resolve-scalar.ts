import { significantDigits } from '../text/number-text.ts';
import { decodeUtf8 } from '../json/decode-text.ts';
import { YamlError } from './yaml-error.ts';

/** Table of tag handles and their prefixes, which the directives of a document declare. Source: go.yaml.in/yaml/v2 parserc.go. */
export class TagHandles {
  readonly #declared = new Map<string, string>();

  /** Declares the handle of a `%TAG` directive. Returns false if the handle is already declared. */
  declare(handle: string, prefix: string): boolean {
    if (this.#declared.has(handle)) return false;
    this.#declared.set(handle, prefix);
    return true;
  }

  /** Returns the complete tag for a handle and suffix. Returns undefined if the handle is not declared, or if the tag is empty. */
  expand(handle: string, suffix: string): string | undefined {
    if (handle === '') return suffix;
    const prefix = this.#declared.get(handle) ?? DEFAULTS.get(handle);
    const tag = prefix === undefined ? '' : prefix + suffix;
    return tag === '' ? undefined : tag;
  }
}

/** Prefix of the tags that the YAML specification defines. */
export const YAML_TAG = 'tag:yaml.org,2002:';

const DEFAULTS: ReadonlyMap<string, string> = new Map([
  ['!', '!'],
  ['!!', YAML_TAG],
]);

/** Value of a YAML scalar, as go-yaml resolves it. Integers are exact. A float remains a float even if it has no fraction. */
export type YamlScalar =
  | { readonly kind: 'null' }
  | { readonly kind: 'bool'; readonly value: boolean }
  /** Integer from -2^63 to 2^64-1. */
  | { readonly kind: 'int'; readonly value: bigint }
  | { readonly kind: 'float'; readonly value: number }
  | { readonly kind: 'string'; readonly value: string };

const NULL: YamlScalar = { kind: 'null' };
const TRUE: YamlScalar = { kind: 'bool', value: true };
const FALSE: YamlScalar = { kind: 'bool', value: false };

/** Plain words of YAML 1.1 that are not strings, with their values. Source: go.yaml.in/yaml/v2 resolve.go. */
const WORDS: ReadonlyMap<string, YamlScalar> = new Map<string, YamlScalar>([
  ...['y', 'Y', 'yes', 'Yes', 'YES', 'true', 'True', 'TRUE', 'on', 'On', 'ON'].map((word) => [word, TRUE] as const),
  ...['n', 'N', 'no', 'No', 'NO', 'false', 'False', 'FALSE', 'off', 'Off', 'OFF'].map((word) => [word, FALSE] as const),
  ...['', '~', 'null', 'Null', 'NULL'].map((word) => [word, NULL] as const),
  ...['.nan', '.NaN', '.NAN'].map((word) => [word, { kind: 'float', value: NaN }] as const),
  ...['.inf', '.Inf', '.INF', '+.inf', '+.Inf', '+.INF'].map((word) => [word, { kind: 'float', value: Infinity }] as const),
  ...['-.inf', '-.Inf', '-.INF'].map((word) => [word, { kind: 'float', value: -Infinity }] as const),
]);

const MAX_WORD_LENGTH = 5;
const FLOAT = /^[-+]?(\.[0-9]+|[0-9]+(\.[0-9]*)?)([eE][-+]?[0-9]+)?$/;
const INTEGER = /^([-+]?)(?:0[xX]([0-9a-fA-F]+)|0[bB]([01]+)|0[oO]?([0-7]+)|(0|[1-9][0-9]*))$/;
/**
 * Pattern of a binary number with a sign after the prefix. The library go-yaml removes the prefix `0b` before it parses the number, and
 * therefore accepts such a sign.
 */
const OLD_BINARY = /^0b([-+][01]+)$/;

const MIN_INT64 = -(2n ** 63n);
const MAX_INT64 = 2n ** 63n - 1n;
const MAX_UINT64 = 2n ** 64n - 1n;

/** Returns true if the first character and the length suffice to show that a plain scalar is a string. They suffice for most strings. */
export function isStringAtSight(text: string): boolean {
  const first = text.charCodeAt(0);
  return first > 0x39 && (text.length > MAX_WORD_LENGTH || !WORD_BEGINS.has(first));
}

/** Maximum number of digits of an integer that a JavaScript number always represents exactly. */
const SAFE_DIGITS = 15;

/**
 * Returns the integer that a plain scalar represents if it consists of at most 15 decimal digits, optionally after a minus. Returns
 * undefined for all other texts.
 */
export function shortInteger(text: string): number | undefined {
  const { length } = text;
  const negative = text.charCodeAt(0) === 0x2d;
  const from = negative ? 1 : 0;
  if (length === from || length > SAFE_DIGITS || (length > from + 1 && text.charCodeAt(from) === 0x30)) return undefined;
  let magnitude = 0;
  for (let i = from; i < length; i++) {
    const digit = text.charCodeAt(i) - 0x30;
    if (digit < 0 || digit > 9) return undefined;
    magnitude = magnitude * 10 + digit;
  }
  return negative && magnitude !== 0 ? -magnitude : magnitude;
}

const WORD_BEGINS: ReadonlySet<number> = new Set([...'yYnNtTfFoO~'].map((letter) => letter.charCodeAt(0)));

/** Returns the value of a plain scalar without a tag. Source: go.yaml.in/yaml/v2 resolve.go `resolve`. */
export function resolvePlain(text: string): YamlScalar {
  const first = text.charCodeAt(0);
  const digit = first >= 0x30 && first <= 0x39;
  const sign = first === 0x2b || first === 0x2d;
  const point = first === 0x2e;
  if (text !== '' && !digit && !sign && !point && !WORD_BEGINS.has(first)) return { kind: 'string', value: text };
  const word = text.length <= MAX_WORD_LENGTH ? WORDS.get(text) : undefined;
  if (word !== undefined) return word;
  // Dates need no test: no text that begins like a date is a number, so dates stay strings.
  const number = digit || sign ? numberOf(text.includes('_') ? text.replaceAll('_', '') : text) : point ? floatOf(text) : undefined;
  return number ?? { kind: 'string', value: text };
}

function numberOf(text: string): YamlScalar | undefined {
  const match = INTEGER.exec(text);
  const integer = match === null ? undefined : integerOf(match);
  return integer ?? floatOf(text) ?? oldBinary(text);
}

/**
 * Returns the integer that Go reads from a number that the regex matched. Go first tries ParseInt with base 0, and then ParseUint, which
 * accepts no sign. Undefined if the number is beyond 64 bits.
 */
function integerOf([, sign, hexadecimal, binary, octal, decimal]: RegExpExecArray): YamlScalar | undefined {
  const magnitude =
    hexadecimal !== undefined
      ? magnitudeOf('0x', hexadecimal)
      : binary !== undefined
        ? magnitudeOf('0b', binary)
        : octal !== undefined
          ? magnitudeOf('0o', octal)
          : magnitudeOf('', decimal as string);
  if (magnitude === undefined) return undefined;
  const value = sign === '-' ? -magnitude : magnitude;
  return value >= MIN_INT64 && value <= (sign === '' ? MAX_UINT64 : MAX_INT64) ? { kind: 'int', value } : undefined;
}

/** Maximum number of digits of a 64-bit integer in any base. */
const MAX_DIGITS = 64;

/**
 * Returns the value of digits in the base of `prefix`. Returns undefined if 64 bits cannot hold so many digits. Such numbers are not
 * parsed, because parsing a BigInt takes more than linear time.
 */
function magnitudeOf(prefix: '' | '0x' | '0b' | '0o', digits: string): bigint | undefined {
  const significant = digits.length > MAX_DIGITS ? significantDigits(digits) || '0' : digits;
  return significant.length > MAX_DIGITS ? undefined : BigInt(prefix + significant);
}

function floatOf(text: string): YamlScalar | undefined {
  if (!FLOAT.test(text)) return undefined;
  const value = Number(text);
  return Number.isFinite(value) ? { kind: 'float', value } : undefined;
}

function oldBinary(text: string): YamlScalar | undefined {
  const match = OLD_BINARY.exec(text);
  if (match === null) return undefined;
  const signed = match[1] as string;
  const magnitude = magnitudeOf('0b', signed.slice(1));
  if (magnitude === undefined) return undefined;
  const value = signed.startsWith('-') ? -magnitude : magnitude;
  return value >= MIN_INT64 && value <= MAX_INT64 ? { kind: 'int', value } : undefined;
}

const KIND_OF_TAG: ReadonlyMap<string, YamlScalar['kind'] | 'timestamp'> = new Map([
  [`${YAML_TAG}null`, 'null'],
  [`${YAML_TAG}bool`, 'bool'],
  [`${YAML_TAG}int`, 'int'],
  [`${YAML_TAG}float`, 'float'],
  [`${YAML_TAG}timestamp`, 'timestamp'],
]);

/**
 * Returns the value of a scalar with a tag. A tag that go-yaml does not know makes the scalar a string. Throws YamlError if the text does
 * not fit the tag. Source: go.yaml.in/yaml/v2 resolve.go `resolve`, decode.go `scalar`.
 *
 * @param tag complete tag
 */
export function resolveTagged(tag: string, text: string): YamlScalar {
  if (tag === `${YAML_TAG}binary`) return { kind: 'string', value: binaryText(text) };
  const wanted = KIND_OF_TAG.get(tag);
  if (wanted === undefined) return { kind: 'string', value: text };
  if (wanted === 'timestamp' && isTimestamp(text)) return { kind: 'string', value: text };
  const found = resolvePlain(text);
  if (found.kind === wanted) return found;
  if (wanted === 'float' && found.kind === 'int' && found.value <= MAX_INT64) return { kind: 'float', value: Number(found.value) };
  const name = found.kind === 'string' ? 'str' : found.kind;
  throw new YamlError(`cannot decode !!${name} \`${text}\` as a !!${wanted}`);
}

/**
 * Decodes a `!!binary` value in the same way as Go's base64.StdEncoding: padding is required, and line ends are ignored. Bytes that are not
 * valid UTF-8 become U+FFFD, as in Go's conversion to JSON.
 */
function binaryText(text: string): string {
  const digits = text.replaceAll(/[\r\n]/g, '');
  if (digits.length % 4 !== 0 || !/^[A-Za-z0-9+/]*={0,2}$/.test(digits)) throw new YamlError('!!binary value contains invalid base64 data');
  const bytes = atob(digits);
  return decodeUtf8(Uint8Array.from(bytes, (byte) => byte.charCodeAt(0)));
}

/**
 * Pattern of a timestamp: a date, optionally with a time. The time is in RFC 3339 form, or follows spaces and has no zone. Numbers may have
 * one digit.
 */
const TIMESTAMP =
  /^(\d{4})-(\d\d?)-(\d\d?)(?:[Tt](\d\d?):(\d\d?):(\d\d?)(?:[.,]\d+)?(?:Z|[-+](\d\d):(\d\d))| +(\d\d?):(\d\d?):(\d\d?)(?:[.,]\d+)?)?$/;

/**
 * Returns true if go-yaml reads a text as a timestamp. Source: go.yaml.in/yaml/v2 resolve.go `parseTimestamp`, Go
 * time.Parse.
 */
function isTimestamp(text: string): boolean {
  const match = TIMESTAMP.exec(text);
  if (match === null) return false;
  const part = (index: number): number => Number(match[index] ?? 0);
  const [year, month, day] = [part(1), part(2), part(3)];
  if (month < 1 || month > 12 || day < 1 || day > daysIn(year, month)) return false;
  if (part(4) > 23 || part(5) > 59 || part(6) > 59 || part(7) > 24 || part(8) > 60) return false;
  return part(9) <= 23 && part(10) <= 59 && part(11) <= 59;
}

function daysIn(year: number, month: number): number {
  if (month === 2) return year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0) ? 29 : 28;
  return month === 4 || month === 6 || month === 9 || month === 11 ? 30 : 31;
}
