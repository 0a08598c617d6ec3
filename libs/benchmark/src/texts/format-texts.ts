import { LATEST_MINOR, minorNumber, stringFormat } from '#kube';
import type { FormatCheck } from '#kube';
import { CHECKED_NUMBERS } from './check-digits.ts';
import { FORMAT_PATTERNS } from './format-patterns.ts';
import { NumberTexts } from './number-texts.ts';
import { patternTexts } from './pattern-texts.ts';
import { generatedText } from './plain-texts.ts';
import { MAX_DISTINCT, MAX_LENGTH } from './texts.ts';
import type { Texts } from './texts.ts';

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
