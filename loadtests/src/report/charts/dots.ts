import * as Plot from '@observablehq/plot';
import { figureText } from '../../measure/figures.ts';
import type { ChartOf } from '../../result/chart.ts';
import { CHARACTER, color, drawn, logAxis, logDomain, namedVerticals, ROLES, shortened, WIDTHS } from './frame.ts';
import type { ChartNames, Width } from './frame.ts';

const NAME_CHARACTERS = { wide: 34, narrow: 16 } as const;

/** Systems side by side, a row a case. The figure of ours stands beside its mark. */
export function drawDots(chart: ChartOf<'dots'>, width: Width, names: ChartNames): string {
  const rows = chart.rows.map((row) => ({ ...row, name: shortened(row.name, NAME_CHARACTERS[width]) }));
  const points = rows.flatMap(({ name, values }) => values.map((value) => ({ ...value, name })));
  type Point = (typeof points)[number];
  const { verticals = [] } = chart;
  const domain = logDomain([...points.flatMap(({ value, lo = value, hi = value }) => [value, lo, hi]), ...verticals.map(({ x }) => x)], 2);
  const longest = Math.max(0, ...rows.map(({ name }) => name.length));
  return drawn(
    {
      width: WIDTHS[width],
      height: 84 + 30 * rows.length,
      marginTop: 30,
      marginBottom: 42,
      marginLeft: Math.round(longest * CHARACTER) + 16,
      marginRight: 44,
      x: { type: 'log', domain },
      y: { type: 'point', domain: rows.map(({ name }) => name), label: null, padding: 0.7 },
      marks: [
        Plot.ruleY(rows, { y: 'name', stroke: color('grid') }),
        ...logAxis('x', domain, chart.x.unit, chart.x.label),
        Plot.axisY({ tickSize: 0, color: color('ink'), label: null }),
        ...namedVerticals(verticals, width === 'wide' ? 60 : 24),
        Plot.ruleY(
          points.filter(({ lo, hi }) => lo !== undefined && hi !== undefined),
          { y: 'name', x1: 'lo', x2: 'hi', stroke: (point: Point) => ROLES[point.role].color, strokeWidth: 5, strokeOpacity: 0.35 },
        ),
        // Symbols are a mark's own: one mark a role.
        ...(Object.keys(ROLES) as (keyof typeof ROLES)[]).map((role) =>
          Plot.dot(
            points.filter((point) => point.role === role),
            {
              x: 'value',
              y: 'name',
              symbol: ROLES[role].symbol,
              r: role === 'ours' ? 5.5 : 4.5,
              fill: role === 'peer' ? 'none' : ROLES[role].color,
              stroke: role === 'peer' ? ROLES[role].color : color('paper'),
              strokeWidth: role === 'peer' ? 1.75 : 1.2,
              title: (point: Point) => `${point.series}, ${point.name}: ${figureText(point.value, chart.x.unit)}`,
            },
          ),
        ),
        Plot.text(
          points.filter(({ role }) => role === 'ours'),
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
