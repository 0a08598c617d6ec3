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

/** Returns a whole number with all its digits, in groups of three: `1,572,864`. */
export const grouped = (count: string | number | bigint): string => String(count).replace(/\B(?=(\d{3})+$)/g, ',');

/** Returns a count followed by its noun: `1 object`, `2,000 objects`. */
export const times = (count: number, what: string): string => `${grouped(count)} ${what}${count === 1 ? '' : 's'}`;

/** Text that replaces a missing figure. */
export const NOT_MEASURED = 'not measured';

/** Returns true if a figure is missing or not finite. */
const isMissing = (value: number | undefined): value is undefined => value === undefined || !Number.isFinite(value);

/** Returns a number with at most so many significant digits, without groups: `0.0123`, `1230`. */
export const digits = (value: number, figures = 3): string => String(Number(value.toPrecision(figures)));

/** Returns a time in ms with three digits and a suitable unit. From two minutes on, the form is `2 min 5 s`. */
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

/** Returns the time that something took, at most to a tenth: `0.4 ms`, `12 ms`, `1.3 s`. */
export function spentText(ms: number): string {
  if (ms >= 1000) return `${(ms / 1000).toFixed(1)} s`;
  return ms >= 10 ? `${Math.round(ms)} ms` : `${ms.toFixed(1)} ms`;
}

/** Returns a latency in ms without its unit: `0.42`, `12.3`. Returns `–` if there were too few samples. */
export const latencyText = (ms: number | undefined): string => (ms === undefined ? '–' : ms < 10 ? ms.toFixed(2) : ms.toFixed(1));
