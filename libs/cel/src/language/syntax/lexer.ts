import { codePointLength } from '#go';

/**
 * Kind of a token. Punctuation and keywords are named by their text. The kinds of literals and identifiers are named as in upstream's
 * grammar (cel-go parser/gen/CEL.g4, v0.29.2).
 */
export type TokenKind =
  | '=='
  | '!='
  | 'in'
  | '<'
  | '<='
  | '>='
  | '>'
  | '&&'
  | '||'
  | '['
  | ']'
  | '{'
  | '}'
  | '('
  | ')'
  | '.'
  | ','
  | '-'
  | '!'
  | '?'
  | ':'
  | '+'
  | '*'
  | '/'
  | '%'
  | 'true'
  | 'false'
  | 'null'
  | 'NUM_FLOAT'
  | 'NUM_INT'
  | 'NUM_UINT'
  | 'STRING'
  | 'BYTES'
  | 'IDENTIFIER'
  | 'ESC_IDENTIFIER'
  | 'EOF';

/** A token of CEL, with its kind and its original text. */
export interface Token {
  readonly kind: TokenKind;
  readonly text: string;
  /** Offset of the token's first character, in code points. */
  readonly offset: number;
}

const KEYWORDS: ReadonlySet<string> = new Set(['in', 'true', 'false', 'null']);
const TWO_CHARACTERS: ReadonlySet<string> = new Set(['==', '!=', '<=', '>=', '&&', '||']);
const ONE_CHARACTER: ReadonlySet<string> = new Set('<>[]{}().,-!?:+*/%');

const SPACE = /(?:[\t \r\n\f]+|\/\/[^\n]*)+/y;
const NUMBER = /(\d+(?:\.\d+(?:[eE][+-]?\d+)?|[eE][+-]?\d+)|\.\d+(?:[eE][+-]?\d+)?)|(0x[0-9a-fA-F]+[uU]|\d+[uU])|0x[0-9a-fA-F]+|\d+/y;
const IDENTIFIER = /[A-Za-z_][A-Za-z0-9_]*/y;
const QUOTED_IDENTIFIER = /`[A-Za-z0-9_.\-/ ]+`/y;
const ESCAPE = /\\(?:[abfnrtv"'\\?`]|[xX][0-9a-fA-F]{2}|u[0-9a-fA-F]{4}|U[0-9a-fA-F]{8}|[0-3][0-7]{2})/y;
const STRING_PREFIX = /[bB]?[rR]?(?=["'])/y;

/** Splits the text of an expression into tokens. The last token is EOF. Returns undefined if any part of the text is not a token. */
export function tokenize(text: string): Token[] | undefined {
  const tokens: Token[] = [];
  let position = 0;
  let offset = 0;
  const advance = (end: number): void => {
    offset += codePointLength(text.slice(position, end));
    position = end;
  };
  const take = (kind: TokenKind, end: number): void => {
    tokens.push({ kind, text: text.slice(position, end), offset });
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
    const quoted = character === '`' ? matchAt(QUOTED_IDENTIFIER, text, position) : 0;
    if (stringEnd !== undefined) take(character === 'b' || character === 'B' ? 'BYTES' : 'STRING', stringEnd);
    else if (number > 0) take(numberKind(text.slice(position, position + number)), position + number);
    else if (identifier > 0) {
      const word = text.slice(position, position + identifier);
      take(KEYWORDS.has(word) ? (word as TokenKind) : 'IDENTIFIER', position + identifier);
    } else if (quoted > 0) take('ESC_IDENTIFIER', position + quoted);
    else if (TWO_CHARACTERS.has(pair)) take(pair as TokenKind, position + 2);
    else if (ONE_CHARACTER.has(character)) take(character as TokenKind, position + 1);
    else return undefined;
  }
  tokens.push({ kind: 'EOF', text: '<EOF>', offset });
  return tokens;
}

/**
 * Returns the end of the string or bytes literal at `start`. Returns undefined if there is no literal or if it is not closed. An unclosed
 * `'''` is read as the empty string `''`.
 */
function endOfString(text: string, start: number): number | undefined {
  const prefix = matchAt(STRING_PREFIX, text, start);
  const quote = text[start + prefix];
  if (quote !== '"' && quote !== "'") return undefined;
  const raw = prefix > 0 && 'rR'.includes(text[start + prefix - 1]!);
  const body = start + prefix + 1;
  if (text.startsWith(quote + quote, body)) return scanString(text, body + 2, quote.repeat(3), raw) ?? body + 1;
  return scanString(text, body, quote, raw);
}

/** Returns the position after the closing quotes. Returns undefined if the string is not closed. */
function scanString(text: string, from: number, closing: string, raw: boolean): number | undefined {
  let at = from;
  while (at < text.length) {
    if (text.startsWith(closing, at)) return at + closing.length;
    const character = text[at]!;
    if (closing.length === 1 && (character === '\n' || character === '\r')) return undefined;
    const length = character === '\\' && !raw ? matchAt(ESCAPE, text, at) : 1;
    if (length === 0) return undefined;
    at += length;
  }
  return undefined;
}

function numberKind(text: string): TokenKind {
  if (/[uU]$/.test(text)) return 'NUM_UINT';
  return text.startsWith('0x') || /^\d+$/.test(text) ? 'NUM_INT' : 'NUM_FLOAT';
}

/** Returns the length of the match of a sticky regular expression at a position. Returns 0 if it does not match. */
function matchAt(pattern: RegExp, text: string, position: number): number {
  pattern.lastIndex = position;
  return pattern.test(text) ? pattern.lastIndex - position : 0;
}

const isDigit = (character: string): boolean => character >= '0' && character <= '9';
