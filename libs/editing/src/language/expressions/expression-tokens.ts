import { tokenize } from '#cel';
import type { Token } from '#cel';
import { MACROS } from './function-words.ts';
import type { NameSpan } from './macro-variables.ts';
import { isMember, utf16Offsets } from './token-places.ts';

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
