import type { Chart } from '../chart.ts';
import { drawChanges } from './changes.ts';
import { drawCloud } from './cloud.ts';
import { drawDots } from './dots.ts';
import type { ChartNames, Width } from './frame.ts';
import { drawScaling } from './scaling.ts';

/** Draws a chart as SVG text. Its colours refer to the CSS variables of a theme. */
export function draw(chart: Chart, width: Width, names: ChartNames): string {
  switch (chart.kind) {
    case 'scaling':
      return drawScaling(chart, width, names);
    case 'dots':
      return drawDots(chart, width, names);
    case 'cloud':
      return drawCloud(chart, width, names);
    case 'changes':
      return drawChanges(chart, width, names);
  }
}
