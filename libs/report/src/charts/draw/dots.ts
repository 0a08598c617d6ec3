import * as Plot from '@observablehq/plot';
import { figureText } from '../figure-text.ts';
import type { ChartOf } from '../chart.ts';
import { color, drawn, LINE, logAxis, logDomain, NAME_WIDTH, namedVerticals, ROLE_STYLES, WIDTHS } from './frame.ts';
import type { ChartNames, Width } from './frame.ts';
import { sideNames } from './text-width.ts';

/**
 * Returns a chart that compares measured values of Assay and of other software. The chart has one row for each benchmark case, and one mark
 * in it for each software. The value of Assay is printed beside the mark of Assay.
 */
export function drawDots(chart: ChartOf<'dots'>, width: Width, names: ChartNames): string {
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
        // Symbols are a mark's own: one mark a role.
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
