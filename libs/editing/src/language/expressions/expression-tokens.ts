import { tokenize } from '#cel';
import type { Token } from '#cel';
import { MACROS } from './function-words.ts';

/** Types of the tokens of an expression, under the names of the Language Server Protocol. */
export const TOKEN_TYPES = ['keyword', 'number', 'string', 'operator', 'variable', 'property', 'function', 'method', 'macro'] as const;

/** Type of a token: an element of {@link TOKEN_TYPES}. */
export type TokenType = (typeof TOKEN_TYPES)[number];

/** Token of an expression, with its type and its span in UTF-16 code units. */
export interface TypedToken extends NameSpan {
  readonly type: TokenType;
}

const KEYWORDS: ReadonlySet<string> = new Set(['true', 'false', 'null', 'in']);
const NUMBERS: ReadonlySet<string> = new Set(['NUM_INT', 'NUM_UINT', 'NUM_FLOAT']);
/** Token kinds that are operators: all punctuation except brackets, dots and commas. */
const OPERATORS: ReadonlySet<string> = new Set('== != < <= >= > && || - ! ? : + * / %'.split(' '));

/**
 * Returns the tokens of an expression with their types, even if the expression has syntax errors. Returns no tokens if the text cannot be
 * split into tokens.
 */
export function expressionTokens(text: string): readonly TypedToken[] {
  const tokens = tokenize(text)?.slice(0, -1) ?? [];
  const starts = utf16Offsets(text);
  return tokens.flatMap((token, index) => {
    const type = typeOf(tokens, index);
    const start = starts[token.offset] ?? 0;
    return type === undefined ? [] : [{ type, start, end: start + token.text.length }];
  });
}

function typeOf(tokens: readonly Token[], index: number): TokenType | undefined {
  const { kind, text } = tokens[index] as Token;
  if (KEYWORDS.has(kind)) return 'keyword';
  if (NUMBERS.has(kind)) return 'number';
  if (kind === 'STRING' || kind === 'BYTES') return 'string';
  if (OPERATORS.has(kind)) return 'operator';
  if (kind !== 'IDENTIFIER' && kind !== 'ESC_IDENTIFIER') return undefined;
  const isPart = isMember(tokens, index);
  if (tokens[index + 1]?.kind === '(') return Object.hasOwn(MACROS, text) ? 'macro' : isPart ? 'method' : 'function';
  return isPart ? 'property' : 'variable';
}

/** Span of a name in an expression, in UTF-16 code units. */
interface NameSpan {
  readonly start: number;
  readonly end: number;
}

/** Variable that a macro declares, with all its uses. */
export interface MacroVariable {
  readonly name: string;
  /** Positions of the name: first the declaration, then the uses in text order. */
  readonly spans: readonly [NameSpan, ...NameSpan[]];
  /** All other names in the call of the macro. A new name of the variable must differ from each of them to avoid hiding a variable. */
  readonly others: ReadonlySet<string>;
}

/**
 * Returns the macro variable that is declared or used at a position in an expression. Returns undefined if there is none. `at` is an offset
 * in UTF-16 code units; it may also be the end of the name.
 */
export function macroVariableAt(text: string, at: number): MacroVariable | undefined {
  const tokens = tokenize(text)?.slice(0, -1);
  if (tokens === undefined) return undefined;
  const starts = utf16Offsets(text);
  const span = ({ offset, text: name }: Token): NameSpan => ({ start: starts[offset] ?? 0, end: (starts[offset] ?? 0) + name.length });
  const index = tokens.findIndex((token) => token.kind === 'IDENTIFIER' && span(token).start <= at && at <= span(token).end);
  const token = tokens[index];
  if (token === undefined || isMember(tokens, index)) return undefined;
  const binding = isBound(tokens, index) ? index : bindingOf(tokens, index);
  const bound = tokens[binding];
  if (bound === undefined) return undefined;
  const call = callAround(tokens, binding);
  const uses = tokens.flatMap((one, i) => {
    const isSame = one.kind === 'IDENTIFIER' && one.text === bound.text && i > call.open && i < call.close && !isMember(tokens, i);
    return isSame && !isBound(tokens, i) && bindingOf(tokens, i) === binding ? [span(one)] : [];
  });
  const others = new Set(tokens.slice(call.open, call.close).flatMap((one) => (one.kind === 'IDENTIFIER' ? [one.text] : [])));
  others.delete(bound.text);
  return { name: bound.text, spans: [span(bound), ...uses], others };
}

/**
 * Returns true if a macro declares the name at `index` as a variable. The name must be the first argument, or the second argument if the
 * first is also a name.
 */
function isBound(tokens: readonly Token[], index: number): boolean {
  if (tokens[index + 1]?.kind !== ',') return false;
  const isFirst = tokens[index - 1]?.kind === '(';
  const open = isFirst ? index - 1 : tokens[index - 1]?.kind === ',' && tokens[index - 2]?.kind === 'IDENTIFIER' ? index - 3 : -1;
  const name = tokens[open - 1]?.text ?? '';
  if (tokens[open]?.kind !== '(' || name === 'has' || !Object.hasOwn(MACROS, name) || !isMember(tokens, open - 1)) return false;
  return isFirst || argumentsOf(tokens, open) >= 3;
}

/**
 * Returns the index of the token that declares the name at `index`, in the innermost enclosing macro that declares it. Returns -1 if no
 * macro declares the name.
 */
function bindingOf(tokens: readonly Token[], index: number): number {
  const name = tokens[index]?.text;
  for (let at = index - 1, depth = 0; at >= 0; at--) {
    if (isClosing(tokens[at])) depth++;
    else if (isOpening(tokens[at]) && depth-- === 0) {
      depth = 0;
      for (const one of [at + 1, at + 3]) if (one < index && tokens[one]?.text === name && isBound(tokens, one)) return one;
    }
  }
  return -1;
}

/**
 * Returns the token indexes of the opening and closing parenthesis of the call that has the token `argument` as its first or second
 * argument.
 */
function callAround(tokens: readonly Token[], argument: number): { readonly open: number; readonly close: number } {
  const open = tokens[argument - 1]?.kind === '(' ? argument - 1 : argument - 3;
  return { open, close: closingOf(tokens, open) };
}

/** Returns true if the token at `index` follows a dot. A name at this position is a field or a method. */
export const isMember = (tokens: readonly Token[], index: number): boolean =>
  tokens[index - 1]?.kind === '.' || (tokens[index - 1]?.kind === '?' && tokens[index - 2]?.kind === '.');

/** Returns the offset in UTF-16 code units of each code point of a text, and of the end of the text. */
export function utf16Offsets(text: string): number[] {
  const offsets: number[] = [];
  let at = 0;
  for (const character of text) {
    offsets.push(at);
    at += character.length;
  }
  return [...offsets, at];
}

/** Kinds of tokens that open a bracket. */
export const OPENING: ReadonlySet<string> = new Set(['(', '[', '{']);
const CLOSING: ReadonlySet<string> = new Set([')', ']', '}']);

/** Returns true if a token opens a bracket of any kind. */
export const isOpening = (token: Token | undefined): boolean => token !== undefined && OPENING.has(token.kind);

/** Returns true if a token closes a bracket of any kind. */
export const isClosing = (token: Token | undefined): boolean => token !== undefined && CLOSING.has(token.kind);

/** Returns the index of the token that closes the bracket at `open`. Returns the number of tokens if the bracket is not closed. */
export function closingOf(tokens: readonly Token[], open: number): number {
  let depth = 0;
  for (let at = open; at < tokens.length; at++) {
    if (isOpening(tokens[at])) depth++;
    else if (isClosing(tokens[at]) && --depth === 0) return at;
  }
  return tokens.length;
}

/** Returns the number of arguments of a call. `open` is the index of the token that opens the parentheses of the call. */
export function argumentsOf(tokens: readonly Token[], open: number): number {
  const close = closingOf(tokens, open);
  if (close === open + 1) return 0;
  let count = 1;
  for (let at = open + 1; at < close; at++) {
    if (isOpening(tokens[at])) at = closingOf(tokens, at);
    else if (tokens[at]?.kind === ',') count++;
  }
  return count;
}
