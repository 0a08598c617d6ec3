import type { Chart } from '../result/chart.ts';
import { ROLES } from './charts/frame.ts';
import { partColor } from './charts/shares.ts';
import { escaped } from './html.ts';

/** A series of a chart and its colour. */
export interface KeyEntry {
  readonly name: string;
  readonly color: string;
}

/** Every series of a chart with its colour; none where rows bear their own names. */
export function keyEntries(chart: Chart): KeyEntry[] {
  switch (chart.kind) {
    case 'shares':
      return chart.parts.map((name, i) => ({ name, color: partColor(i).fill }));
    case 'dots': {
      const series = new Map(chart.rows.flatMap(({ values }) => values.map((value) => [value.series, value.role] as const)));
      return [...series].map(([name, role]) => ({ name, color: ROLES[role].color }));
    }
    case 'cloud':
      return chart.groups.map(({ name, role }) => ({ name, color: ROLES[role].color }));
    case 'scaling':
      return [
        ...chart.series.map(({ name, role }) => ({ name, color: ROLES[role].color })),
        ...(chart.bands ?? []).map(({ name }) => ({ name, color: 'var(--claim)' })),
      ];
    case 'latencies':
      return chart.series.map(({ name, role }) => ({ name, color: ROLES[role].color }));
    case 'changes':
      return [
        { name: `${chart.from} → ${chart.to}`, color: 'var(--assay)' },
        ...(chart.wanted === undefined
          ? []
          : [{ name: `the most wanted: ${((chart.wanted - 1) * 100).toFixed(0)} % more`, color: 'var(--claim)' }]),
      ];
    case 'exponents':
      return [];
  }
}

/** The key of a chart on a page; lines there bear their names, so that only bands need one. */
export function chartKey(chart: Chart): string {
  const ofLines = chart.kind === 'scaling' || chart.kind === 'latencies';
  const entries = keyEntries(chart).filter(({ color }) => !ofLines || color === 'var(--claim)');
  if (entries.length === 0) return '';
  return `<ul class="key">${entries.map(({ name, color }) => `<li><i style="background:${color}"></i>${escaped(name)}</li>`).join('')}</ul>`;
}
