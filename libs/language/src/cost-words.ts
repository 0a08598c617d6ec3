/** A cost with its digits in groups: `5,894,144`. */
export function costText(cost: bigint): string {
  return cost.toString().replace(/\B(?=(\d{3})+$)/g, ',');
}

/** How much of a limit a cost is: `58.9 %`; a multiple of the limit from ten times on. */
export function shareText(cost: bigint, limit: bigint): string {
  if (cost >= limit * 10n) return `${costText(cost / limit)} ×`;
  return `${(Number((cost * 1000n) / limit) / 10).toFixed(1)} %`;
}
