import type { Chart } from './chart.ts';

/** Point of a chart. `y` is undefined if the point was not measured. */
interface MaybePoint {
  readonly x: number;
  readonly y: number | undefined;
  readonly lo?: number | undefined;
  readonly hi?: number | undefined;
}

/** Returns only the points that were measured. The interval from `lo` to `hi` is kept only if both ends are known and `lo` is above 0. */
export function measuredPoints(points: readonly MaybePoint[]): { x: number; y: number; lo?: number; hi?: number }[] {
  return points.flatMap(({ x, y, lo, hi }) =>
    y === undefined ? [] : [{ x, y, ...(lo !== undefined && hi !== undefined && lo > 0 && { lo, hi }) }],
  );
}

const isPositive = (value: number): boolean => value > 0 && Number.isFinite(value);

/**
 * Returns the charts that can be drawn. Values that a logarithmic axis cannot show, such as 0, are removed. Charts without any measured
 * value are left out.
 */
export function drawableCharts(charts: readonly Chart[]): Chart[] {
  return charts.flatMap((chart) => drawable(chart));
}

/** Returns a list with one chart, from which the values that its axes cannot show are removed. The list is empty if no value is left. */
function drawable(chart: Chart): Chart[] {
  switch (chart.kind) {
    case 'scaling': {
      const series = chart.series
        .map((one) => ({ ...one, points: one.points.filter(({ x, y }) => isPositive(x) && isPositive(y)) }))
        .filter(({ points }) => points.length > 0);
      return series.length === 0 ? [] : [{ ...chart, series }];
    }
    case 'steps': {
      const series = chart.series
        .map((one) => ({ ...one, points: one.points.filter(({ y }) => isPositive(y)) }))
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
