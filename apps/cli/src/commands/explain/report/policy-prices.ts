import { OBJECT_BUDGET, PER_CALL_LIMIT } from '#kube';
import type { ExpressionPrice, ListGrowth, PolicyPrice } from '#documents';
import { finePercent, grouped } from '#numbers';
import { shownInLine } from '#report';

/** Returns the costs of policies as readable text. `sourceOf` returns the file location of an object of the batch. */
export function policyPricesText(prices: readonly PolicyPrice[], sourceOf: (item: number) => string): string[] {
  return prices.flatMap(({ policy, evaluations, cost, dearest, budgetShare, expressions, growth = [] }, i) => [
    ...(i > 0 ? [''] : []),
    `policy ${shownInLine(policy)}: ${grouped(evaluations)} evaluations, ${grouped(cost)} units`,
    `  maximum ${grouped(dearest.cost)} of ${grouped(OBJECT_BUDGET)} (${finePercent(budgetShare)}): ${shownInLine(sourceOf(dearest.item))}`,
    ...expressions.map((expression) => `  ${expressionText(expression, sourceOf)}`),
    ...growth.filter(isPrinted).map((one) => `  ${growthText(one)}`),
  ]);
}

/** Returns true if a growth is printed: all lists, and the maps and texts that can end an evaluation. */
const isPrinted = ({ unit, mayGrowTo }: ListGrowth): boolean => unit === 'elements' || mayGrowTo !== null;

function expressionText(
  { part, index, name, evaluations, dearest, limitShare }: ExpressionPrice,
  sourceOf: (item: number) => string,
): string {
  const what = placeText({ part, index, name });
  const most = `maximum ${grouped(dearest.cost)} of ${grouped(PER_CALL_LIMIT)} (${finePercent(limitShare)})`;
  return `${shownInLine(what)}: ${grouped(evaluations)} evaluations, ${most}, ${shownInLine(sourceOf(dearest.item))}`;
}

const ONE_OF = { elements: 'element', entries: 'entry', characters: 'character' } as const;

/**
 * Returns a sentence about the size to which a list, map or text may grow before a limit ends the evaluation: `spec.containers (2 elements)
 * may grow to 812 for validation 0: with one more the limit of one evaluation stops it`.
 */
function growthText({ part, index, name, list, unit, param, length, mayGrowTo, largest, endsBy, isChecked }: ListGrowth): string {
  const owner = param === undefined ? '' : ` of the parameter ${param}`;
  const which = shownInLine(`${list}${owner} (${grouped(length)} ${length === 1 ? ONE_OF[unit] : unit})`);
  const what = shownInLine(placeText({ part, index, name }));
  if (mayGrowTo === null)
    return `${which} does not end ${what} before the object is as long as a request may be (${grouped(largest)} ${unit}, 3 MiB)`;
  if (!isChecked) return `${which} may grow to ${grouped(mayGrowTo)} for ${what}, perhaps longer: the search was given up`;
  const why = endsBy === 'budget' ? 'the budget of the policy is spent before' : 'the limit of one evaluation stops it';
  return `${which} may grow to ${grouped(mayGrowTo)} for ${what}: with one more ${why}`;
}

function placeText({ part, index, name }: { readonly part: string; readonly index: number; readonly name: string | undefined }): string {
  return part === 'variable' ? `variables.${name ?? ''}` : `${part} ${index}${name === undefined ? '' : ` ${name}`}`;
}
