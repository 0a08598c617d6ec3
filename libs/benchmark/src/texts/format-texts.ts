import { LATEST_MINOR, minorNumber, stringFormat } from '#kube';
import type { FormatCheck } from '#kube';
import { patternTexts } from './pattern-texts.ts';
import { generatedText, MAX_DISTINCT, MAX_LENGTH } from './texts.ts';
import type { Texts } from './texts.ts';

/** A kind of number that ends with a check digit. */
interface CheckedNumber {
  /** Pattern in RE2 syntax for all digits except the last one. */
  readonly digits: string;
  /** Returns the check digit (or `X`) that follows `digits`. */
  readonly checkDigit: (digits: string) => string;
  /** Indices of the digits, from 0, before which the usual form of the number may have a dash. */
  readonly dashes: readonly number[];
}

/** Returns the check digit of a credit card number. Source: Luhn's formula, as kube-openapi pkg/validation/strfmt checks credit cards. */
function luhnDigit(digits: string): string {
  const sum = [...digits].reverse().reduce((total, digit, i) => {
    const value = Number(digit) * (i % 2 === 0 ? 2 : 1);
    return total + (value > 9 ? value - 9 : value);
  }, 0);
  return String((10 - (sum % 10)) % 10);
}

/** Returns the check digit of an ISBN with ten digits. Source: ISO 2108, for numbers of ten digits. */
function isbn10Digit(digits: string): string {
  const rest = [...digits].reduce((total, digit, i) => total + (i + 1) * Number(digit), 0) % 11;
  return rest === 10 ? 'X' : String(rest);
}

/** Returns the check digit of an ISBN with thirteen digits. Source: ISO 2108, for numbers of thirteen digits. */
function isbn13Digit(digits: string): string {
  const sum = [...digits].reduce((total, digit, i) => total + (i % 2 === 0 ? 1 : 3) * Number(digit), 0);
  return String((10 - (sum % 10)) % 10);
}

const CARDS: readonly CheckedNumber[] = [
  { digits: '^4[0-9]{11}$', checkDigit: luhnDigit, dashes: [4, 8] },
  { digits: '^36[0-9]{11}$', checkDigit: luhnDigit, dashes: [4, 10] },
  { digits: '^3[47][0-9]{12}$', checkDigit: luhnDigit, dashes: [4, 10] },
  { digits: '^(?:4[0-9]{14}|5[1-5][0-9]{13})$', checkDigit: luhnDigit, dashes: [4, 8, 12] },
];
const ISBN10: CheckedNumber = { digits: '^[0-9]{9}$', checkDigit: isbn10Digit, dashes: [1, 4, 9] };
const ISBN13: CheckedNumber = { digits: '^97[89][0-9]{9}$', checkDigit: isbn13Digit, dashes: [3, 4, 8, 12] };

/**
 * Kinds of numbers with a check digit, by the name of their string format without dashes. The kinds of one format are sorted from short
 * numbers to long numbers.
 */
const CHECKED_NUMBERS: ReadonlyMap<string, readonly CheckedNumber[]> = new Map<string, readonly CheckedNumber[]>([
  ['creditcard', CARDS],
  ['isbn10', [ISBN10]],
  ['isbn13', [ISBN13]],
  ['isbn', [ISBN10, ISBN13]],
]);

/** Generator of texts that are valid in a string format such as `ipv4`. */
export interface FormatTexts extends Texts {
  /**
   * Length of the longest text in the usual form, in code points. Infinity if there is no limit. Longer texts have leading zeros, long
   * fractions or blanks. The API server accepts longer texts in the format, but CEL functions such as `ip` reject some of them.
   */
  readonly usual: number;
}

/**
 * Returns a generator of texts for a string format that the API server enforces. `format` is the format's name in a schema. Returns
 * undefined if the API server does not enforce the format. Before a text is returned, it is checked by the rules of the newest Kubernetes
 * minor version.
 */
export function formatTexts(format: string): FormatTexts | undefined {
  const check = stringFormat(format, minorNumber(LATEST_MINOR));
  const texts = textsOf(format.replaceAll('-', ''));
  return check && texts && new CheckedTexts(texts, check);
}

function textsOf(name: string): FormatTexts | undefined {
  if (name === 'password') return PLAIN_TEXTS;
  const numbers = CHECKED_NUMBERS.get(name);
  if (numbers !== undefined) return new NumberTexts(numbers);
  const patterns = FORMAT_PATTERNS.get(name);
  const usual = patterns && patternTexts(patterns.usual);
  if (patterns === undefined || usual?.ok !== true) return undefined;
  const padded = patterns.padded === undefined ? undefined : patternTexts(patterns.padded);
  return padded?.ok === true ? new PaddedTexts(usual.texts, padded.texts) : new PaddedTexts(usual.texts);
}

/** Generator that returns only those texts of another generator that pass a check. */
class CheckedTexts implements FormatTexts {
  readonly least: number;
  readonly most: number;
  readonly usual: number;
  readonly #texts: FormatTexts;
  readonly #check: FormatCheck;

  constructor(texts: FormatTexts, check: FormatCheck) {
    this.least = texts.least;
    this.most = texts.most;
    this.usual = texts.usual;
    this.#texts = texts;
    this.#check = check;
  }

  text(length: number, index: number): string | undefined {
    const text = this.#texts.text(length, index);
    return text !== undefined && this.#check(text) ? text : undefined;
  }

  distinct(length: number): number {
    return this.#texts.distinct(length);
  }
}

/**
 * Generator that combines two generators. The first one generates all texts up to its maximum length, and the second one generates longer
 * texts.
 */
class PaddedTexts implements FormatTexts {
  readonly least: number;
  readonly most: number;
  readonly usual: number;
  readonly #usual: Texts;
  readonly #padded: Texts | undefined;

  constructor(usual: Texts, padded?: Texts) {
    this.least = usual.least;
    this.usual = usual.most;
    this.most = padded?.most ?? usual.most;
    this.#usual = usual;
    this.#padded = padded;
  }

  text(length: number, index: number): string | undefined {
    return this.#textsFor(length).text(length, index);
  }

  distinct(length: number): number {
    return this.#textsFor(length).distinct(length);
  }

  #textsFor(length: number): Texts {
    const padded = this.#padded;
    return padded !== undefined && length > this.usual && length >= padded.least ? padded : this.#usual;
  }
}

const PLAIN_TEXTS: FormatTexts = {
  least: 0,
  most: Infinity,
  usual: Infinity,
  text: (length, index) => generatedText(lengthOf(length), index),
  distinct: (length) => Math.min(MAX_DISTINCT, 62 ** lengthOf(length)),
};

const lengthOf = (length: number): number => Math.floor(Math.max(0, Math.min(length, MAX_LENGTH)));

/** A string format, described by patterns in RE2 syntax. */
interface FormatPatterns {
  /** Pattern of texts in their usual form, without the additional zeros, fractions or blanks of `padded`. */
  readonly usual: string;
  /** Pattern of texts that are longer than usual because of leading zeros, fractions or blanks. The API server accepts them. */
  readonly padded?: string;
}

const DATE = '(?:19|20)[0-9]{2}-(?:0[1-9]|1[0-2])-(?:0[1-9]|1[0-9]|2[0-8])';
const TIME = '(?:[01][0-9]|2[0-3]):[0-5][0-9]:[0-5][0-9]';
const OCTET = '(?:25[0-5]|2[0-4][0-9]|1[0-9]{2}|[1-9][0-9]|[0-9])';
const IPV4 = `${OCTET}(?:\\.${OCTET}){3}`;
const GROUP = '[0-9a-f]{1,4}';
const IPV6 = `(?:::|::${GROUP}|${GROUP}::(?:${GROUP}:){0,5}${GROUP}|(?:${GROUP}:){7}${GROUP})`;
const BITS4 = '(?:3[0-2]|[12][0-9]|[0-9])';
const BITS6 = '(?:12[0-8]|1[01][0-9]|[1-9][0-9]|[0-9])';
const HEX = '[0-9a-f]';
/**
 * Pattern of a MAC address with 6, 8 or 20 octets that are separated by colons. `QUADS` is the pattern of a MAC address in which a point
 * separates each pair of octets.
 */
const PAIRS = `${HEX}{2}(?:(?::${HEX}{2}){5}|(?::${HEX}{2}){7}|(?::${HEX}{2}){19})`;
const QUADS = `${HEX}{4}(?:(?:\\.${HEX}{4}){2,3}|(?:\\.${HEX}{4}){9})`;
const LABEL = '[a-z0-9]';

/** Returns the patterns of a universally unique identifier. `third` and `fourth` are the patterns of its third and fourth part. */
const uuid = (third: string, fourth: string): FormatPatterns => ({ usual: `^${HEX}{8}-?${HEX}{4}-?${third}-?${fourth}-?${HEX}{12}$` });

/** Returns the pattern of the three channels of a color. `blanks` is the pattern of the characters before and after each channel. */
const channels = (blanks: string): string => `${blanks}${OCTET}${blanks}(?:,${blanks}${OCTET}${blanks}){2}`;

/**
 * Patterns of the string formats that have no check digit. Each key is the name of a format without its dashes. Each pattern matches only
 * some of the texts that the API server accepts. Source: kube-openapi pkg/validation/strfmt.
 */
const FORMAT_PATTERNS: ReadonlyMap<string, FormatPatterns> = new Map<string, FormatPatterns>([
  ['date', { usual: `^${DATE}$` }],
  ['datetime', { usual: `^${DATE}T${TIME}(?:\\.[0-9]{1,9})?Z$`, padded: `^${DATE}T${TIME}\\.[0-9]{10,}Z$` }],
  ['duration', { usual: '^[1-9][0-9]{0,4}(?:ms|[hms])$', padded: '^0+[0-9]{5}(?:ms|[hms])$' }],
  ['uri', { usual: '^(?:https://[a-z0-9]{1,30}/[a-z0-9]*|/[a-z0-9]*)$' }],
  ['email', { usual: '^[a-z0-9]+@[a-z0-9]{1,30}$' }],
  // Three labels of 63 bytes, a top-level domain of 63 bytes and three dots have 255 bytes, which is the maximum.
  ['hostname', { usual: `^(?:${LABEL}{1,63}|(?:${LABEL}{1,63}\\.){1,3}[a-z]{2,63})$` }],
  ['ipv4', { usual: `^${IPV4}$`, padded: `^0*${IPV4}$` }],
  ['ipv6', { usual: `^(?:${IPV6}|(?:${GROUP}:){6}${IPV4})$` }],
  ['cidr', { usual: `^(?:${IPV4}/${BITS4}|${IPV6}/${BITS6})$`, padded: `^0*(?:${GROUP}:){7}${GROUP}/${BITS6}$` }],
  ['mac', { usual: `^(?:${PAIRS}|${QUADS})$` }],
  ['uuid', uuid(`${HEX}{4}`, `${HEX}{4}`)],
  ['uuid3', uuid(`3${HEX}{3}`, `${HEX}{4}`)],
  ['uuid4', uuid(`4${HEX}{3}`, `[89ab]${HEX}{3}`)],
  ['uuid5', uuid(`5${HEX}{3}`, `[89ab]${HEX}{3}`)],
  ['byte', { usual: '^(?:[A-Za-z0-9+/]{4})+$' }],
  ['bsonobjectid', { usual: `^${HEX}{24}$` }],
  ['hexcolor', { usual: `^#?(?:${HEX}{3}|${HEX}{6})$` }],
  ['rgbcolor', { usual: `^rgb\\(${channels(' ?')}\\)$`, padded: `^rgb\\(${channels(' *')}\\)$` }],
  ['ssn', { usual: '^[0-9]{3}-[0-9]{2}-[0-9]{4}$' }],
  ['k8sshortname', { usual: `^${LABEL}{1,63}$` }],
  ['k8slongname', { usual: `^${LABEL}{1,253}$` }],
]);

interface Kind {
  readonly number: CheckedNumber;
  readonly digits: Texts;
}

/**
 * Generator of texts for formats that end with a check digit, such as credit card numbers. If the requested length exceeds the number of
 * digits, the text also contains dashes. If it is still too short, blanks are added at its end.
 */
class NumberTexts implements Texts {
  readonly least: number;
  readonly most = Infinity;
  /** The length of the longest text without blanks, in code points. */
  readonly usual: number;
  readonly #kinds: readonly Kind[];

  /** @param numbers At least one kind of number, sorted from short to long. */
  constructor(numbers: readonly CheckedNumber[]) {
    this.#kinds = numbers.flatMap((number) => {
      const digits = patternTexts(number.digits);
      return digits.ok ? [{ number, digits: digits.texts }] : [];
    });
    this.least = 1 + Math.min(...this.#kinds.map((kind) => kind.digits.least));
    this.usual = 1 + Math.max(...this.#kinds.map(({ number, digits }) => digits.least + number.dashes.length));
  }

  text(length: number, index: number): string | undefined {
    const room = Math.floor(Math.min(length, MAX_LENGTH));
    const kind = this.#kindOf(room);
    const digits = kind?.digits.text(kind.digits.least, index);
    if (kind === undefined || digits === undefined) return undefined;
    const number = digits + kind.number.checkDigit(digits);
    const dashes = Math.max(0, Math.min(room - number.length, kind.number.dashes.length));
    return withDashes(number, kind.number.dashes.slice(0, dashes)).padEnd(room, ' ');
  }

  distinct(length: number): number {
    const kind = this.#kindOf(Math.floor(length));
    return kind === undefined ? 0 : kind.digits.distinct(kind.digits.least);
  }

  /** Returns the longest kind of number that fits into `room` characters, or the shortest kind if none fits. */
  #kindOf(room: number): Kind | undefined {
    return this.#kinds.findLast(({ digits }) => digits.least < room) ?? this.#kinds[0];
  }
}

function withDashes(number: string, places: readonly number[]): string {
  const cuts = [0, ...places, number.length];
  return cuts
    .slice(1)
    .map((cut, i) => number.slice(cuts[i], cut))
    .join('-');
}
