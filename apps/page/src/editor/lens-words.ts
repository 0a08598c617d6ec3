import { EXPRESSION_COST_LIMIT } from '#kube';
import type { Lens } from '#editing/language';
import { costWords, limitText } from '#numbers';

/**
 * Returns the text of the code lens, a line that the editor shows above a rule. The text shows the rule's maximum cost as a share of the
 * limit.
 */
export function lensWords({ totalCost, isTooDear }: Pick<Lens, 'totalCost' | 'isTooDear'>): string {
  const share = limitText(BigInt(totalCost), EXPRESSION_COST_LIMIT);
  return isTooDear ? `↑ too expensive: ${share}` : `cost at most ${costWords(totalCost)}, ${share}`;
}
