import { matchAt } from './pattern-rewrite.ts';

/** Maximum length of a pattern that this module checks. The general engine checks longer patterns. */
const MAX_LENGTH = 500;
/** Maximum nesting depth of groups that this module accepts. It is far below Go's limit. */
const MAX_DEPTH = 20;
/** Maximum number of copies of a part that nested repetitions may produce, as in Go. Source: Go regexp/syntax/parse.go `repeatIsValid`. */
const MAX_COPIES = 1000;

/** Pattern of a part that matches one character: a literal, a dot, a class such as `\d`, or an escaped sign. */
const CHARACTER = /[\w !"#%&',\-/:;<=>@`~.]|\\[dDsSwW.+*?()|[\]{}^$\\/\-"' :,@=_&#]/y;
/**
 * Pattern of a character class. A class contains characters, hexadecimal escapes of two digits, and ranges of digits or letters. The order
 * of each range must be checked separately. A `-` outside a range must be the first or last character.
 */
const CLASS =
  /\[(?:\^|(?!\^))-?(?:[A-Za-z0-9]-[A-Za-z0-9]|[\w !"#%&'()*+,./:;<=>?@^`{|}~$]|\\[dDsSwW.+*?()|[\]{}^$\\/-]|\\x[0-7][0-9A-Fa-f])+-?\]/y;
const RANGE = /(?<!\\)([A-Za-z0-9])-([A-Za-z0-9])/g;
const GROUP = /\((?:\?:)?/y;
const REPEAT = /(?:[*+?]|\{(0|[1-9]\d{0,3})(?:(,)([1-9]\d{0,3})?)?\})\??/y;

/**
 * Returns true if a simple check proves that a pattern is valid, without compiling it. The check accepts characters, classes, groups,
 * alternatives, anchors and repetitions, as most definitions use them. If the result is false, the pattern may still be valid.
 */
export function isPlainPattern(pattern: string): boolean {
  if (pattern.length > MAX_LENGTH) return false;
  /** Maximum number of copies of a part in each open group. The outermost group comes first. */
  const copies = [1];
  let at = 0;
  const take = (what: RegExp): RegExpExecArray | null => {
    const found = matchAt(what, pattern, at);
    if (found !== null) at += found[0].length;
    return found;
  };
  /**
   * Reads the optional repetition after a part of the pattern. `part` is the number of copies to which that part itself expands. Returns
   * false if there are too many copies, or if a second repetition follows.
   */
  const repeated = (part: number): boolean => {
    const repeat = take(REPEAT);
    const times = repeat === null ? 1 : timesOf(repeat);
    const inAll = part * times;
    const last = copies.length - 1;
    copies[last] = Math.max(copies[last] ?? 1, inAll);
    // A pattern that repeats a repetition, such as `a{2}{3}`, is not plain.
    return inAll <= MAX_COPIES && take(REPEAT) === null;
  };
  while (at < pattern.length) {
    switch (pattern.charAt(at)) {
      case '^':
      case '$':
      case '|':
        at++;
        if (take(REPEAT) !== null) return false;
        break;
      case '(':
        take(GROUP);
        if (copies.push(1) > MAX_DEPTH || take(REPEAT) !== null) return false;
        break;
      case ')': {
        at++;
        const part = copies.pop();
        if (part === undefined || copies.length === 0 || !repeated(part)) return false;
        break;
      }
      case '[': {
        const found = take(CLASS);
        if (found === null || !hasRangesInOrder(found[0]) || !repeated(1)) return false;
        break;
      }
      default:
        if (take(CHARACTER) === null || !repeated(1)) return false;
    }
  }
  return copies.length === 1;
}

/** Returns the maximum number of copies that a repetition produces. Returns NaN if its range is invalid. */
function timesOf([, least, comma, most]: RegExpExecArray): number {
  if (least === undefined) return 1;
  if (most === undefined) return Math.max(Number(least), 1);
  return comma !== undefined && Number(most) >= Number(least) ? Number(most) : NaN;
}

function hasRangesInOrder(text: string): boolean {
  for (const [, from = '', to = ''] of text.matchAll(RANGE)) if (from > to) return false;
  return true;
}
