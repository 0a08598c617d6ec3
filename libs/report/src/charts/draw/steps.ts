import * as Plot from '@observablehq/plot';
import { figureText } from '../chart.ts';
import type { ChartOf } from '../chart.ts';
import { color, drawn, endNames, logAxis, logDomain, NAME_WIDTH, namedHorizontals, ROLE_STYLES, WIDTHS } from './frame.ts';
import type { ChartNames, Width } from './frame.ts';
import { sideNames } from './text-width.ts';

/** Share of the x axis between the end of a line and its name. */
const NAME_GAP = 0.012;

/** Returns the SVG text of a chart of figures over time. Each line is level until its figure changes, and has its name at its end. */
export function drawSteps(chart: ChartOf<'steps'>, width: Width, names: ChartNames): string {
  const { series, horizontals = [], from, to } = chart;
  const ys = [...series.flatMap(({ points }) => points.map(({ y }) => y)), ...horizontals.map(({ y }) => y)];
  const yDomain = logDomain(ys, 1.6);
  const span = Math.max(1, to - from);
  const lines = series.map(({ points, end = to, ...one }) => {
    const last = points.at(-1);
    const line = [...points.map(({ time, y }) => ({ x: time, y })), ...(last === undefined ? [] : [{ x: end, y: last.y }])];
    return { ...one, points, line };
  });
  const named = lines.flatMap(({ name, role, line }) => {
    const end = line.at(-1);
    if (end === undefined) return [];
    const value = figureText(Number(end.y.toPrecision(2)), chart.y.unit);
    return [{ text: width === 'wide' ? `${value}  ${name}` : name, role, end: { ...end, x: to } }];
  });
  const side = sideNames(
    named.map(({ text }) => text),
    NAME_WIDTH[width],
  );
  const height = width === 'wide' ? 430 : 400;
  const margins = { marginTop: 28, marginBottom: 42, marginLeft: 60, marginRight: side.width + 16 };
  return drawn(
    {
      width: WIDTHS[width],
      height,
      ...margins,
      x: { type: 'utc', domain: [new Date(from), new Date(from + span)] },
      y: { type: 'log', domain: yDomain },
      marks: [
        Plot.axisX({ ticks: width === 'wide' ? 6 : 3, label: null, color: color('muted'), tickSize: 6 }),
        ...logAxis('y', yDomain, chart.y.unit, chart.y.label),
        ...namedHorizontals(horizontals, '6,3'),
        ...lines.flatMap(({ name, role, points, line }) => {
          const look = ROLE_STYLES[role];
          return [
            Plot.line(line, {
              x: 'x',
              y: 'y',
              curve: 'step-after',
              stroke: look.color,
              strokeWidth: look.width,
              ...(look.dash && { strokeDasharray: look.dash }),
            }),
            Plot.dot(points, {
              x: 'time',
              y: 'y',
              r: 2.6,
              fill: look.color,
              title: (point: { time: number; y: number }) =>
                `${name}: ${figureText(point.y, chart.y.unit)} from ${new Date(point.time).toISOString().slice(0, 10)}`,
            }),
          ];
        }),
        ...endNames(named, side, { width, height, margins, yDomain, besides: (x) => x + NAME_GAP * span }),
      ],
    },
    names,
  );
}
