import { grouped } from './counts.ts';

/**
 * Returns a cost for display. A cost of more than `longest` digits is shown as a rounded power of ten, because its exact value does not
 * matter: `1.8 × 10^19`.
 */
export function shortCost(cost: string, longest = 13): string {
  return cost.length > longest ? Number(cost).toExponential(1).replace('e+', ' × 10^') : grouped(cost);
}

/** Returns a cost as text for editors: {@link shortCost} with at most twelve digits. */
export const costText = (cost: bigint): string => shortCost(String(cost), 12);
