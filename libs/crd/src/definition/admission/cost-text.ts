import type { FieldError } from '#kube';

/** Returns one decimal, exact ties to even as Go rounds; toFixed rounds them up. */
function oneDecimal(value: number): string {
  const tie = Number.isInteger(value * 4) && !Number.isInteger(value * 2);
  if (!tie) return value.toFixed(1);
  const tenths = Math.floor(value * 10);
  return ((tenths % 2 === 0 ? tenths : tenths + 1) / 10).toFixed(1);
}

const OVER_BUDGET = ' exceeds budget by factor of ';
/** Message for each rule of a schema whose total cost exceeds the limit. */
export const CONTRIBUTED = 'contributed to estimated rule cost total exceeding cost limit for entire OpenAPIv3 schema';

/** Returns true for an error that says of a rule, or of a schema, that it costs too much. */
export function isCostError({ type, detail }: FieldError): boolean {
  return type === 'FieldValueForbidden' && (detail === CONTRIBUTED || detail.includes(OVER_BUDGET));
}

/** Returns the sentence about a cost over its limit: by which factor, and what may help. */
export function costText(what: string, cost: bigint, limit: bigint): string {
  const ratio = Number(cost) / Number(limit);
  const factor = ratio > 100 ? 'more than 100x' : ratio < 1.5 ? `${ratio.toFixed(6)}x` : `${oneDecimal(ratio)}x`;
  const advice = 'try simplifying the rule, or adding maxItems, maxProperties, and maxLength where arrays, maps, and strings are declared';
  return `${what}${OVER_BUDGET}${factor} (${advice})`;
}
