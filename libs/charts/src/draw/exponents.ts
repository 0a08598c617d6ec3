import * as Plot from '@observablehq/plot';
import type { ChartOf } from '../chart.ts';
import { color, drawn, LINE, NAME_WIDTH, ROLES, WIDTHS } from './frame.ts';
import type { ChartNames, Width } from './frame.ts';
import { sideNames, textWidth } from './text-width.ts';

/** Growth exponents with their intervals: what a log-log plot needs ten seconds for. */
export function drawExponents(chart: ChartOf<'exponents'>, width: Width, names: ChartNames): string {
  const rows = chart.rows.toSorted((a, b) => b.exponent - a.exponent);
  const domain: [number, number] = [
    Math.min(0.7, ...rows.map(({ lo }) => Math.max(0, lo))),
    Math.max(2.2, ...rows.map(({ hi }) => Math.min(3.5, hi))),
  ];
  const text = ({ exponent, lo, hi, points }: (typeof rows)[number]): string =>
    width === 'wide'
      ? `${exponent.toFixed(2)}  [${lo.toFixed(2)}, ${hi.toFixed(2)}]  n = ${points}`
      : `${exponent.toFixed(2)} ± ${((hi - lo) / 2).toFixed(2)}`;
  const side = sideNames(
    rows.map(({ name }) => name),
    NAME_WIDTH[width],
  );
  const room = Math.ceil(Math.max(0, ...rows.map((row) => textWidth(text(row))))) + 12;
  const marks = [1, 2, 3].filter((value) => value >= domain[0] && value <= domain[1]);
  return drawn(
    {
      width: WIDTHS[width],
      height: 66 + Math.max(26, LINE * side.lines + 4) * rows.length,
      marginTop: 28,
      marginBottom: 40,
      marginLeft: side.width + 16,
      marginRight: room,
      x: { domain },
      y: { type: 'point', domain: rows.map(({ name }) => name), label: null },
      marks: [
        Plot.ruleX(marks, { stroke: color('muted'), strokeDasharray: '6,3' }),
        Plot.axisX({
          ticks: marks,
          tickSize: 0,
          tickFormat: String,
          label: 'exponent b of time ∝ nᵇ',
          labelArrow: 'none',
          labelAnchor: 'center',
          color: color('muted'),
        }),
        Plot.axisY({ tickSize: 0, tickFormat: side.text, color: color('ink'), label: null }),
        Plot.text(
          (
            [
              [1, 'linear'],
              [2, 'quadratic'],
              [3, 'cubic'],
            ] as const
          ).filter(([value]) => marks.includes(value)),
          {
            x: (point: readonly [number, string]) => point[0],
            frameAnchor: 'top',
            dy: -14,
            text: (point: readonly [number, string]) => point[1],
            fill: color('muted'),
          },
        ),
        Plot.ruleY(rows, {
          y: 'name',
          x1: (row: (typeof rows)[number]) => Math.max(domain[0], row.lo),
          x2: (row: (typeof rows)[number]) => Math.min(domain[1], row.hi),
          stroke: (row: (typeof rows)[number]) => ROLES[row.role].color,
          strokeWidth: 5,
          strokeOpacity: 0.4,
          strokeLinecap: 'round',
        }),
        Plot.dot(rows, {
          y: 'name',
          x: 'exponent',
          r: 5,
          fill: (row: (typeof rows)[number]) => ROLES[row.role].color,
          stroke: color('paper'),
        }),
        Plot.text(rows, { y: 'name', frameAnchor: 'right', dx: room - 4, textAnchor: 'end', text, fill: color('ink') }),
      ],
    },
    names,
  );
}
