import type { Unit } from './chart.ts';

const digits = (value: number, figures = 3): string => String(Number(value.toPrecision(figures)));

/** Text that replaces a missing figure. */
export const NOT_MEASURED = 'not measured';

const isMissing = (value: number | undefined): value is undefined => value === undefined || !Number.isFinite(value);

/** Formats a time in ms for readers, with three digits and a suitable unit. From two minutes on, the format is `2 min 5 s`. */
export function timeText(ms: number | undefined): string {
  if (isMissing(ms)) return NOT_MEASURED;
  if (ms < 0) return `−${timeText(-ms)}`;
  if (ms >= 120_000) return longTimeText(Math.round(ms / 1000));
  if (ms >= 1000) return `${digits(ms / 1000)} s`;
  if (ms >= 1 || ms === 0) return `${digits(ms)} ms`;
  return ms >= 1e-3 ? `${digits(ms * 1e3)} µs` : `${digits(ms * 1e6)} ns`;
}

function longTimeText(seconds: number): string {
  const whole = seconds < 3600 ? seconds : 60 * Math.round(seconds / 60);
  const parts = [
    [Math.floor(whole / 3600), 'h'],
    [Math.floor(whole / 60) % 60, 'min'],
    [whole % 60, 's'],
  ] as const;
  return parts.flatMap(([count, unit]) => (count > 0 ? [`${count} ${unit}`] : [])).join(' ');
}

/** Formats a count for readers: `1.57M`, `300k`, `42`. */
export function countText(value: number | undefined): string {
  if (isMissing(value)) return NOT_MEASURED;
  if (value >= 1e9) return `${digits(value / 1e9)}G`;
  if (value >= 1e6) return `${digits(value / 1e6)}M`;
  return value >= 1e4 || (value >= 1000 && value % 1000 === 0) ? `${digits(value / 1e3)}k` : digits(value, 4);
}

/** Formats a count with its noun: `1 step`, `2 steps`. */
export const countedText = (count: number, what: string): string => `${countText(count)} ${what}${count === 1 ? '' : 's'}`;

/** Formats a number of bytes for readers, in B, KiB, MiB or GiB. */
export function bytesText(bytes: number | undefined): string {
  if (isMissing(bytes)) return NOT_MEASURED;
  if (bytes >= 2 ** 30) return `${digits(bytes / 2 ** 30)} GiB`;
  if (bytes >= 2 ** 20) return `${digits(bytes / 2 ** 20)} MiB`;
  return bytes >= 1024 ? `${digits(bytes / 1024)} KiB` : `${digits(bytes)} B`;
}

/** Formats an amount of resident memory for readers, in MB. */
export const megabytesText = (megabytes: number | undefined): string => (isMissing(megabytes) ? NOT_MEASURED : `${megabytes} MB`);

/** Formats a figure with `places` decimal places. Returns `not measured` if the figure is missing or not finite. */
export const fixedText = (value: number | undefined, places: number): string => (isMissing(value) ? NOT_MEASURED : value.toFixed(places));

/** Formats a share between 0 and 1 for readers, in whole per cent. */
export const shareText = (share: number | undefined): string => (isMissing(share) ? NOT_MEASURED : `${(share * 100).toFixed(0)} %`);

/** Formats the exponent of a growth for readers: `n^1.02`. */
export const growthText = (exponent: number | undefined, places = 2): string =>
  isMissing(exponent) ? NOT_MEASURED : `n^${exponent.toFixed(places)}`;

/**
 * Returns a range as text, from the smallest to the largest value. The function `text` formats each value. If both values have the same
 * text, it is shown only once.
 */
export function rangeText(range: { readonly least: number; readonly most: number } | undefined, text: (value: number) => string): string {
  if (range === undefined) return NOT_MEASURED;
  const [least, most] = [text(range.least), text(range.most)];
  return least === most ? least : `${least} to ${most}`;
}

/** Formats a figure of a chart for readers, according to its unit. */
export function figureText(value: number, unit: Unit): string {
  switch (unit) {
    case 'ms':
      return timeText(value);
    case 'ns':
      return timeText(value / 1e6);
    case 'bytes':
      return bytesText(value);
    case 'ratio':
      return `${digits(value)}×`;
    case 'percent':
      return `${digits(value)} %`;
    case 'units':
    case 'count':
      return countText(value);
  }
}

/** Formats a ratio for use in a sentence: `18×`, `1.4×`. */
export const timesText = (ratio: number | undefined): string =>
  isMissing(ratio) ? NOT_MEASURED : `${ratio >= 10 ? Math.round(ratio) : digits(ratio, 2)}×`;
