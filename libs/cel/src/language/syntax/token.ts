/** Punctuation and keywords are their own kind; the rest are named as in upstream's grammar (cel-go parser/gen/CEL.g4, v0.29.2). */
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

/** A token of CEL: its kind and its text as written. */
export interface Token {
  readonly kind: TokenKind;
  readonly text: string;
  /** Code point offset of its first character. */
  readonly offset: number;
}
