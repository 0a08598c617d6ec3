import type { Chart } from './chart.ts';
import { markup } from './markup.ts';
import type { Markup } from './markup.ts';

/** Entry in the key of a chart: the name and colour of one series. */
export interface KeyEntry {
  readonly name: string;
  /** Name of the series colour in the theme. */
  readonly color: string;
}

/**
 * Returns the entries of a chart's key (legend): a name and a colour for each series, band and limit. A band is a shaded area of values
 * that the project claims. A limit is the highest acceptable ratio.
 */
export function keyEntries(chart: Chart): KeyEntry[] {
  switch (chart.kind) {
    case 'dots': {
      const series = new Map(chart.rows.flatMap(({ values }) => values.map((value) => [value.series, value.role] as const)));
      return [...series].map(([name, role]) => ({ name, color: role }));
    }
    case 'cloud':
      return chart.groups.map(({ name, role }) => ({ name, color: role }));
    case 'scaling':
      return [
        ...chart.series.map(({ name, role }) => ({ name, color: role })),
        ...(chart.bands ?? []).map(({ name }) => ({ name, color: 'claim' })),
      ];
    case 'steps':
      return chart.series.map(({ name, role }) => ({ name, color: role }));
    case 'changes':
      return [
        { name: `${chart.from} → ${chart.to}`, color: 'assay' },
        ...(chart.wanted === undefined
          ? []
          : [{ name: `the most wanted: ${((chart.wanted - 1) * 100).toFixed(0)} % more`, color: 'claim' }]),
      ];
  }
}

/**
 * Returns the key (legend) of a chart on a page. In a line chart, each line shows its own name, so the key names only the bands. A band is
 * a shaded area of values that the project claims.
 */
export function chartKey(chart: Chart): Markup {
  const ofLines = chart.kind === 'scaling' || chart.kind === 'steps';
  const entries = keyEntries(chart).filter(({ color }) => !ofLines || color === 'claim');
  if (entries.length === 0) return markup``;
  return markup`<ul class="key">${entries.map(({ name, color }) => markup`<li><i class="${color}"></i>${name}</li>`)}</ul>`;
}
