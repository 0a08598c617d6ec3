import type { Lens } from '#language';
import { costText, superscript } from '../views/count-text.ts';

/** Returns the line above a rule as people read it. It leaves any text but an estimate unchanged. */
export function lensWords({ title, isTooDear }: Pick<Lens, 'title' | 'isTooDear'>): string {
  const [, cost = '', share = ''] = /^estimate (.+?) of [\d,]+ \(([^)]+)\)/.exec(title) ?? [];
  if (cost === '') return `${isTooDear ? '✗ ' : ''}${title}`;
  const [, times] = /^(.+) ×$/.exec(share) ?? [];
  const words = times === undefined ? `${share === '0.0 %' ? 'under 0.1 %' : share} of the limit` : `${shortText(times)} × over the limit`;
  return isTooDear ? `✗ too expensive: ${words}` : `cost at most ${shortText(cost)}, ${words}`;
}

/** Returns a number of the language service as people read it: its digits are in groups, or it is a power of ten. */
const shortText = (text: string): string =>
  /^[\d,]+$/.test(text) ? costText(text.replaceAll(',', '')) : text.replace(/10\^(\d+)/, (_, power: string) => `10${superscript(power)}`);
