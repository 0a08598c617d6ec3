import { tokenize } from '#cel';
import type { Token } from '#cel';
import { argumentsOf, closingOf, isClosing, isOpening } from './brackets.ts';
import { MACROS } from './function-words.ts';
import { isMember, utf16Offsets } from './token-places.ts';

/** Span of a name in an expression, in UTF-16 code units. */
export interface NameSpan {
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
