import { tokenize } from '#cel';
import type { Environment, Token } from '#cel';
import { argumentsOf, closingOf } from './brackets.ts';
import { ExpressionScope } from './expression-scope.ts';
import type { ExpressionPlace } from './expression-scope.ts';
import { utf16Offsets } from './token-places.ts';

/** Call that a Kubernetes minor version does not support, with an equivalent call that it supports. Offsets are in UTF-16 code units. */
export interface OlderCall {
  readonly start: number;
  readonly end: number;
  readonly before: string;
  readonly after: string;
}

/**
 * Table from macros with two variables to equivalent macros with one variable. For a list, both give the same result if the index variable
 * is not used.
 */
const ONE_VARIABLE: Readonly<Record<string, string>> = {
  all: 'all',
  exists: 'exists',
  existsOne: 'exists_one',
  exists_one: 'exists_one',
  transformList: 'map',
};

/**
 * Returns the calls of an expression that can be replaced because the Kubernetes minor version of `place` does not support them. Each is
 * returned with an equivalent call that this version supports. The calls are in text order.
 */
export function olderCalls(text: string, place: ExpressionPlace): readonly OlderCall[] {
  const tokens = tokenize(text)?.slice(0, -1) ?? [];
  const scope = new ExpressionScope(text, tokens, place);
  const starts = utf16Offsets(text);
  const codePoints = [...text];
  const between = (from: number, to: number): string => codePoints.slice(from, to).join('');
  return tokens.flatMap((token, index): OlderCall[] => {
    if (tokens[index + 1]?.kind !== '(' || tokens[index - 1]?.kind !== '.') return [];
    const open = index + 1;
    const close = closingOf(tokens, open);
    const behind = (tokens[close]?.offset ?? codePoints.length) + 1;
    const first = scope.startOfOperand(index - 1);
    // Over a map, a single variable is the key, and two variables are key and value.
    if (scope.typeOf(first, index - 1, scope.variablesAt(index))?.kind !== 'list') return [];
    const body = oneVariable(tokens, { open, close }, place.environment);
    if (body !== undefined) {
      const after = `${body.name}(${between(body.from.offset, behind)}`;
      return [{ start: starts[token.offset] ?? 0, end: starts[behind] ?? text.length, before: between(token.offset, behind), after }];
    }
    if (token.text !== 'includes' || place.environment.functions.has('includes') || argumentsOf(tokens, open) !== 1) return [];
    const receiver = tokens[first];
    if (receiver === undefined) return [];
    const argument = between((tokens[open]?.offset ?? 0) + 1, tokens[close]?.offset ?? 0).trim();
    const after = `(${argument} in ${scope.textOf(first, index - 1)})`;
    return [{ start: starts[receiver.offset] ?? 0, end: starts[behind] ?? text.length, before: between(receiver.offset, behind), after }];
  });
}

/**
 * Returns the name of an equivalent macro with one variable, and the token at which its arguments begin. Returns undefined if the
 * Kubernetes minor version supports the given macro, or if this macro needs both variables.
 */
function oneVariable(
  tokens: readonly Token[],
  { open, close }: { readonly open: number; readonly close: number },
  { syntax }: Environment,
): { readonly name: string; readonly from: Token } | undefined {
  const name = tokens[open - 1]?.text ?? '';
  const other = Object.hasOwn(ONE_VARIABLE, name) ? ONE_VARIABLE[name] : undefined;
  if (other === undefined) return undefined;
  const count = argumentsOf(tokens, open);
  const isKnown = [...syntax.macros.values()].some((macro) => macro.name === name && macro.style === 'method' && macro.arguments === count);
  if (isKnown) return undefined;
  const [index, comma, from] = tokens.slice(open + 1, open + 4);
  if (count === 2) return other === name || index === undefined ? undefined : { name: other, from: index };
  if (count !== 3 || index?.kind !== 'IDENTIFIER' || comma?.kind !== ',' || from?.kind !== 'IDENTIFIER') return undefined;
  const isNamed = tokens.slice(open + 4, close).some((token) => token.kind === 'IDENTIFIER' && token.text === index.text);
  return isNamed ? undefined : { name: other, from };
}
