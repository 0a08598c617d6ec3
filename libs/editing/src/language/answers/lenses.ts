import { schemaPathText } from '#crd';
import type { RuleCost } from '#crd';
import { EXPRESSION_COST_LIMIT } from '#kube';
import { costShare, costText } from '#numbers';
import type { Lens } from './answers.ts';
import type { LanguageQuery } from '../open-texts/workspace.ts';
import { schemaPlace } from '../places/schema-place.ts';
import type { TextDocument } from '../open-texts/text-document.ts';

const RULES = 'x-kubernetes-validations';

/** Returns one lens for each rule that compiles: a line with the rule's estimated cost. The lens is placed at the rule's list entry. */
export function lensesOf(document: TextDocument, { workspace, minor }: LanguageQuery): Lens[] {
  return document.parts.flatMap((part) => {
    const state = workspace.definition(part);
    if (state === undefined || part.part.object === undefined) return [];
    const analysis = state.analysis(minor);
    const costs = new Map(analysis.verdict.rules.map((rule) => [`${rule.version} ${rule.path}`, rule]));
    return [...part.part.source.valuesOf(RULES)].flatMap(({ path, items }) => {
      const place = schemaPlace(path, analysis.versions);
      if (place === undefined) return [];
      const node = schemaPathText(place.path);
      return items.flatMap(({ start, end }, i): Lens[] => {
        const rule = costs.get(`${place.version} ${node === '' ? '' : `${node}.`}${RULES}[${i}]`);
        if (rule === undefined || rule.error !== undefined) return [];
        const range = document.positions.rangeOf(part.start + start, part.start + end);
        const { totalCost } = rule;
        return [{ range, title: lensTitle(rule), totalCost: `${totalCost}`, isTooExpensive: totalCost > EXPRESSION_COST_LIMIT }];
      });
    });
  });
}

/**
 * Returns the text that an editor shows above a rule (a code lens). It shows the highest estimated cost of a rule for a whole object, and
 * the factors of this cost: `estimate 5,894,144 of 10,000,000 (58.9 %) = 5,756 × 1,024`.
 */
export function lensTitle({ totalCost, maxCost, cardinality }: RuleCost): string {
  const total = `estimate ${costText(totalCost)} of ${costText(EXPRESSION_COST_LIMIT)} (${costShare(totalCost, EXPRESSION_COST_LIMIT)})`;
  if (cardinality === undefined) return `${total} = ${costText(maxCost)} × as often as a request has room for`;
  return cardinality === 1n ? total : `${total} = ${costText(maxCost)} × ${costText(cardinality)}`;
}
