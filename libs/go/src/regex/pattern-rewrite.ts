import { unicodeClass } from './unicode-class-names.ts';

/** Part of a pattern from `start` to `end`, and the text that replaces it. */
interface Replacement {
  readonly start: number;
  readonly end: number;
  readonly text: string;
}

/** Pattern in the syntax of re2js, with a function that restores the original text. */
export interface RewrittenPattern {
  readonly text: string;
  /** Returns the original text for `excerpt`, a part of the rewritten pattern. */
  original(excerpt: string): string;
}

/** Mark that is added to class names that only re2js accepts. re2js then rejects these names, as Go does. */
const UNKNOWN_MARK = '?';

/** Pattern of a POSIX class such as `[:alpha:]`, which occurs inside another class. */
export const POSIX_CLASS = /\[:\^?\w+:\]/y;
/**
 * Pattern of the start of a class. It includes a `]` directly after the bracket or caret, because such a `]` is a character of the class.
 */
export const CLASS_START = /\[\^?\]?/y;
/** Pattern of a named class such as `\pL` or `\P{^Greek}`. Its groups are the caret, the name in braces, and the single letter. */
export const UNICODE_CLASS = /\\[pP](?:\{(\^?)([^}]*)\}|([^{]))/suy;
const GROUP_NAME = /\(\?P?<\w+>/y;

/**
 * Rewrites a pattern for re2js. Names of Unicode classes are changed to the spelling of re2js, because Go accepts many spellings. If
 * `withoutGroupNames` is true, names of groups are removed, because Go allows the same name twice. The names have no effect on matches.
 */
export function rewritePattern(pattern: string, withoutGroupNames: boolean): RewrittenPattern {
  const replacements = [...replacementsIn(pattern, withoutGroupNames)];
  if (replacements.length === 0) return { text: pattern, original: (excerpt) => excerpt };
  let text = '';
  let end = 0;
  for (const part of replacements) {
    text += pattern.slice(end, part.start) + part.text;
    end = part.end;
  }
  text += pattern.slice(end);
  return { text, original: (excerpt) => originalOf(excerpt, text, pattern, replacements) };
}

function* replacementsIn(pattern: string, withoutGroupNames: boolean): Generator<Replacement> {
  let inClass = false;
  for (let i = 0; i < pattern.length;) {
    const char = pattern.charAt(i);
    const name = char === '(' && withoutGroupNames && !inClass ? matchAt(GROUP_NAME, pattern, i) : null;
    if (name !== null) {
      yield { start: i, end: i + name[0].length, text: '(' };
      i += name[0].length;
    } else if (char === '\\') {
      const named = matchAt(UNICODE_CLASS, pattern, i);
      const text = named === null ? undefined : classInOtherWords(named);
      const end = named === null ? endOfEscape(pattern, i, inClass) : i + named[0].length;
      if (text !== undefined) yield { start: i, end, text };
      i = end;
    } else if (char === '[') {
      const opening = matchAt(inClass ? POSIX_CLASS : CLASS_START, pattern, i);
      i += opening?.[0].length ?? 1;
      inClass = true;
    } else {
      if (char === ']') inClass = false;
      i++;
    }
  }
}

/** Returns the match of an expression at the offset `index`. The expression must have the flag `y`. */
export function matchAt(expression: RegExp, text: string, index: number): RegExpExecArray | null {
  expression.lastIndex = index;
  return expression.exec(text);
}

/** Returns the end of an escape. `\Q…\E` outside a class is one literal. */
function endOfEscape(pattern: string, start: number, inClass: boolean): number {
  if (inClass || !pattern.startsWith('\\Q', start)) return start + 2;
  const end = pattern.indexOf('\\E', start + 2);
  return end < 0 ? pattern.length : end + 2;
}

/**
 * Returns the Unicode character class of a pattern, such as `\pL`, in the spelling of re2js. Returns undefined if the class already has
 * this spelling.
 */
export function classInOtherWords([written, caret = '', braced, letter = '']: RegExpExecArray): string | undefined {
  const name = braced ?? letter;
  const found = unicodeClass(name);
  const spelled = `${written.slice(0, 2)}{${caret}${found ?? UNKNOWN_MARK + name}}`;
  return found === name || (found === undefined && braced === undefined) ? undefined : spelled;
}

function originalOf(excerpt: string, text: string, pattern: string, replacements: readonly Replacement[]): string {
  const start = text.endsWith(excerpt) ? text.length - excerpt.length : text.indexOf(excerpt);
  if (start < 0) return excerpt;
  const originalOffset = (offset: number): number => {
    let shift = 0;
    for (const part of replacements) {
      // For an offset within a changed part, the distance to the end of that part counts.
      if (offset <= part.start + shift + unchanged(part, pattern)) break;
      shift += part.text.length - (part.end - part.start);
    }
    return offset - shift;
  };
  return pattern.slice(originalOffset(start), originalOffset(start + excerpt.length));
}

/** Returns the length of the common beginning of the original text and its replacement. */
function unchanged({ start, end, text }: Replacement, pattern: string): number {
  let length = 0;
  while (start + length < end && text[length] === pattern[start + length]) length++;
  return length;
}
