import { digits, isMissing, NOT_MEASURED } from './significant.ts';

/** Returns a figure with `places` decimal places. Returns `not measured` if the figure is missing or not finite. */
export const fixedText = (value: number | undefined, places: number): string => (isMissing(value) ? NOT_MEASURED : value.toFixed(places));

/** Returns a figure with three significant digits and groups of three digits: `1,230`, `0.0123`. */
export const significantText = (value: number): string => value.toLocaleString('en', { maximumSignificantDigits: 3 });

/** Returns the exponent of a growth: `n^1.02`. */
export const growthText = (exponent: number | undefined, places = 2): string =>
  isMissing(exponent) ? NOT_MEASURED : `n^${exponent.toFixed(places)}`;

/** Returns a ratio for use in a sentence: `18×`, `1.4×`. */
export const timesText = (ratio: number | undefined): string =>
  isMissing(ratio) ? NOT_MEASURED : `${ratio >= 10 ? Math.round(ratio) : digits(ratio, 2)}×`;

/**
 * Returns a range as text, from the smallest to the largest value. The function `text` formats each value. If both values have the same
 * text, it is shown only once.
 */
export function rangeText(range: { readonly least: number; readonly most: number } | undefined, text: (value: number) => string): string {
  if (range === undefined) return NOT_MEASURED;
  const [least, most] = [text(range.least), text(range.most)];
  return least === most ? least : `${least} to ${most}`;
}

/** Returns a count in few digits: `1.57M`, `300k`, `42`. */
export function countText(value: number | undefined): string {
  if (isMissing(value)) return NOT_MEASURED;
  if (value >= 1e9) return `${digits(value / 1e9)}G`;
  if (value >= 1e6) return `${digits(value / 1e6)}M`;
  return value >= 1e4 || (value >= 1000 && value % 1000 === 0) ? `${digits(value / 1e3)}k` : digits(value, 4);
}

/** Returns a count in few digits, followed by its noun: `1 step`, `300k steps`. */
export const countedText = (count: number, what: string): string => `${countText(count)} ${what}${count === 1 ? '' : 's'}`;

/** Returns a number of bytes in three digits, in B, KiB, MiB or GiB. */
export function bytesText(bytes: number | undefined): string {
  if (isMissing(bytes)) return NOT_MEASURED;
  if (bytes >= 2 ** 30) return `${digits(bytes / 2 ** 30)} GiB`;
  if (bytes >= 2 ** 20) return `${digits(bytes / 2 ** 20)} MiB`;
  return bytes >= 1024 ? `${digits(bytes / 1024)} KiB` : `${digits(bytes)} B`;
}

/** Returns a share between 0 and 1 in whole per cent. */
export const shareText = (share: number | undefined): string => (isMissing(share) ? NOT_MEASURED : `${(share * 100).toFixed(0)} %`);
