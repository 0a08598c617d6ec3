import type { StudyReport } from '#benchmark';
import { costCharts } from './study-charts.ts';
import { standaloneChart } from '../../charts/standalone.ts';

/**
 * Returns the cost chart of the most expensive rule that has points to draw, as a standalone SVG file. Returns undefined if no rule has
 * such points.
 */
export function dearestChart({ rules }: Pick<StudyReport, 'rules'>): string | undefined {
  const dearestFirst = rules.toSorted((a, b) => (b.worst?.cost ?? 0) - (a.worst?.cost ?? 0));
  for (const rule of dearestFirst) {
    const [chart] = costCharts(rule);
    if (chart !== undefined) return standaloneChart(chart);
  }
  return undefined;
}
