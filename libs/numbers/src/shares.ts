import { costText } from './cost-words.ts';
import { grouped } from './figures.ts';

/** Returns a share, from 0 to 1, in per cent with one decimal. A share below 0.1 % has four decimals. */
export const percent = (share: number): string => `${(100 * share).toFixed(share < 0.001 ? 4 : 1)} %`;

/** Returns a share in per cent, in whole per cent from 10 % on. A share above zero is never written as 0. */
export function roughPercent(share: number): string {
  if (share === 0) return '0 %';
  if (share < 0.001) return 'below 0.1 %';
  return `${share >= 0.0995 ? Math.round(100 * share) : (100 * share).toFixed(1)} %`;
}

/** Returns the size of a change, as a share of the value before, in per cent: `2.5 %`, `120 %`. */
export const changeShare = (share: number): string =>
  share >= 0.1 ? `${grouped(Math.round(100 * share))} %` : `${(100 * share).toFixed(1)} %`;

/** Returns a share from 0 to 1 in per cent without a blank. A share below 1 % has two significant digits. */
export function finePercent(share: number): string {
  const of = 100 * share;
  return `${of >= 1 || of === 0 ? of.toFixed(1) : of.toPrecision(2)}%`;
}

/** Returns the text for a cost relative to its limit: a percentage, or a multiple of the limit if the cost exceeds the limit. */
export const factorText = (factor: number): string =>
  factor > 1 ? `exceeds the limit ${factor < 1.5 ? factor.toFixed(6) : factor.toFixed(1)}x` : percent(factor);

/** Returns a share of a limit in per cent. Above the limit, the text is a multiple of the limit: `1.6x`. */
export const shareOrMultiple = (share: number): string => (share > 1 ? `${share.toFixed(1)}x` : percent(share));

/** Returns a share of a limit for a narrow column: `58.9 %`, `1.6x`, `> 100x`, and `< 0.1 %` for a small share that is not 0. */
export function columnShare(factor: number): string {
  if (factor > 1) return `${factor >= 100 ? '> 100' : factor.toFixed(1)}x`;
  return factor > 0 && factor < 0.0005 ? '< 0.1 %' : `${(100 * factor).toFixed(1)} %`;
}

/**
 * Returns a cost as a percentage of a limit: `58.9 %`. If the cost is at least ten times the limit, the text is a multiple of the limit.
 */
export function costShare(cost: bigint, limit: bigint): string {
  if (cost >= limit * 10n) return `${costText(cost / limit)} ×`;
  return `${(Number((cost * 1000n) / limit) / 10).toFixed(1)} %`;
}

/** Share above which the API server itself only says that a cost exceeds its limit by more than this factor. */
const MAX_FACTOR = 100;

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
  return share > MAX_FACTOR ? `more than ${MAX_FACTOR} times the limit` : `${share.toFixed(share < 1.05 ? 3 : 1)} times the limit`;
}
