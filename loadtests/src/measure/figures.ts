import type { Unit } from '../result/chart.ts';

const digits = (value: number, figures = 3): string => String(Number(value.toPrecision(figures)));

/** A time for people: three figures and the unit that suits it. */
export function timeText(ms: number): string {
  if (!Number.isFinite(ms)) return '–';
  if (ms >= 3_600_000) return `${digits(ms / 3_600_000)} h`;
  if (ms >= 60_000) return `${digits(ms / 60_000)} min`;
  if (ms >= 1000) return `${digits(ms / 1000)} s`;
  if (ms >= 1) return `${digits(ms)} ms`;
  return ms >= 1e-3 ? `${digits(ms * 1e3)} µs` : `${digits(ms * 1e6)} ns`;
}

/** A count for people: 1.57M, 300k, 42. */
export function countText(value: number): string {
  if (!Number.isFinite(value)) return '–';
  if (value >= 1e9) return `${digits(value / 1e9)}G`;
  if (value >= 1e6) return `${digits(value / 1e6)}M`;
  return value >= 1e4 || (value >= 1000 && value % 1000 === 0) ? `${digits(value / 1e3)}k` : digits(value, 4);
}

/** Bytes for people. */
export function bytesText(bytes: number): string {
  if (bytes >= 2 ** 30) return `${digits(bytes / 2 ** 30)} GiB`;
  if (bytes >= 2 ** 20) return `${digits(bytes / 2 ** 20)} MiB`;
  return bytes >= 1024 ? `${digits(bytes / 1024)} KiB` : `${bytes} B`;
}

/** A figure of a chart for people. */
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

/** How many times one is the other, for a sentence: `18×`, `1.4×`. */
export const timesText = (ratio: number): string => `${ratio >= 10 ? Math.round(ratio) : digits(ratio, 2)}×`;
