import { kindName, tokenName } from './token.ts';
import type { Token, TokenKind } from './token.ts';

/** Kinds that can begin an operand, in the order in which ANTLR lists them. */
const OPERAND_START: readonly TokenKind[] = [
  '[',
  '{',
  '(',
  '.',
  '-',
  '!',
  'true',
  'false',
  'null',
  'NUM_FLOAT',
  'NUM_INT',
  'NUM_UINT',
  'STRING',
  'BYTES',
  'IDENTIFIER',
];
const OPERAND_START_SET: ReadonlySet<TokenKind> = new Set(OPERAND_START);

/** True when an operand may begin with this token. */
export const startsOperand = (token: Token): boolean => OPERAND_START_SET.has(token.kind);

/**
 * What ANTLR says where an operand should begin: the token is called extraneous when the one behind it would fit, else mismatched.
 * Source: antlr4-go v4 error_strategy.go.
 */
export function operandExpected(found: Token, next: Token | undefined): string {
  const verdict = next !== undefined && startsOperand(next) ? 'extraneous' : 'mismatched';
  return `${verdict} input ${tokenName(found)} expecting {${OPERAND_START.map(kindName).join(', ')}}`;
}

/** What ANTLR says where one of a few kinds should stand. */
export function kindExpected(found: Token, next: Token | undefined, expected: readonly TokenKind[]): string {
  const names = expected.map(kindName);
  const set = names.length === 1 ? names[0]! : `{${names.join(', ')}}`;
  const verdict = next !== undefined && expected.includes(next.kind) ? 'extraneous' : 'mismatched';
  return `${verdict} input ${tokenName(found)} expecting ${set}`;
}

/** What ANTLR says when it goes on as if the kind had been there. */
export function kindMissing(expected: TokenKind, found: Token): string {
  return `missing ${kindName(expected)} at ${tokenName(found)}`;
}

/** What ANTLR says of a dot with nothing selectable behind it. Upstream words keywords differently. */
export function selectorExpected(text: string, found: Token): string {
  if (found.kind === 'true' || found.kind === 'false' || found.kind === 'null') {
    if (text === `.${found.kind}`) return `mismatched input '${found.kind}' expecting IDENTIFIER`;
  }
  return `no viable alternative at input '${text}'`;
}
