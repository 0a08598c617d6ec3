import type { ChartNames, Width } from './frame.ts';
import { drawScaling } from './scaling.ts';
import { drawSteps } from './steps.ts';
import * as Plot from '@observablehq/plot';
import { figureText } from '../chart.ts';
import type { Chart, ChartOf } from '../chart.ts';
import { color, drawn, LINE, logAxis, logDomain, NAME_WIDTH, WIDTHS, namedVerticals, ROLE_STYLES, logTicks } from './frame.ts';
import { sideNames, textWidth } from './text-width.ts';

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
    case 'steps':
      return drawSteps(chart, width, names);
  }
}

/**
 * Draws a chart of how a number changed in each case, as SVG text. Each row shows the old and the new number. The relative change and its
 * confidence interval are printed at the right; narrow charts omit the interval.
 */
function drawChanges(chart: ChartOf<'changes'>, width: Width, names: ChartNames): string {
  const { rows } = chart;
  type Row = (typeof rows)[number];
  const { wanted } = chart;
  const domain = logDomain(
    rows.flatMap(({ from, to }) => [from, to, ...(wanted === undefined ? [] : [from * wanted])]),
    1.4,
  );
  const percent = (ratio: number): string =>
    `${ratio >= 1 ? '+' : '−'}${Math.abs((ratio - 1) * 100).toFixed(Math.abs(ratio - 1) < 0.1 ? 1 : 0)}`;
  const text = ({ ratio, lo, hi }: Row): string =>
    width === 'wide' ? `${percent(ratio)} %  [${percent(lo)}, ${percent(hi)}]` : `${percent(ratio)} %`;
  const side = sideNames(
    rows.map(({ name }) => name),
    NAME_WIDTH[width],
  );
  const room = Math.ceil(Math.max(0, ...rows.map((row) => textWidth(text(row))))) + 12;
  return drawn(
    {
      width: WIDTHS[width],
      height: 74 + Math.max(30, LINE * side.lines + 6) * rows.length,
      marginTop: 24,
      marginBottom: 42,
      marginLeft: side.width + 16,
      marginRight: room,
      x: { type: 'log', domain },
      y: { type: 'point', domain: rows.map(({ name }) => name), label: null, padding: 0.7 },
      marks: [
        Plot.ruleY(rows, { y: 'name', stroke: color('grid') }),
        ...logAxis('x', domain, chart.x.unit, `${chart.x.label}: ${chart.from} → ${chart.to}`),
        Plot.axisY({ tickSize: 0, tickFormat: side.text, color: color('ink'), label: null }),
        ...(wanted === undefined
          ? []
          : [
              Plot.ruleY(rows, {
                y: 'name',
                x1: 'from',
                x2: (row: Row) => row.from * wanted,
                stroke: color('claim'),
                strokeWidth: 9,
                strokeOpacity: 0.35,
              }),
            ]),
        Plot.link(rows, { x1: 'from', x2: 'to', y1: 'name', y2: 'name', stroke: color('assay'), strokeWidth: 2 }),
        Plot.dot(rows, { x: 'from', y: 'name', r: 4, fill: color('paper'), stroke: color('assay'), strokeWidth: 1.6 }),
        Plot.dot(rows, {
          x: 'to',
          y: 'name',
          r: 4.5,
          fill: color('assay'),
          title: (row: Row) => `${row.name}: ${figureText(row.from, chart.x.unit)} → ${figureText(row.to, chart.x.unit)}`,
        }),
        Plot.text(rows, { y: 'name', frameAnchor: 'right', dx: room - 4, textAnchor: 'end', text, fill: color('ink') }),
      ],
    },
    names,
  );
}

/**
 * Returns a chart that compares measured values of Assay and of other software. The chart has one row for each benchmark case, and one mark
 * for each tool. The value of Assay is printed beside the mark of Assay.
 */
function drawDots(chart: ChartOf<'dots'>, width: Width, names: ChartNames): string {
  const { rows } = chart;
  const points = rows.flatMap(({ name, values }) => values.map((value) => ({ ...value, name })));
  type Point = (typeof points)[number];
  const { verticals = [] } = chart;
  const domain = logDomain([...points.flatMap(({ value, lo = value, hi = value }) => [value, lo, hi]), ...verticals.map(({ x }) => x)], 2);
  const side = sideNames(
    rows.map(({ name }) => name),
    NAME_WIDTH[width],
  );
  return drawn(
    {
      width: WIDTHS[width],
      height: 84 + Math.max(30, LINE * side.lines + 6) * rows.length,
      marginTop: 34,
      marginBottom: 42,
      marginLeft: side.width + 16,
      marginRight: 44,
      x: { type: 'log', domain },
      y: { type: 'point', domain: rows.map(({ name }) => name), label: null, padding: 0.7 },
      marks: [
        Plot.ruleY(rows, { y: 'name', stroke: color('grid') }),
        ...logAxis('x', domain, chart.x.unit, chart.x.label),
        Plot.axisY({ tickSize: 0, tickFormat: side.text, color: color('ink'), label: null }),
        ...namedVerticals(verticals, domain, width === 'wide' ? 240 : 110),
        Plot.ruleY(
          points.filter(({ lo, hi }) => lo !== undefined && hi !== undefined),
          { y: 'name', x1: 'lo', x2: 'hi', stroke: (point: Point) => ROLE_STYLES[point.role].color, strokeWidth: 5, strokeOpacity: 0.35 },
        ),
        // A mark has one symbol, so each role needs its own mark.
        ...(Object.keys(ROLE_STYLES) as (keyof typeof ROLE_STYLES)[]).map((role) =>
          Plot.dot(
            points.filter((point) => point.role === role),
            {
              x: 'value',
              y: 'name',
              symbol: ROLE_STYLES[role].symbol,
              r: role === 'assay' ? 5.5 : 4.5,
              fill: role === 'peer' ? 'none' : ROLE_STYLES[role].color,
              stroke: role === 'peer' ? ROLE_STYLES[role].color : color('paper'),
              strokeWidth: role === 'peer' ? 1.75 : 1.2,
              title: (point: Point) => `${point.series}, ${point.name}: ${figureText(point.value, chart.x.unit)}`,
            },
          ),
        ),
        Plot.text(
          points.filter(({ role }) => role === 'assay'),
          {
            x: 'value',
            y: 'name',
            text: (point: Point) => figureText(Number(point.value.toPrecision(2)), chart.x.unit),
            dy: -11,
            fill: color('ink'),
            fontWeight: 600,
            fontSize: 11,
          },
        ),
      ],
    },
    names,
  );
}

/** Draws thousands of points as one SVG path. Separate circles would make the page twenty times as large. */
function points(data: readonly (readonly [number, number])[], stroke: string): Plot.Markish {
  return Plot.dot(data, {
    x: (point: readonly [number, number]) => point[0],
    y: (point: readonly [number, number]) => point[1],
    render(index, _scales, values, _dimensions, context) {
      const path = context.ownerSVGElement.ownerDocument.createElementNS('http://www.w3.org/2000/svg', 'path');
      const xs = values.x as ArrayLike<number>;
      const ys = values.y as ArrayLike<number>;
      path.setAttribute('d', Array.from(index, (i) => `M${(xs[i] as number).toFixed(1)} ${(ys[i] as number).toFixed(1)}h0`).join(''));
      path.setAttribute('style', `stroke:${stroke};stroke-width:3.4;stroke-opacity:.45;stroke-linecap:round;fill:none`);
      return path;
    },
  });
}

/**
 * Returns the SVG text of a chart with many points on logarithmic axes. Diagonal lines connect positions with the same ratio of y to x.
 * Outliers are labelled with their names.
 */
function drawCloud(chart: ChartOf<'cloud'>, width: Width, names: ChartNames): string {
  const { groups, outliers, diagonals, verticals = [] } = chart;
  const all = groups.flatMap((group) => group.points);
  const xDomain = logDomain([...all.map(([x]) => x), ...verticals.map(({ x }) => x)], 1.6);
  const yDomain = logDomain(
    all.map(([, y]) => y),
    1.8,
  );
  const ends = (factor: number): { x: number; y: number }[] => {
    const from = Math.max(xDomain[0], yDomain[0] / factor);
    const to = Math.min(xDomain[1], yDomain[1] / factor);
    return from < to ? [from, to].map((x) => ({ x, y: x * factor })) : [];
  };
  return drawn(
    {
      width: WIDTHS[width],
      height: width === 'wide' ? 440 : 400,
      marginTop: 28,
      marginBottom: 42,
      marginLeft: Math.ceil(Math.max(60, ...logTicks(yDomain).map((tick) => textWidth(figureText(tick, chart.y.unit)) + 10))),
      marginRight: Math.ceil(Math.max(40, ...diagonals.map(({ label }) => textWidth(label, 11)))) + 8,
      x: { type: 'log', domain: xDomain },
      y: { type: 'log', domain: yDomain },
      marks: [
        ...logAxis('x', xDomain, chart.x.unit, chart.x.label),
        ...logAxis('y', yDomain, chart.y.unit, chart.y.label),
        ...diagonals.flatMap(({ factor, label }) => {
          const line = ends(factor);
          return [
            Plot.line(line, { x: 'x', y: 'y', stroke: color('muted'), strokeWidth: 1, strokeDasharray: '4,3' }),
            Plot.text(line.slice(-1), {
              x: 'x',
              y: 'y',
              text: () => label,
              dx: 4,
              textAnchor: 'start',
              fill: color('muted'),
              fontSize: 11,
            }),
          ];
        }),
        ...namedVerticals(verticals, xDomain, width === 'wide' ? 240 : 110),
        ...groups.map((group) => points(group.points, ROLE_STYLES[group.role].color)),
        Plot.dot(outliers, {
          x: 'x',
          y: 'y',
          r: 5,
          stroke: color('shipped'),
          strokeWidth: 1.6,
          title: (outlier: (typeof outliers)[number]) =>
            `${outlier.name}: ${figureText(outlier.y, chart.y.unit)} at ${figureText(outlier.x, chart.x.unit)}`,
        }),
        // Names would overlap, so numbers refer to the table of figures.
        Plot.text(outliers, {
          x: 'x',
          y: 'y',
          text: (_: unknown, i: number) => String(i + 1),
          dx: 9,
          dy: -7,
          fill: color('ink'),
          fontSize: 11,
          fontWeight: 600,
        }),
      ],
    },
    names,
  );
}
