import type { FieldError } from '#kube';

/** Formats a number with one decimal. Exact ties are rounded to even, as in Go; `toFixed` would round them up. */
function oneDecimal(value: number): string {
  const tie = Number.isInteger(value * 4) && !Number.isInteger(value * 2);
  if (!tie) return value.toFixed(1);
  const tenths = Math.floor(value * 10);
  return ((tenths % 2 === 0 ? tenths : tenths + 1) / 10).toFixed(1);
}

const OVER_BUDGET = ' exceeds budget by factor of ';
/** Error message for a rule if the total cost of its schema exceeds the limit and the rule contributes to this cost. */
export const CONTRIBUTED = 'contributed to estimated rule cost total exceeding cost limit for entire OpenAPIv3 schema';

/** Returns true if an error reports that a rule or a schema exceeds its cost limit. */
export function isCostError({ type, detail }: FieldError): boolean {
  return type === 'FieldValueForbidden' && (detail === CONTRIBUTED || detail.includes(OVER_BUDGET));
}

/**
 * Returns the error message for a cost that exceeds its limit. The message states by which factor the cost exceeds the limit, and suggests
 * how to reduce the cost.
 */
export function costText(what: string, cost: bigint, limit: bigint): string {
  const ratio = Number(cost) / Number(limit);
  const factor = ratio > 100 ? 'more than 100x' : ratio < 1.5 ? `${ratio.toFixed(6)}x` : `${oneDecimal(ratio)}x`;
  const advice = 'try simplifying the rule, or adding maxItems, maxProperties, and maxLength where arrays, maps, and strings are declared';
  return `${what}${OVER_BUDGET}${factor} (${advice})`;
}
