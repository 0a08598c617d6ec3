import { z } from 'zod';
import { bytesText, countText, digits, timeText } from '#numbers';

/** Role of a series, which determines its colour, dash and marker. */
const role = z.enum(['assay', 'shipped', 'reference', 'experiment', 'peer']);
export type ChartRole = z.infer<typeof role>;

/** Unit of the figures in a chart. */
const unit = z.enum(['ms', 'ns', 'bytes', 'units', 'count', 'ratio', 'percent']);
export type Unit = z.infer<typeof unit>;

const figure = z.number();
const axis = z.object({ label: z.string(), unit });
const interval = { lo: figure.optional(), hi: figure.optional() };

const common = {
  id: z.string().regex(/^[a-z][a-z0-9-]*$/),
  /** Main finding of the chart, as a sentence. */
  title: z.string(),
  /** Description of what the chart shows. */
  subtitle: z.string(),
  /** Explanation of the chart, with its most important figures. */
  reading: z.string(),
  /** Facts that the chart does not show, although a reader may expect them. */
  notShown: z.string(),
};

/** Chart of lines on two logarithmic axes. */
const scaling = z.object({
  kind: z.literal('scaling'),
  ...common,
  x: axis,
  y: axis,
  series: z.array(
    z.object({
      name: z.string(),
      role,
      points: z.array(z.object({ x: figure, y: figure, ...interval })),
      /** Points that were not measured but extrapolated from the growth of the measured ones. They are drawn as a dotted line. */
      extrapolated: z.array(z.object({ x: figure, y: figure })).optional(),
    }),
  ),
  /** Areas between a lower and an upper claimed value. */
  bands: z.array(z.object({ name: z.string(), points: z.array(z.object({ x: figure, lo: figure, hi: figure })) })).optional(),
  verticals: z.array(z.object({ x: figure, label: z.string() })).optional(),
  horizontals: z.array(z.object({ y: figure, label: z.string() })).optional(),
});

/** Chart that compares systems, with one row for each case, on a logarithmic axis. */
const dots = z.object({
  kind: z.literal('dots'),
  ...common,
  x: axis,
  rows: z.array(z.object({ name: z.string(), values: z.array(z.object({ series: z.string(), role, value: figure, ...interval })) })),
  verticals: z.array(z.object({ x: figure, label: z.string() })).optional(),
});

/** Chart of many points on two logarithmic axes. */
const cloud = z.object({
  kind: z.literal('cloud'),
  ...common,
  x: axis,
  y: axis,
  groups: z.array(z.object({ name: z.string(), role, points: z.array(z.tuple([figure, figure])) })),
  /** Points that are drawn with their name. */
  outliers: z.array(z.object({ x: figure, y: figure, name: z.string() })),
  /** Diagonal lines `y = factor · x`. */
  diagonals: z.array(z.object({ factor: figure, label: z.string() })),
  verticals: z.array(z.object({ x: figure, label: z.string() })).optional(),
});

/** Chart of changes from one figure to another, with one row for each case. */
const changes = z.object({
  kind: z.literal('changes'),
  ...common,
  x: axis,
  from: z.string(),
  to: z.string(),
  /** Highest acceptable ratio of a row's `to` to its `from`; absent if no ratio is required. */
  wanted: figure.optional(),
  rows: z.array(z.object({ name: z.string(), from: figure, to: figure, ratio: figure, lo: figure, hi: figure })),
});

/** Chart of figures that stay the same until they change at some day, on a logarithmic axis. */
const steps = z.object({
  kind: z.literal('steps'),
  ...common,
  /** First and last time that the chart shows, in ms since 1970. */
  from: figure,
  to: figure,
  y: axis,
  series: z.array(
    z.object({
      name: z.string(),
      role,
      /** Changes in order; the figure stays until the next one. */
      points: z.array(z.object({ time: figure, y: figure })),
      /** Time from which the series has no figure; absent if it lasts until `to`. */
      end: figure.optional(),
    }),
  ),
  horizontals: z.array(z.object({ y: figure, label: z.string() })).optional(),
});

/** Schema of a chart as data. A chart is drawn only from this data. */
export const chartSchema = z.discriminatedUnion('kind', [scaling, dots, cloud, changes, steps]);
export type Chart = z.infer<typeof chartSchema>;
export type ChartOf<K extends Chart['kind']> = Extract<Chart, { kind: K }>;

/** Formats a figure of a chart for readers, according to its unit. */
export function figureText(value: number, unit: Unit): string {
  switch (unit) {
    case 'ms':
      return timeText(value);
    case 'ns':
      return timeText(value / 1e6);
    case 'bytes':
      return bytesText(value);
    case 'ratio':
      return `${digits(value)}×`;
    case 'percent':
      return `${digits(value)} %`;
    case 'units':
    case 'count':
      return countText(value);
  }
}

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
