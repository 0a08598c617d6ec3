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

export interface Token {
  readonly kind: TokenKind;
  readonly text: string;
  /** Code point offset of its first character. */
  readonly offset: number;
}

/** A kind as ANTLR prints it in "expecting …". */
export function kindName(kind: TokenKind): string {
  if (kind === 'EOF') return '<EOF>';
  return /^[A-Z]/.test(kind) ? kind : `'${kind}'`;
}

/** A token as ANTLR quotes it in messages. */
export function tokenName(token: Token): string {
  return token.kind === 'EOF' ? `'<EOF>'` : `'${escapeWhitespace(token.text)}'`;
}

/** Line breaks and tabs as ANTLR prints them in messages. */
export function escapeWhitespace(text: string): string {
  return text.replaceAll('\n', '\\n').replaceAll('\r', '\\r').replaceAll('\t', '\\t');
}
