import { indexOfText, memoizeRecent, SEARCH_STRETCH, SHORT_PART } from '#go';
import type { Spend } from '#go';

/** Number of parts or characters that are processed between two checks of the cancellation token. */
const JOINED = 2 ** 12;

/** Pattern for texts in which some code point may have two UTF-16 units. */
const SURROGATE = /[\ud800-\udfff]/;

/** Yields the code points of a text, in lists of at most {@link JOINED} + 1. */
function* codePointLists(text: string, spend: Spend): Generator<string[], void> {
  for (let at = 0; at < text.length;) {
    const isCut = (text.codePointAt(at + JOINED - 1) ?? 0) > 0xffff;
    const stretch = text.slice(at, at + JOINED + (isCut ? 1 : 0));
    spend(stretch.length);
    at += stretch.length;
    // Native `split` is several times faster than the iterator over code points.
    yield SURROGATE.test(stretch) ? [...stretch] : stretch.split('');
  }
}

/**
 * Splits a text into its code points. If `limit` is not negative, there are at most `limit` parts, and the last part holds the rest of the
 * text.
 */
function explode(text: string, limit: number, spend: Spend): string[] {
  const points: string[] = [];
  for (const list of codePointLists(text, spend)) points.push(...list);
  if (limit < 0 || points.length <= limit) return points;
  return [...points.slice(0, limit - 1), joinTexts(points.slice(limit - 1), '', spend)];
}

/**
 * Splits a text as Go's strings.SplitN does. A negative limit returns all parts, and zero returns none. A positive limit is the maximum
 * number of parts, and the last part holds the rest of the text.
 */
export function goSplit(text: string, separator: string, limit: number, spend: Spend): string[] {
  if (limit === 0) return [];
  if (separator === '') return explode(text, limit, spend);
  const parts: string[] = [];
  let start = limit < 0 && separator.length <= SHORT_PART ? splitStretches(text, separator, parts, spend) : 0;
  while (parts.length !== limit - 1) {
    const found = indexOfText(text, separator, start, spend);
    if (found < 0) break;
    parts.push(text.slice(start, found));
    start = found + separator.length;
  }
  parts.push(text.slice(start));
  return parts;
}

/**
 * Splits a text section by section, and stops at the first section without a separator. The text after the last separator of a section is
 * carried over to the next section. Returns the offset of the remaining text.
 */
function splitStretches(text: string, separator: string, parts: string[], spend: Spend): number {
  let start = 0;
  for (;;) {
    const stretch = text.slice(start, start + SEARCH_STRETCH);
    const found = stretch.split(separator);
    if (found.length === 1) return start;
    const rest = found.pop() as string;
    if (parts.length === 0 && stretch.length === text.length) parts.push(...found);
    else for (const part of found) parts.push(part);
    start += stretch.length - rest.length;
    spend(stretch.length);
  }
}

/** Joins texts with a separator between them. */
export function joinTexts(parts: readonly string[], separator: string, spend: Spend): string {
  if (parts.length <= JOINED) return parts.join(separator);
  let text = parts.slice(0, JOINED).join(separator);
  for (let i = JOINED; i < parts.length; i += JOINED) {
    spend(JOINED);
    text += separator + parts.slice(i, i + JOINED).join(separator);
  }
  return text;
}

/**
 * Table of replacements for characters up to U+007F, by character code. Each replacement has one or two UTF-16 units. Characters without an
 * entry are kept.
 */
export type AsciiTable = readonly (string | undefined)[];

/** Creates the replacement table for {@link rewriteAscii} from pairs of an ASCII character and its replacement. */
export function asciiTable(entries: Iterable<readonly [from: string, to: string]>): AsciiTable {
  const table: (string | undefined)[] = Array.from({ length: 0x80 }, () => undefined);
  for (const [from, to] of entries) table[from.charCodeAt(0)] = to;
  return table;
}

/**
 * Replaces the characters of a text that have an entry in `table`. `spend` is called with the number of characters processed, between
 * sections of a long text. The loop is written by hand, because `String.replace` with a callback takes 30 times as long.
 */
export function rewriteAscii(text: string, table: AsciiTable, spend: Spend): string {
  let written = '';
  const units = new Uint16Array(2 * Math.min(JOINED, text.length));
  for (let from = 0; from < text.length; from += JOINED) {
    const end = Math.min(from + JOINED, text.length);
    if (from > 0) spend(JOINED);
    let count = 0;
    for (let i = from; i < end; i++) {
      const unit = text.charCodeAt(i);
      const become = table[unit];
      if (become === undefined) units[count++] = unit;
      else for (let k = 0; k < become.length; k++) units[count++] = become.charCodeAt(k);
    }
    written += Reflect.apply(String.fromCharCode, undefined, units.subarray(0, count));
  }
  return written;
}

/** Replaces all occurrences of a short text section by section, so that no list of all parts is made. */
function replaceStretches(text: string, part: string, by: string, spend: Spend): string {
  if (part.length === 1 && by.length <= SHORT_PART) return replaceUnits(text, part, by, spend);
  let [edited, start] = ['', 0];
  for (;;) {
    const stretch = text.slice(start, start + SEARCH_STRETCH);
    const found = stretch.split(part);
    const rest = found.pop() as string;
    const isLast = start + stretch.length === text.length;
    if (isLast) return edited + joinTexts([...found, rest], by, spend);
    // An occurrence of `part` may begin in this section and end in the next. So the end of this section belongs to the next section, too.
    const carried = found.length === 0 ? stretch.slice(1 - part.length || stretch.length) : rest;
    edited += found.length === 0 ? stretch.slice(0, stretch.length - carried.length) : joinTexts([...found, ''], by, spend);
    start += stretch.length - carried.length;
    spend(stretch.length);
  }
}

/** Replaces one code unit by a short text. A pattern makes no texts of the parts between. */
function replaceUnits(text: string, unit: string, by: string, spend: Spend): string {
  const pattern = new RegExp(`\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`, 'g');
  const written = by.replaceAll('$', '$$$$');
  let edited = '';
  for (let at = 0; at < text.length; at += SEARCH_STRETCH) {
    const stretch = text.slice(at, at + SEARCH_STRETCH);
    edited += stretch.replace(pattern, written);
    spend(stretch.length);
  }
  return edited;
}

/** Text to replace, its replacement, and the maximum number of replacements. A negative limit means "all". */
export interface Replacement {
  readonly part: string;
  readonly by: string;
  readonly limit: number;
}

/**
 * Returns the text with occurrences of `part` replaced by `by`, as Go's strings.Replace does. An empty part matches before each code point
 * and at the end. `spend` is called with the number of steps since its last call, and may throw to end the replacement.
 */
export function replaceText(text: string, { part, by, limit }: Replacement, spend: Spend): string {
  if (part === by || limit === 0) return text;
  if (part !== '' && limit < 0 && part.length <= SHORT_PART) return replaceStretches(text, part, by, spend);
  if (part !== '') return joinTexts(goSplit(text, part, limit < 0 ? limit : limit + 1, spend), by, spend);
  return limit < 0 ? insertBetween(text, by, spend) : joinTexts(['', ...pointsAndRest(text, limit, spend)], by, spend);
}

/** Returns the text with `by` before each code point and at the end. */
function insertBetween(text: string, by: string, spend: Spend): string {
  let edited = '';
  for (const list of codePointLists(text, spend)) edited += by + joinTexts(list, by, spend);
  return edited + by;
}

/** Returns the first `count` - 1 code points of a text, and the rest. If the text has fewer code points, returns all and an empty text. */
function pointsAndRest(text: string, count: number, spend: Spend): string[] {
  const points = explode(text, -1, spend);
  return count > points.length ? [...points, ''] : [...points.slice(0, count - 1), joinTexts(points.slice(count - 1), '', spend)];
}

/** Returns true if every code point of the text is one UTF-16 unit, so that code point indexes equal string indexes. */
export function isFlat(text: string): boolean {
  for (let i = 0; i < text.length; i++) {
    const unit = text.charCodeAt(i);
    if (unit >= 0xd800 && unit <= 0xdfff) return false;
  }
  return true;
}

/** Returns the UTF-16 index of the code point with the given index. Returns the length of the text if the index is at or beyond the end. */
export function unitIndex(text: string, codePoints: number): number {
  if (codePoints >= text.length) return text.length;
  let index = 0;
  for (let i = 0; i < codePoints && index < text.length; i++) {
    const unit = text.charCodeAt(index);
    index += unit >= 0xd800 && unit <= 0xdbff ? 2 : 1;
  }
  return Math.min(index, text.length);
}

/** Number of stored values, and maximum length of their texts in UTF-16 code units. */
const RECENT = { count: 16, length: 256 } as const;

/**
 * Returns a function that stores the results of `compute` for recent short texts. The rules of one object often parse the same address, URL
 * or quantity several times. Callers share the stored results, so they must never change them.
 */
export const memoizeShort = <Value>(compute: (text: string) => Value): ((text: string) => Value) => memoizeRecent(compute, RECENT);
