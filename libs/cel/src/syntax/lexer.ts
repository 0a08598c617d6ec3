import { codePointCount } from './source.ts';
import { escapeWhitespace } from './token.ts';
import type { Token, TokenKind } from './token.ts';

/** Text that starts no token: what ANTLR says of it, and where. */
export interface LexicalError {
  readonly offset: number;
  readonly message: string;
}

const KEYWORDS: ReadonlySet<string> = new Set(['in', 'true', 'false', 'null']);
const TWO_CHARACTERS: ReadonlySet<string> = new Set(['==', '!=', '<=', '>=', '&&', '||']);
const ONE_CHARACTER: ReadonlySet<string> = new Set('<>[]{}().,-!?:+*/%');

const SPACE = /(?:[\t \r\n\f]+|\/\/[^\n]*)+/y;
const NUMBER = /(\d+(?:\.\d+(?:[eE][+-]?\d+)?|[eE][+-]?\d+)|\.\d+(?:[eE][+-]?\d+)?)|(0x[0-9a-fA-F]+[uU]|\d+[uU])|0x[0-9a-fA-F]+|\d+/y;
const IDENTIFIER = /[A-Za-z_][A-Za-z0-9_]*/y;
const QUOTED_IDENTIFIER = /`[A-Za-z0-9_.\-/ ]+`/y;
/** The longest start of an unfinished quoted identifier. */
const QUOTED_IDENTIFIER_START = /`[A-Za-z0-9_.\-/ ]*/y;
const ESCAPE = /\\(?:[abfnrtv"'\\?`]|[xX][0-9a-fA-F]{2}|u[0-9a-fA-F]{4}|U[0-9a-fA-F]{8}|[0-3][0-7]{2})/y;
/** The longest start of an escape sequence, complete or not. */
const ESCAPE_START = /\\(?:[xX][0-9a-fA-F]{0,2}|u[0-9a-fA-F]{0,4}|U[0-9a-fA-F]{0,8}|[0-3][0-7]{0,2})?/y;
const STRING_PREFIX = /[bB]?[rR]?(?=["'])/y;

/** Splits expression text into tokens, ending with EOF. Text that is no token is skipped and reported, as ANTLR's lexer does. */
export function tokenize(text: string): { tokens: Token[]; errors: LexicalError[] } {
  const tokens: Token[] = [];
  const errors: LexicalError[] = [];
  let position = 0;
  let offset = 0;
  const advance = (end: number): void => {
    offset += codePointCount(text.slice(position, end));
    position = end;
  };
  const take = (kind: TokenKind, end: number): void => {
    tokens.push({ kind, text: text.slice(position, end), offset });
    advance(end);
  };
  const refuse = (end: number): void => {
    errors.push({ offset, message: `token recognition error at: '${escapeWhitespace(text.slice(position, end))}'` });
    advance(end);
  };
  for (;;) {
    const space = matchAt(SPACE, text, position);
    if (space > 0) advance(position + space);
    if (position >= text.length) break;
    const character = text[position]!;
    const pair = text.slice(position, position + 2);
    const stringEnd = endOfString(text, position);
    const number = isDigit(character) || character === '.' ? matchAt(NUMBER, text, position) : 0;
    const identifier = matchAt(IDENTIFIER, text, position);
    if (stringEnd.closed) take(character === 'b' || character === 'B' ? 'BYTES' : 'STRING', stringEnd.at);
    else if (number > 0) take(numberKind(text.slice(position, position + number)), position + number);
    else if (identifier > 0) {
      const word = text.slice(position, position + identifier);
      take(KEYWORDS.has(word) ? (word as TokenKind) : 'IDENTIFIER', position + identifier);
    } else if (character === '`') {
      const quoted = matchAt(QUOTED_IDENTIFIER, text, position);
      if (quoted > 0) take('ESC_IDENTIFIER', position + quoted);
      else refuse(afterCharacter(text, position + matchAt(QUOTED_IDENTIFIER_START, text, position)));
    } else if (TWO_CHARACTERS.has(pair)) take(pair as TokenKind, position + 2);
    else if (ONE_CHARACTER.has(character)) take(character as TokenKind, position + 1);
    else if (character === '=' || character === '&' || character === '|') refuse(afterCharacter(text, position + 1));
    else refuse(stringEnd.at > position ? stringEnd.at : afterCharacter(text, position));
  }
  tokens.push({ kind: 'EOF', text: '<EOF>', offset });
  return { tokens, errors };
}

/**
 * Where a string or bytes literal at `start` ends. Not closed: `at` is behind the character on which ANTLR gives up, or `start` when
 * there is no quote. An unfinished `'''` reads as the empty string `''`.
 */
function endOfString(text: string, start: number): { closed: boolean; at: number } {
  const prefix = matchAt(STRING_PREFIX, text, start);
  const quote = text[start + prefix];
  if (quote !== '"' && quote !== "'") return { closed: false, at: start };
  const raw = prefix > 0 && 'rR'.includes(text[start + prefix - 1]!);
  const body = start + prefix + 1;
  if (text.startsWith(quote + quote, body)) {
    const triple = scanString(text, body + 2, quote.repeat(3), raw);
    return triple.closed ? triple : { closed: true, at: body + 1 };
  }
  return scanString(text, body, quote, raw);
}

function scanString(text: string, from: number, closing: string, raw: boolean): { closed: boolean; at: number } {
  let at = from;
  while (at < text.length) {
    if (text.startsWith(closing, at)) return { closed: true, at: at + closing.length };
    const character = text[at]!;
    if (closing.length === 1 && (character === '\n' || character === '\r')) return { closed: false, at: at + 1 };
    if (character === '\\' && !raw) {
      const escape = matchAt(ESCAPE, text, at);
      if (escape === 0) return { closed: false, at: afterCharacter(text, at + matchAt(ESCAPE_START, text, at)) };
      at += escape;
    } else at++;
  }
  return { closed: false, at };
}

function numberKind(text: string): TokenKind {
  if (/[uU]$/.test(text)) return 'NUM_UINT';
  return text.startsWith('0x') || /^\d+$/.test(text) ? 'NUM_INT' : 'NUM_FLOAT';
}

/** Length of the match of a sticky expression at a position; 0 when there is none. */
function matchAt(pattern: RegExp, text: string, position: number): number {
  pattern.lastIndex = position;
  return pattern.test(text) ? pattern.lastIndex - position : 0;
}

const isDigit = (character: string): boolean => character >= '0' && character <= '9';

/** The position behind the code point at `position`. */
function afterCharacter(text: string, position: number): number {
  const point = text.codePointAt(position);
  return point === undefined ? position : position + (point > 0xffff ? 2 : 1);
}
