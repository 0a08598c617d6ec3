import * as Plot from '@observablehq/plot';
import { figureText } from '../chart.ts';
import type { ChartOf } from '../chart.ts';
import { color, drawn, endNames, LINE, logAxis, logDomain, NAME_WIDTH, namedHorizontals, ROLE_STYLES, WIDTHS } from './frame.ts';
import type { ChartNames, Width } from './frame.ts';
import { sideNames, wrapped } from './text-width.ts';

/**
 * Returns the SVG text of a chart that has lines on two logarithmic axes, with the name of each line at its end. Parallel lines have the
 * same rate of growth.
 */
export function drawScaling(chart: ChartOf<'scaling'>, width: Width, names: ChartNames): string {
  const { series, bands = [], verticals = [], horizontals = [] } = chart;
  const xs = [
    ...series.flatMap(({ points, extrapolated = [] }) => [...points, ...extrapolated].map(({ x }) => x)),
    ...verticals.map(({ x }) => x),
  ];
  const ys = [
    ...series.flatMap(({ points, extrapolated = [] }) => [...points, ...extrapolated].map(({ y }) => y)),
    ...bands.flatMap(({ points }) => points.flatMap(({ lo, hi }) => [lo, hi])),
    ...horizontals.map(({ y }) => y),
  ];
  const xDomain = logDomain(xs, 1.25);
  const yDomain = logDomain(ys, 1.6);
  const middle = Math.sqrt(xDomain[0] * xDomain[1]);
  const height = width === 'wide' ? 430 : 400;
  const named = series.flatMap(({ name, role, points, extrapolated = [] }) => {
    const end = [...points, ...extrapolated].toSorted((a, b) => a.x - b.x).at(-1);
    if (end === undefined) return [];
    const value = figureText(Number(end.y.toPrecision(2)), chart.y.unit);
    return [{ text: width === 'wide' ? `${extrapolated.length > 0 ? '≈ ' : ''}${value}  ${name}` : name, role, end }];
  });
  const side = sideNames(
    named.map(({ text }) => text),
    NAME_WIDTH[width],
  );
  const margins = { marginTop: 28, marginBottom: 42, marginLeft: 60, marginRight: side.width + 16 };
  const lines = series.flatMap(({ name, role, points, extrapolated = [] }) => {
    const look = ROLE_STYLES[role];
    const last = points.at(-1);
    const dotted = last === undefined ? extrapolated : [last, ...extrapolated];
    return [
      Plot.ruleX(
        points.filter(({ lo, hi }) => lo !== undefined && hi !== undefined),
        { x: 'x', y1: 'lo', y2: 'hi', stroke: look.color, strokeWidth: 5, strokeOpacity: 0.3 },
      ),
      Plot.line(points, { x: 'x', y: 'y', stroke: look.color, strokeWidth: look.width, ...(look.dash && { strokeDasharray: look.dash }) }),
      ...(extrapolated.length > 0
        ? [Plot.line(dotted, { x: 'x', y: 'y', stroke: look.color, strokeWidth: 2, strokeDasharray: '1,4', strokeLinecap: 'round' })]
        : []),
      Plot.dot(points, {
        x: 'x',
        y: 'y',
        symbol: look.symbol,
        r: 3.4,
        fill: look.symbol === 'times' ? 'none' : look.color,
        stroke: look.symbol === 'times' ? look.color : color('paper'),
        strokeWidth: look.symbol === 'times' ? 1.75 : 1,
        title: (point: { x: number; y: number }) => `${name}: ${figureText(point.y, chart.y.unit)} at ${figureText(point.x, chart.x.unit)}`,
      }),
    ];
  });
  return drawn(
    {
      width: WIDTHS[width],
      height,
      ...margins,
      x: { type: 'log', domain: xDomain },
      y: { type: 'log', domain: yDomain },
      marks: [
        ...logAxis('x', xDomain, chart.x.unit, chart.x.label),
        ...logAxis('y', yDomain, chart.y.unit, chart.y.label),
        ...bands.map(({ points }) => Plot.areaY(points, { x: 'x', y1: 'lo', y2: 'hi', fill: color('claim'), fillOpacity: 0.2 })),
        ...verticals.flatMap(({ x, label }, i) => [
          Plot.ruleX([x], { stroke: color('muted'), strokeDasharray: '6,3' }),
          Plot.text([label], {
            x: () => x,
            frameAnchor: 'bottom',
            lineAnchor: 'bottom',
            text: (text: string) => wrapped(text, width === 'wide' ? 250 : 100).join('\n'),
            textAnchor: x > middle ? 'end' : 'start',
            dx: x > middle ? -5 : 5,
            dy: -6 - (LINE + 1) * i,
            fill: color('muted'),
          }),
        ]),
        ...namedHorizontals(horizontals, '2,3'),
        ...lines,
        ...endNames(named, side, { width, height, margins, yDomain, besides: (x) => x * 1.12 }),
      ],
    },
    names,
  );
}
