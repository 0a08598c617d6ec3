/** Returns the text for a cost relative to its limit: a percentage, or a multiple of the limit if the cost exceeds the limit. */
export const factorText = (factor: number): string =>
  factor > 1 ? `exceeds the limit ${factor < 1.5 ? factor.toFixed(6) : factor.toFixed(1)}x` : percent(factor);

/** Returns a share, from 0 to 1, as text in percent. */
export const percent = (share: number): string => `${(100 * share).toFixed(share < 0.001 ? 4 : 1)} %`;

/** Share above which the API server itself only says that a cost exceeds its limit by more than this factor. */
const MOST_TOLD = 100;

/**
 * Returns a text about a share of a cost limit on two Kubernetes versions, such as `0.2 % of the limit on 1.37 → 1.6 times the limit on
 * 1.38`.
 */
export function changedShare(
  share: { readonly from: number; readonly to: number },
  versions: { readonly from: string; readonly to: string },
): string {
  return `${shareOfLimit(share.from)} on ${versions.from} → ${shareOfLimit(share.to)} on ${versions.to}`;
}

function shareOfLimit(share: number): string {
  if (share <= 1) return `${percent(share)} of the limit`;
  return share > MOST_TOLD ? `more than ${MOST_TOLD} times the limit` : `${share.toFixed(share < 1.05 ? 3 : 1)} times the limit`;
}
