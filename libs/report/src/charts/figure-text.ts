import { bytesText, countText, digits, timeText } from '#numbers';
import type { Unit } from './chart.ts';

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
