import type { Chart } from '../result/chart.ts';
import { ROLES } from './charts/frame.ts';
import { partColor } from './charts/shares.ts';
import { escaped } from './html.ts';

const swatch = (color: string, name: string): string => `<li><i style="background:${color}"></i>${escaped(name)}</li>`;

/** Names of colours, where lines do not bear their own. */
export function chartKey(chart: Chart): string {
  if (chart.kind === 'shares') return `<ul class="key">${chart.parts.map((part, i) => swatch(partColor(i).fill, part)).join('')}</ul>`;
  if (chart.kind === 'dots') {
    const series = new Map(chart.rows.flatMap(({ values }) => values.map((value) => [value.series, value.role] as const)));
    return `<ul class="key">${[...series].map(([name, role]) => swatch(ROLES[role].color, name)).join('')}</ul>`;
  }
  if (chart.kind === 'cloud')
    return `<ul class="key">${chart.groups.map(({ name, role }) => swatch(ROLES[role].color, name)).join('')}</ul>`;
  if (chart.kind !== 'scaling' || chart.bands === undefined || chart.bands.length === 0) return '';
  return `<ul class="key">${chart.bands.map(({ name }) => swatch('var(--claim)', name)).join('')}</ul>`;
}
