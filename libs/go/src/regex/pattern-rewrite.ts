import { unicodeClass } from './unicode-class-names.ts';

/** A part of a pattern and its replacement. */
interface Replacement {
  readonly start: number;
  readonly end: number;
  readonly text: string;
}

/** A pattern in the words of re2js, and the way back to what was written. */
export interface RewrittenPattern {
  readonly text: string;
  /** Returns the original text of an excerpt of the rewritten text. */
  original(excerpt: string): string;
}

/** Stands in names of classes that re2js knows and Go does not, so that neither does. */
const UNKNOWN_MARK = '?';

/** A class such as `[:alpha:]`, within another. */
export const POSIX_CLASS = /\[:\^?\w+:\]/y;
/** The start of a class with a first character that would otherwise end it. */
export const CLASS_START = /\[\^?\]?/y;
/** A class by name, such as `\pL` or `\P{^Greek}`: its caret, its name in braces, or its letter. */
export const UNICODE_CLASS = /\\[pP](?:\{(\^?)([^}]*)\}|([^{]))/suy;
const GROUP_NAME = /\(\?P?<\w+>/y;

/**
 * Rewrites for re2js the syntax that Go reads differently. These are names of Unicode classes, which Go spells freely.
 * On demand it also removes names of groups, because Go allows the same name twice; they have no effect here.
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

/** Returns the match of an expression with the flag `y` at a position. */
export function matchAt(expression: RegExp, text: string, index: number): RegExpExecArray | null {
  expression.lastIndex = index;
  return expression.exec(text);
}

/** `\Q…\E` outside of classes is one literal. */
function endOfEscape(pattern: string, start: number, inClass: boolean): number {
  if (inClass || !pattern.startsWith('\\Q', start)) return start + 2;
  const end = pattern.indexOf('\\E', start + 2);
  return end < 0 ? pattern.length : end + 2;
}

/** Returns a class by name as re2js spells it; undefined where it is spelled so already. */
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
      // An excerpt that ends within a part counts from its end, unless nothing was changed up to there.
      if (offset <= part.start + shift + unchanged(part, pattern)) break;
      shift += part.text.length - (part.end - part.start);
    }
    return offset - shift;
  };
  return pattern.slice(originalOffset(start), originalOffset(start + excerpt.length));
}

/** Returns the length of the part that the replacement leaves unchanged, from its start. */
function unchanged({ start, end, text }: Replacement, pattern: string): number {
  let length = 0;
  while (start + length < end && text[length] === pattern[start + length]) length++;
  return length;
}
