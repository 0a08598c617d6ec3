import { tokenize } from '#cel';
import type { Token } from '#cel';
import { isClosing, isOpening, OPENING } from './brackets.ts';
import { utf16Offsets } from './token-places.ts';

/** Change of the white space between two tokens of one line. */
export interface SpaceChange {
  /** Start and end of the gap between the two tokens, in UTF-16 code units. */
  readonly start: number;
  readonly end: number;
  readonly space: '' | ' ';
}

/** Operators that have a space on either side. */
const BINARY: ReadonlySet<string> = new Set('== != < <= >= > && || + * / % ? in'.split(' '));
/**
 * Kinds of tokens after which a minus or a question mark begins an operand. After tokens of all other kinds, a minus or a question mark
 * joins two operands.
 */
const BEFORE_OPERAND: ReadonlySet<string> = new Set([...BINARY, ...OPENING, ',', ':', '-', '!', '.']);

/**
 * Returns the changes that normalize the spaces of an expression. Line breaks and comments are not changed. The result is empty for a text
 * without tokens.
 */
export function spaceExpression(text: string): readonly SpaceChange[] {
  const tokens = tokenize(text)?.slice(0, -1) ?? [];
  const starts = utf16Offsets(text);
  return tokens.slice(1).flatMap((token, i) => {
    const before = tokens[i] as Token;
    const start = (starts[before.offset] ?? 0) + before.text.length;
    const end = starts[token.offset] ?? 0;
    const gap = text.slice(start, end);
    const space = spaceBetween(tokens, i + 1);
    return /^[ \t]*$/.test(gap) && gap !== space ? [{ start, end, space }] : [];
  });
}

/** Returns the white space that separates a token from the previous token in the normalized form. */
function spaceBetween(tokens: readonly Token[], index: number): '' | ' ' {
  const before = tokens[index - 1] as Token;
  const token = tokens[index] as Token;
  if (isJoining(tokens, index) || isJoining(tokens, index - 1)) return ' ';
  if (before.kind === ',') return ' ';
  if (before.kind === ':') return ' ';
  if (token.kind === ':') return isInMap(tokens, index) ? '' : ' ';
  return isWord(before) && isWord(token) ? ' ' : '';
}

/** Returns true if a token joins two operands. */
function isJoining(tokens: readonly Token[], index: number): boolean {
  const token = tokens[index];
  if (token === undefined) return false;
  if (token.kind === '-') return index > 0 && !BEFORE_OPERAND.has((tokens[index - 1] as Token).kind);
  // In `a.?b`, `a[?0]` and `{?'a': b}`, the question mark is not the operator `?:`.
  if (token.kind === '?') return !BEFORE_OPERAND.has(tokens[index - 1]?.kind ?? '(');
  return BINARY.has(token.kind);
}

/** Returns true if a colon follows a key of a map: the colon is inside braces and does not belong to a conditional `? :`. */
function isInMap(tokens: readonly Token[], colon: number): boolean {
  let depth = 0;
  let answered = 0;
  for (let at = colon - 1; at >= 0; at--) {
    const kind = tokens[at]?.kind ?? '';
    if (isClosing(tokens[at])) depth++;
    else if (isOpening(tokens[at])) {
      if (depth-- === 0) return kind === '{';
    } else if (depth > 0) continue;
    else if (kind === ':') answered++;
    else if (kind === '?' && isJoining(tokens, at) && answered-- === 0) return false;
  }
  return false;
}

const isWord = ({ kind, text }: Token): boolean => /^[\w`]/.test(text) || kind === 'STRING' || kind === 'BYTES';
