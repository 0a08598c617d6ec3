import { NOT_MEASURED } from '#numbers';
import { figureText } from './chart.ts';
import type { Chart } from './chart.ts';

/** Figures of a chart as a table, for readers who cannot see the chart or want exact values. */
export interface ChartData {
  readonly columns: readonly string[];
  readonly rows: readonly (readonly string[])[];
}

/**
 * Maximum number of table rows for a chart of the kind `cloud`, which shows many points. Only its outliers have rows. All other points are
 * only in `summary.json`, because thousands of figures do not help readers.
 */
const MAX_POINTS = 200;

/** Returns the numbers that a chart shows as a table of texts. */
export function chartData(chart: Chart): ChartData {
  switch (chart.kind) {
    case 'scaling': {
      const xs = [...new Set(chart.series.flatMap(({ points }) => points.map(({ x }) => x)))].toSorted((a, b) => a - b);
      const at = (points: readonly { x: number; y: number }[], x: number): string => {
        const point = points.find((one) => one.x === x);
        return point === undefined ? NOT_MEASURED : figureText(point.y, chart.y.unit);
      };
      return {
        columns: [chart.x.label, ...chart.series.map(({ name }) => name)],
        rows: xs.map((x) => [figureText(x, chart.x.unit), ...chart.series.map(({ points }) => at(points, x))]),
      };
    }
    case 'dots': {
      const series = [...new Set(chart.rows.flatMap(({ values }) => values.map((value) => value.series)))];
      return {
        columns: ['case', ...series],
        rows: chart.rows.map(({ name, values }) => [
          name,
          ...series.map((one) => {
            const found = values.find((value) => value.series === one);
            return found === undefined ? NOT_MEASURED : figureText(found.value, chart.x.unit);
          }),
        ]),
      };
    }
    case 'cloud':
      return {
        columns: ['point', chart.x.label, chart.y.label],
        rows: chart.outliers
          .slice(0, MAX_POINTS)
          .map(({ name, x, y }, i) => [`${i + 1}: ${name}`, figureText(x, chart.x.unit), figureText(y, chart.y.unit)]),
      };
    case 'steps':
      return {
        columns: ['series', 'day', chart.y.label],
        rows: chart.series.flatMap(({ name, points }) =>
          points.map(({ time, y }) => [name, new Date(time).toISOString().slice(0, 10), figureText(y, chart.y.unit)]),
        ),
      };
    case 'changes':
      return {
        columns: ['case', chart.from, chart.to, 'ratio', '95 % interval'],
        rows: chart.rows.map(({ name, from, to, ratio, lo, hi }) => [
          name,
          figureText(from, chart.x.unit),
          figureText(to, chart.x.unit),
          ratio.toFixed(3),
          `${lo.toFixed(3)} – ${hi.toFixed(3)}`,
        ]),
      };
  }
}
