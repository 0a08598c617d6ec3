import { OBJECT_BUDGET, PER_CALL_LIMIT } from '#kube';
import type { ExpressionPrice, PolicyPrice } from '#evaluation';
import { grouped } from './group-digits.ts';
import { shownInLine } from './shown-text.ts';

/** What policies did cost, as lines for people. `sourceOf`: where an object of the batch came from. */
export function policyPricesText(prices: readonly PolicyPrice[], sourceOf: (item: number) => string): string[] {
  return prices.flatMap(({ policy, evaluations, cost, dearest, budgetShare, expressions }, i) => [
    ...(i > 0 ? [''] : []),
    `policy ${shownInLine(policy)}: ${grouped(evaluations)} evaluations, ${grouped(cost)} units`,
    `  the dearest ${grouped(dearest.cost)} of ${grouped(OBJECT_BUDGET)} (${percent(budgetShare)}): ${shownInLine(sourceOf(dearest.item))}`,
    ...expressions.map((expression) => `  ${expressionText(expression, sourceOf)}`),
  ]);
}

function expressionText(
  { part, index, name, evaluations, dearest, limitShare }: ExpressionPrice,
  sourceOf: (item: number) => string,
): string {
  const what = part === 'variable' ? `variables.${name ?? ''}` : `${part} ${index}${name === undefined ? '' : ` ${name}`}`;
  const most = `the dearest ${grouped(dearest.cost)} of ${grouped(PER_CALL_LIMIT)} (${percent(limitShare)})`;
  return `${shownInLine(what)}: ${grouped(evaluations)} evaluations, ${most}, ${shownInLine(sourceOf(dearest.item))}`;
}

/** Of a share, 0 to 1. */
function percent(share: number): string {
  const of = 100 * share;
  return `${of >= 1 || of === 0 ? of.toFixed(1) : of.toPrecision(2)}%`;
}
