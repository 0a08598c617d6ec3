/** Lowest cost that is shown as a power of ten instead of with all digits. */
const TOO_LONG = 10n ** 12n;

/** Returns a cost as text with digits in groups: `5,894,144`. A very large cost is shown as a power of ten: `1.8 × 10^19`. */
export function costText(cost: bigint): string {
  if (cost >= TOO_LONG) return Number(cost).toExponential(1).replace('e+', ' × 10^');
  return cost.toString().replace(/\B(?=(\d{3})+$)/g, ',');
}

/**
 * Returns a cost as a percentage of a limit: `58.9 %`. If the cost is at least ten times the limit, the text is a multiple of the limit.
 */
export function shareText(cost: bigint, limit: bigint): string {
  if (cost >= limit * 10n) return `${costText(cost / limit)} ×`;
  return `${(Number((cost * 1000n) / limit) / 10).toFixed(1)} %`;
}
