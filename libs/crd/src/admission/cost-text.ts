/** One decimal, exact ties to even as Go rounds; toFixed rounds them up. */
function oneDecimal(value: number): string {
  const tie = Number.isInteger(value * 4) && !Number.isInteger(value * 2);
  if (!tie) return value.toFixed(1);
  const tenths = Math.floor(value * 10);
  return ((tenths % 2 === 0 ? tenths : tenths + 1) / 10).toFixed(1);
}

/** The sentence about a cost over its limit: by which factor, and what may help. */
export function costText(what: string, cost: bigint, limit: bigint): string {
  const ratio = Number(cost) / Number(limit);
  const factor = ratio > 100 ? 'more than 100x' : ratio < 1.5 ? `${ratio.toFixed(6)}x` : `${oneDecimal(ratio)}x`;
  const advice = 'try simplifying the rule, or adding maxItems, maxProperties, and maxLength where arrays, maps, and strings are declared';
  return `${what} exceeds budget by factor of ${factor} (${advice})`;
}
