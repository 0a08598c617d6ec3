import type { Token } from '#cel';

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
