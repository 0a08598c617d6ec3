import * as Plot from '@observablehq/plot';
import { figureText } from '../figure-text.ts';
import type { ChartOf } from '../chart.ts';
import { color, drawn, logAxis, logDomain, logTicks, namedVerticals, ROLE_STYLES, WIDTHS } from './frame.ts';
import type { ChartNames, Width } from './frame.ts';
import { textWidth } from './text-width.ts';

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
export function drawCloud(chart: ChartOf<'cloud'>, width: Width, names: ChartNames): string {
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
        // Names would cover each other: numbers lead to the table of figures.
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
