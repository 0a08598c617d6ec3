import { tokenize } from '#cel';
import type { PricedPart } from '#crd';
import { EXPRESSION_COST_LIMIT } from '#kube';
import { costShare, costText } from '#numbers';
import { ExpressionScope } from './expression-scope.ts';
import type { ExpressionPlace } from './expression-scope.ts';
import { functionWords, MACROS, shownType } from './function-words.ts';
import { isMember, utf16Offsets } from './token-places.ts';

/** Explanation of a part of an expression. Offsets are in UTF-16 code units. */
export interface ExpressionHover {
  readonly start: number;
  readonly end: number;
  /** Text of the explanation, in Markdown. */
  readonly text: string;
}

/**
 * Returns an explanation for a position in an expression. It contains the type of the name at the position, or the documentation of the
 * function. It also contains the cost of the smallest part around the position. Returns undefined if nothing is known about the position.
 *
 * @param at offset in UTF-16 code units
 * @param parts costs of the expression's parts; undefined if the expression does not compile
 */
export function hoverExpression(
  text: string,
  at: number,
  place: ExpressionPlace,
  parts: PricedPart | undefined,
): ExpressionHover | undefined {
  const name = nameAt(text, at, place);
  const part = parts && smallestPart(text, at, parts);
  if (name === undefined && part === undefined) return undefined;
  const words = [name?.text, part && partWords(part.part)].filter((word) => word !== undefined);
  const { start, end } = name ?? (part as { start: number; end: number });
  return { start, end, text: words.join('\n\n---\n\n') };
}

function nameAt(text: string, at: number, place: ExpressionPlace): ExpressionHover | undefined {
  const tokens = tokenize(text)?.slice(0, -1);
  if (tokens === undefined) return undefined;
  const starts = utf16Offsets(text);
  const index = tokens.findIndex(({ offset, text: own }) => {
    const start = starts[offset] ?? 0;
    return start <= at && at <= start + own.length && /^[\w`]/.test(own);
  });
  const token = tokens[index];
  if (token === undefined || (token.kind !== 'IDENTIFIER' && token.kind !== 'ESC_IDENTIFIER')) return undefined;
  const start = starts[token.offset] ?? 0;
  const range = { start, end: start + token.text.length };
  const scope = new ExpressionScope(text, tokens, place);
  const variables = scope.variablesAt(index);
  const first = scope.startOfOperand(index + 1);
  if (tokens[index + 1]?.kind === '(') {
    const qualified = scope.textOf(first, index + 1);
    const receiver = isMember(tokens, index) ? scope.typeOf(first, index - 1, variables) : undefined;
    const words = functionWords(qualified, undefined) ?? functionWords(token.text, receiver);
    return words === undefined ? undefined : { ...range, text: words };
  }
  const bound = isMacroVariable(tokens[index - 1]?.kind, tokens[index - 2]?.text)
    ? scope.variablesAt(index + 2).get(token.text)
    : undefined;
  const type = bound ?? scope.typeOf(first, index + 1, variables);
  if (type === undefined) return undefined;
  return { ...range, text: `\`\`\`cel\n${scope.textOf(first, index + 1).replaceAll('```', "'''")}: ${shownType(type)}\n\`\`\`` };
}

/**
 * Returns true if a name is a variable that a macro declares as its first argument. `before` is the text before the name, and `called` is
 * the called function.
 */
const isMacroVariable = (before: string | undefined, called: string | undefined): boolean =>
  before === '(' && called !== undefined && called !== 'has' && Object.hasOwn(MACROS, called);

interface FoundPart {
  readonly part: PricedPart;
  readonly start: number;
  readonly end: number;
}

function smallestPart(text: string, at: number, root: PricedPart): FoundPart | undefined {
  const lines = text.split('\n');
  const startOf = ({ line, column }: PricedPart): number =>
    lines.slice(0, line - 1).reduce((sum, one) => sum + one.length + 1, 0) +
    [...(lines[line - 1] ?? '')].slice(0, column - 1).join('').length;
  let found: FoundPart | undefined;
  const visit = (part: PricedPart): void => {
    const start = startOf(part);
    const end = start + part.text.length;
    if (at < start || at > end) return;
    found = { part, start, end };
    part.parts.forEach(visit);
  };
  visit(root);
  return found;
}

function partWords({ text, estimate }: PricedPart): string {
  const shown = text.length > 80 ? `${text.slice(0, 79)}…` : text;
  const times = estimate.evaluations > 1n ? `, evaluated up to ${costText(estimate.evaluations)} times` : '';
  return `\`${shown.replaceAll('`', "'").replaceAll('\n', ' ')}\` costs up to **${costText(estimate.total.max)}** in one evaluation of the rule (${costShare(estimate.total.max, EXPRESSION_COST_LIMIT)} of what a rule may cost${times})`;
}
