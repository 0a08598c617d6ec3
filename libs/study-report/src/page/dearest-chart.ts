import type { StudyReport } from '#benchmark';
import { standaloneChart } from '#charts';
import { costCharts } from './study-charts.ts';

/** Returns the chart of the dearest rule's cost, as an SVG file that stands alone. Returns undefined if no rule has points that can be drawn. */
export function dearestChart({ rules }: Pick<StudyReport, 'rules'>): string | undefined {
  const dearestFirst = rules.toSorted((a, b) => (b.worst?.cost ?? 0) - (a.worst?.cost ?? 0));
  for (const rule of dearestFirst) {
    const [chart] = costCharts(rule);
    if (chart !== undefined) return standaloneChart(chart);
  }
  return undefined;
}
