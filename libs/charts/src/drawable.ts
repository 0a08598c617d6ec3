import type { Chart } from './chart.ts';

/** A point that was perhaps not measured. */
interface MaybePoint {
  readonly x: number;
  readonly y: number | undefined;
  readonly lo?: number | undefined;
  readonly hi?: number | undefined;
}

/** Returns the points that were measured. */
export function plotted(points: readonly MaybePoint[]): { x: number; y: number; lo?: number; hi?: number }[] {
  return points.flatMap(({ x, y, lo, hi }) =>
    y === undefined ? [] : [{ x, y, ...(lo !== undefined && hi !== undefined && lo > 0 && { lo, hi }) }],
  );
}

const isPositive = (value: number): boolean => value > 0 && Number.isFinite(value);

/** Charts as they can be drawn: a logarithmic axis has no 0, and a chart without anything measured is left out. */
export function drawableCharts(charts: readonly Chart[]): Chart[] {
  return charts.flatMap((chart) => drawable(chart));
}

/** Returns one chart without what its axes cannot show; none where nothing is left. */
function drawable(chart: Chart): Chart[] {
  switch (chart.kind) {
    case 'scaling': {
      const series = chart.series
        .map((one) => ({ ...one, points: one.points.filter(({ x, y }) => isPositive(x) && isPositive(y)) }))
        .filter(({ points }) => points.length > 0);
      return series.length === 0 ? [] : [{ ...chart, series }];
    }
    case 'dots': {
      const rows = chart.rows
        .map((row) => ({ ...row, values: row.values.filter(({ value, lo = value }) => isPositive(value) && isPositive(lo)) }))
        .filter(({ values }) => values.length > 0);
      return rows.length === 0 ? [] : [{ ...chart, rows }];
    }
    case 'changes': {
      const rows = chart.rows.filter(({ from, to }) => isPositive(from) && isPositive(to));
      return rows.length === 0 ? [] : [{ ...chart, rows }];
    }
    case 'cloud': {
      const groups = chart.groups
        .map((group) => ({ ...group, points: group.points.filter((point) => point.every(isPositive)) }))
        .filter(({ points }) => points.length > 0);
      return groups.length === 0
        ? []
        : [{ ...chart, groups, outliers: chart.outliers.filter(({ x, y }) => isPositive(x) && isPositive(y)) }];
    }
  }
}
