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
