/**
 * Callback that a search calls with the number of steps since the last call. That number never exceeds a fixed limit. The callback may
 * throw to end the search.
 */
export type Spend = (steps: number) => void;

/** Maximum length of a text, in UTF-16 code units, that one call of JavaScript's own `indexOf` searches. */
export const SEARCH_STRETCH = 2 ** 16;

/**
 * Maximum length of a search string, in UTF-16 code units, for which JavaScript's own `indexOf` is used. The time of `indexOf` grows with
 * the product of the lengths of the searched text and of the search string.
 */
export const SHORT_PART = 64;

/** Returns true if `text` and `part` (the text to find) are so short that JavaScript's own `indexOf` is quick. */
export const isQuickSearch = (text: string, part: string): boolean => part.length <= SHORT_PART && text.length <= SEARCH_STRETCH;

/**
 * Number of code units that failed comparisons may read in addition to twice the code units that the search has passed. If they read more,
 * the search continues with an algorithm that reads each code unit once.
 */
const ALLOWANCE = 2 ** 12;

/**
 * Returns the result of `text.indexOf(part, from)`. The time grows with the sum of the lengths of text and part. Calls `spend` with the
 * number of steps during a long search. Source: Go strings `Index` (1.26), which is linear, too.
 *
 * @param from first offset at which the part may begin, in UTF-16 code units
 */
export function indexOfText(text: string, part: string, from: number, spend: Spend): number {
  if (isQuickSearch(text, part)) return text.indexOf(part, from);
  const isShort = part.length <= SHORT_PART;
  const head = isShort ? part : part.slice(0, SHORT_PART);
  const last = text.length - part.length;
  let left = ALLOWANCE;
  for (let at = from; at <= last; at++) {
    const found = headFrom(text, head, at, last, spend);
    if (found < 0 || isShort || isAt(text, part, found, spend)) return found;
    left += 2 * (found - at) - part.length;
    at = found;
    if (left < 0) return withoutLookingBack(text, part, { from: at + 1, step: 1 }, spend);
  }
  return -1;
}

/**
 * Returns the result of `text.lastIndexOf(part, from)`. The time grows with the sum of the lengths of text and part. Source: Go strings
 * `LastIndex` (1.26), which is linear, too.
 *
 * @param from last offset at which the part may begin, in UTF-16 code units
 */
export function lastIndexOfText(text: string, part: string, from: number, spend: Spend): number {
  if (isQuickSearch(text, part)) return text.lastIndexOf(part, from);
  const isShort = part.length <= SHORT_PART;
  const head = isShort ? part : part.slice(0, SHORT_PART);
  let left = ALLOWANCE;
  for (let at = Math.min(from, text.length - part.length); at >= 0; at--) {
    const found = headUpTo(text, head, at, spend);
    if (found < 0 || isShort || isAt(text, part, found, spend)) return found;
    left += 2 * (at - found) - part.length;
    at = found;
    if (left < 0) return withoutLookingBack(text, part, { from: at - 1, step: -1 }, spend);
  }
  return -1;
}

function isAt(text: string, part: string, at: number, spend: Spend): boolean {
  spend(part.length);
  return text.startsWith(part, at);
}

/**
 * Returns the offset of the first occurrence of a short text that begins between the offsets `from` and `last` (inclusive). Returns -1 if
 * there is none.
 */
function headFrom(text: string, head: string, from: number, last: number, spend: Spend): number {
  for (let at = from; at <= last; at += SEARCH_STRETCH) {
    const stretch = text.slice(at, Math.min(at + SEARCH_STRETCH, last + 1) + head.length - 1);
    const found = stretch.indexOf(head);
    spend(found < 0 ? stretch.length : found + 1);
    if (found >= 0) return at + found;
  }
  return -1;
}

/** Returns the offset of the last occurrence of a short text that begins at or before the offset `from`. Returns -1 if there is none. */
function headUpTo(text: string, head: string, from: number, spend: Spend): number {
  for (let end = from + 1; end > 0; end -= SEARCH_STRETCH) {
    const at = Math.max(0, end - SEARCH_STRETCH);
    const found = text.slice(at, end + head.length - 1).lastIndexOf(head);
    spend(found < 0 ? end - at : end - at - found);
    if (found >= 0) return at + found;
  }
  return -1;
}

/** Start offset of a search, in UTF-16 code units, and the direction of the search. */
interface Way {
  readonly from: number;
  readonly step: 1 | -1;
}

/**
 * Searches a text for `part` and reads each code unit of the text only once. After a mismatch, the borders of `part` determine how many of
 * its code units still match. A backward search reads text and part from their ends. Source: Knuth, Morris and Pratt, Fast Pattern Matching
 * in Strings (1977).
 */
function withoutLookingBack(text: string, part: string, { from, step }: Way, spend: Spend): number {
  const units = unitsOf(part, step, spend);
  const borders = bordersOf(units, spend);
  const size = units.length;
  let at = step === 1 ? from : from + size - 1;
  const end = step === 1 ? text.length : -1;
  let fitting = 0;
  while (at !== end) {
    spend(ALLOWANCE);
    const stop = step === 1 ? Math.min(end, at + ALLOWANCE) : Math.max(end, at - ALLOWANCE);
    for (; at !== stop; at += step) {
      const unit = text.charCodeAt(at);
      while (fitting > 0 && units[fitting] !== unit) fitting = borders[fitting - 1] as number;
      if (units[fitting] === unit) fitting++;
      if (fitting === size) return step === 1 ? at - size + 1 : at;
    }
  }
  return -1;
}

/** Returns the code units of `part` in the order in which a search reads them. */
function unitsOf(part: string, step: Way['step'], spend: Spend): Uint16Array {
  const units = new Uint16Array(part.length);
  for (let i = 0; i < units.length; i++) {
    if (i % ALLOWANCE === 1) spend(ALLOWANCE);
    units[i] = part.charCodeAt(step === 1 ? i : units.length - 1 - i);
  }
  return units;
}

/** Returns the borders of a text: for each of its prefixes, the length of the longest shorter prefix with which that prefix also ends. */
function bordersOf(units: Uint16Array, spend: Spend): Int32Array {
  const borders = new Int32Array(units.length);
  for (let i = 1, border = 0; i < units.length; i++) {
    if (i % ALLOWANCE === 1) spend(ALLOWANCE);
    const unit = units[i];
    while (border > 0 && units[border] !== unit) border = borders[border - 1] as number;
    if (units[border] === unit) border++;
    borders[i] = border;
  }
  return borders;
}

const SPACE = '\\t\\n\\v\\f\\r \\u0085\\u00a0\\u1680\\u2000-\\u200a\\u2028\\u2029\\u202f\\u205f\\u3000';
const LEADING = new RegExp(`^[${SPACE}]+`);
const ONE = new RegExp(`[${SPACE}]`);

/**
 * Returns the text without white space at its start and end, in the same way as Go's strings.TrimSpace. JavaScript's `trim` differs: it
 * removes the byte order mark and keeps U+0085.
 */
export function goTrim(text: string): string {
  // A pattern with an end anchor takes quadratic time, because the regex engine tries it at each space of the text.
  let end = text.length;
  while (end > 0 && ONE.test(text.charAt(end - 1))) end--;
  return goTrimStart(text.slice(0, end));
}

/** Returns the text without white space at its start, as {@link goTrim} removes it. */
export function goTrimStart(text: string): string {
  return text.replace(LEADING, '');
}
