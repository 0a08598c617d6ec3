import { EXPRESSION_COST_LIMIT } from '#kube';
import type { Lens } from '#language';
import { costText, limitText } from '../views/count-text.ts';

/** Returns the text of the line above a rule. It shows the highest cost of the rule as a share of the limit. */
export function lensWords({ totalCost, isTooDear }: Pick<Lens, 'totalCost' | 'isTooDear'>): string {
  const share = limitText(BigInt(totalCost), EXPRESSION_COST_LIMIT);
  return isTooDear ? `✗ too expensive: ${share}` : `cost at most ${costText(totalCost)}, ${share}`;
}
