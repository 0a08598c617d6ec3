import { tokenize } from '#cel';
import type { TextEdit } from './answers.ts';
import { expressionTokens, isClosing, isOpening, macroVariableAt, OPENING, utf16Offsets } from '../expressions/expression-tokens.ts';
import type { TokenType, MacroVariable } from '../expressions/expression-tokens.ts';
import type { Position, Range } from '../open-texts/position.ts';
import type { PlacedPart, TextDocument } from '../open-texts/text-document.ts';
import { expressionAt, expressionsOf } from '../places/written-expressions.ts';
import type { WrittenExpression } from '../places/written-expressions.ts';
import type { Token } from '#cel';

/** Token of an expression, with its range in the text. */
export interface ExpressionToken {
  readonly range: Range;
  readonly type: TokenType;
}

/**
 * Returns the tokens of all expressions of a text, in text order. Tokens that span several lines are left out, because editors do not
 * accept them.
 */
export function expressionTokensOf(document: TextDocument): readonly ExpressionToken[] {
  const found = document.parts.flatMap((part) =>
    [...expressionsOf(part)].flatMap((expression) =>
      expressionTokens(expression.text).map(({ type, start, end }) => ({
        type,
        range: rangeIn(document, part, expression, { start, end }),
      })),
    ),
  );
  return found
    .filter(({ range: { start, end } }) => start.line === end.line && start.character < end.character)
    .toSorted(({ range: a }, { range: b }) => a.start.line - b.start.line || a.start.character - b.start.character);
}

/**
 * Returns the edits that normalize the spaces in all expressions of a text. A gap next to a `:` or `#` is not changed if a space there
 * could end an unquoted YAML scalar. A gap that is written as an escape sequence is not changed either.
 */
export function spacingOf(document: TextDocument): readonly TextEdit[] {
  return document.parts.flatMap((part) =>
    [...expressionsOf(part)].flatMap((expression) =>
      spaceExpression(expression.text).flatMap(({ start, end, space }) => {
        const from = expression.offsets[start] ?? 0;
        const to = expression.offsets[end] ?? 0;
        const isAsRead = part.part.text.slice(from, to) === expression.text.slice(start, end);
        const endsScalar = expression.isPlain && space === ' ' && /[:#]/.test(expression.text.slice(Math.max(0, start - 1), end + 1));
        return isAsRead && !endsScalar ? [{ range: document.positions.rangeOf(part.start + from, part.start + to), newText: space }] : [];
      }),
    ),
  );
}

/**
 * Returns the range and name of the macro variable at a position, such as `x` in `all(x, x > 0)`. Only macro variables can be renamed.
 * Returns undefined if the position has no macro variable.
 */
export function renamedAt(document: TextDocument, position: Position): { readonly range: Range; readonly name: string } | undefined {
  const found = variableAt(document, position);
  if (found === undefined) return undefined;
  const ranges = found.variable.spans.map((span) => rangeIn(document, found.part, found.expression, span));
  const range = ranges.find(({ start, end }) => isBetween(position, start, end));
  return range && { range, name: found.variable.name };
}

/**
 * Returns the edits that rename the macro variable at a position. Returns a sentence about the problem if the name is invalid or the
 * position has no macro variable.
 */
export function renameAt(document: TextDocument, position: Position, to: string): readonly TextEdit[] | { readonly problem: string } {
  const found = variableAt(document, position);
  if (found === undefined) return { problem: 'only variables of macros can be renamed' };
  if (!/^[_a-zA-Z]\w*$/.test(to) || tokenize(to)?.[0]?.kind !== 'IDENTIFIER') return { problem: `${to} is no name of CEL` };
  if (found.variable.others.has(to)) return { problem: `${to} already stands inside the macro and would mean something else` };
  return found.variable.spans.map((span) => ({ range: rangeIn(document, found.part, found.expression, span), newText: to }));
}

/** Macro variable, with the document and the expression in which it was found. */
export interface FoundVariable {
  readonly part: PlacedPart;
  readonly expression: WrittenExpression;
  readonly variable: MacroVariable;
}

/** Returns the variable that a macro such as `all` declares, if it is declared or used at a position. Otherwise returns undefined. */
export function variableAt(document: TextDocument, position: Position): FoundVariable | undefined {
  const part = document.partAt(position);
  const offset = document.positions.offsetOf(position) - part.start;
  const expression = expressionAt(part, offset);
  const variable = expression && macroVariableAt(expression.text, readOffset(expression, offset));
  return variable && { part, expression, variable };
}

/**
 * Converts `offset`, a position in the document, to an index into the text of an expression. Returns the index of the last character of the
 * expression that is written at or before `offset`, or 0 if there is none.
 */
export const readOffset = ({ offsets }: WrittenExpression, offset: number): number =>
  Math.max(
    0,
    offsets.findLastIndex((one) => one <= offset),
  );

/**
 * Returns the range in a document in which a section of an expression is written. `start` and `end` are indices of characters in the
 * expression, and `end` is exclusive. `part` is the expression's place in the document.
 */
export function rangeIn(
  { positions }: TextDocument,
  part: PlacedPart,
  { offsets }: WrittenExpression,
  { start, end }: { readonly start: number; readonly end: number },
): Range {
  const from = offsets[start] ?? 0;
  // The end comes after the last character, because the next character may be on another line.
  return positions.rangeOf(part.start + from, part.start + (offsets[end - 1] ?? from) + 1);
}

const isBetween = (at: Position, from: Position, to: Position): boolean =>
  (at.line > from.line || (at.line === from.line && at.character >= from.character)) &&
  (at.line < to.line || (at.line === to.line && at.character <= to.character));

/** Change of the white space between two tokens of one line. */
interface SpaceChange {
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
function spaceExpression(text: string): readonly SpaceChange[] {
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
