/** Takes note of steps that were taken, a bounded number at a time. May throw to end the search. */
export type Spend = (steps: number) => void;

/** UTF-16 units of a text that the runtime searches without a break. */
export const SEARCH_STRETCH = 2 ** 16;

/** UTF-16 units up to which the runtime itself looks for a part: its time grows with the product of both lengths. */
export const SHORT_PART = 64;

/** Returns true if the product of both lengths is so small that the runtime's own search is quick. */
export const isQuickSearch = (text: string, part: string): boolean => part.length <= SHORT_PART && text.length <= SEARCH_STRETCH;

/** Units beside those searched that comparisons may take before a search starts over in a way that never looks back. */
const ALLOWANCE = 2 ** 12;

/**
 * Returns `text.indexOf(part, from)` in time that grows with the sum of both lengths.
 * Source: Go strings `Index` (1.26), which is linear, too.
 *
 * @param from in UTF-16 units
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
 * Returns `text.lastIndexOf(part, from)` in time that grows with the sum of both lengths.
 * Source: Go strings `LastIndex` (1.26), which is linear, too.
 *
 * @param from in UTF-16 units, where the last occurrence that counts begins
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

/** Returns the first of a short text's occurrences that begin at `from` or behind it, up to `last`. */
function headFrom(text: string, head: string, from: number, last: number, spend: Spend): number {
  for (let at = from; at <= last; at += SEARCH_STRETCH) {
    const stretch = text.slice(at, Math.min(at + SEARCH_STRETCH, last + 1) + head.length - 1);
    const found = stretch.indexOf(head);
    spend(found < 0 ? stretch.length : found + 1);
    if (found >= 0) return at + found;
  }
  return -1;
}

/** Returns the last of a short text's occurrences that begin at `from` or before it. */
function headUpTo(text: string, head: string, from: number, spend: Spend): number {
  for (let end = from + 1; end > 0; end -= SEARCH_STRETCH) {
    const at = Math.max(0, end - SEARCH_STRETCH);
    const found = text.slice(at, end + head.length - 1).lastIndexOf(head);
    spend(found < 0 ? end - at : end - at - found);
    if (found >= 0) return at + found;
  }
  return -1;
}

/** The beginning of a search, in UTF-16 units, and its direction. */
interface Way {
  readonly from: number;
  readonly step: 1 | -1;
}

/**
 * Reads each unit of a text once, whatever it holds: where a part stops fitting, its borders say how much of it fits still. A search backwards
 * reads both from their ends. Source: Knuth, Morris and Pratt, Fast Pattern Matching in Strings (1977).
 */
function withoutLookingBack(text: string, part: string, { from, step }: Way, spend: Spend): number {
  const size = part.length;
  const borders = bordersOf(part, step, spend);
  const first = step === 1 ? 0 : size - 1;
  const begin = step === 1 ? from : from + size - 1;
  const count = step === 1 ? text.length - begin : begin + 1;
  let fitting = 0;
  for (let i = 0; i < count; i++) {
    if (i % ALLOWANCE === 0) spend(ALLOWANCE);
    const at = begin + step * i;
    const unit = text.charCodeAt(at);
    while (fitting > 0 && part.charCodeAt(first + step * fitting) !== unit) fitting = borders[fitting - 1] as number;
    if (part.charCodeAt(first + step * fitting) === unit) fitting++;
    if (fitting === size) return step === 1 ? at - size + 1 : at;
  }
  return -1;
}

/** Returns the borders of a part: of each beginning the longest shorter beginning at its end. */
function bordersOf(part: string, step: Way['step'], spend: Spend): Int32Array {
  const first = step === 1 ? 0 : part.length - 1;
  const borders = new Int32Array(part.length);
  for (let i = 1, border = 0; i < part.length; i++) {
    if (i % ALLOWANCE === 1) spend(ALLOWANCE);
    const unit = part.charCodeAt(first + step * i);
    while (border > 0 && part.charCodeAt(first + step * border) !== unit) border = borders[border - 1] as number;
    if (part.charCodeAt(first + step * border) === unit) border++;
    borders[i] = border;
  }
  return borders;
}
