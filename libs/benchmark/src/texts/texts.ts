/** Maximum length of a generated text in code points. Objects with longer texts would exceed the default size limit of etcd. */
export const MAX_LENGTH = 1_500_000;

/** Maximum number of texts that {@link Texts.distinct} counts. Larger integers are not exact in JavaScript. */
export const MAX_DISTINCT = Number.MAX_SAFE_INTEGER;

/**
 * Generator of texts of one kind, such as texts that match a pattern. It makes each text from a length and an index. The same arguments
 * always produce the same text.
 */
export interface Texts {
  /** The length of the shortest text, in code points. */
  readonly least: number;
  /**
   * Length of the longest text in code points. Infinity if there is no limit. Generated texts are never longer than {@link MAX_LENGTH}.
   */
  readonly most: number;
  /**
   * Returns a text that is as long as possible, and at most `length` code points long. If `length` is below `least`, the shortest text is
   * returned. Indices below `distinct(length)` produce different texts, and larger indices repeat these texts. The search for texts is not
   * exhaustive: a few texts are shorter than possible. If alternatives of a pattern overlap, a few large indices produce equal texts.
   * Returns undefined if no text was found.
   *
   * @param index Integer from 0 on.
   */
  text(length: number, index: number): string | undefined;
  /** Returns the number of different texts at a length in code points, limited to {@link MAX_DISTINCT}. */
  distinct(length: number): number;
}

/** Letters and digits in the order of their bytes. */
const ALL = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const LETTERS = 'abcdefghijklmnopqrstuvwxyz';
const FIRST = 'a';
/** Length from which on texts of letters alone suffice for each list of a request: there are 456,976 texts of four letters. */
const ROOMY = 4;

/**
 * Returns an ASCII text of the given length in code points. The text with the index 0 consists of `a`. Texts with different indices share a
 * long prefix and differ only in their last characters. From the index 1 on, texts of the same length rise with their index. They always
 * differ if all indices are below 26 to the power of `length`. For lengths below 4, the power of 62 counts.
 *
 * @param index Integer from 0 on.
 */
export function generatedText(length: number, index: number): string {
  if (index === 0) return FIRST.repeat(length);
  if (length >= ROOMY) return numberText(length, index, LETTERS);
  // Among all sorted texts of this length, the text of the index 0 (such as `aaa`) has the number `place`. Other indices must skip this
  // number.
  const place = Array.from({ length }).reduce<number>((sum) => sum * ALL.length + ALL.indexOf(FIRST), 0);
  return numberText(length, index <= place ? index - 1 : index, ALL);
}

/** Returns a number as a text of the given length, written with `digits` as digits. The lowest digits of a larger number are written. */
function numberText(length: number, number: number, digits: string): string {
  let tail = '';
  for (let rest = number; rest > 0 && tail.length < length; rest = Math.floor(rest / digits.length))
    tail = digits.charAt(rest % digits.length) + tail;
  return digits.charAt(0).repeat(length - tail.length) + tail;
}

/**
 * Returns a text of the given length in code points that repeats `period`. The last repetition may be incomplete. A search for a text
 * similar to the period must compare many characters at each position of this text. The result is empty if `period` is empty.
 */
export function periodicText(period: string, length: number): string {
  const characters = [...period];
  if (characters.length === 0) return '';
  const rest = characters.slice(0, length % characters.length).join('');
  return period.repeat(Math.floor(length / characters.length)) + rest;
}
