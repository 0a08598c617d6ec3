import * as Plot from '@observablehq/plot';
import { figureText } from '../figure-text.ts';
import type { ChartOf } from '../chart.ts';
import { color, drawn, LINE, NAME_WIDTH, WIDTHS } from './frame.ts';
import type { ChartNames, Width } from './frame.ts';
import { sideNames, textWidth } from './text-width.ts';

/** How many colours of parts a theme has; more parts begin anew. */
const PART_COLORS = 6;

/** Returns the name of a part's colour; text on it has the name with `on-` in front. */
export const partColor = (part: number): string => `part${(part % PART_COLORS) + 1}`;

/** Shares of a whole as bars of equal length; the wholes, which may differ a hundredfold, stand as figures at the right. */
export function drawShares(chart: ChartOf<'shares'>, width: Width, names: ChartNames): string {
  const { rows } = chart;
  const total = (values: readonly number[]): number => values.reduce((sum, value) => sum + value, 0);
  const pieces = rows.flatMap(({ group, name, values }) => {
    const whole = total(values) || 1;
    let before = 0;
    return values.map((value, part) => {
      const from = before / whole;
      before += value;
      return { group, name, part, value, from, to: before / whole };
    });
  });
  type Piece = (typeof pieces)[number];
  const groups = [...new Set(rows.map(({ group }) => group))];
  const side = sideNames(
    rows.map(({ name }) => name),
    NAME_WIDTH[width],
  );
  const totals = rows.map(({ values }) => textWidth(figureText(total(values), chart.unit)));
  const margins = { marginLeft: side.width + 14, marginRight: Math.ceil(Math.max(40, ...totals)) + 14 };
  const plotted = WIDTHS[width] - margins.marginLeft - margins.marginRight;
  const label = (piece: Piece): string =>
    `${width === 'wide' ? `${chart.parts[piece.part] ?? ''} ` : ''}${figureText(piece.value, chart.unit)}`;
  const perGroup = Math.max(1, ...groups.map((group) => rows.filter((row) => row.group === group).length));
  return drawn(
    {
      width: WIDTHS[width],
      height: 58 + groups.length * (perGroup * Math.max(27, LINE * side.lines + 6) + 26),
      ...margins,
      marginTop: 30,
      marginBottom: 28,
      x: { domain: [0, 1] },
      y: { type: 'band', domain: [...new Set(rows.map(({ name }) => name))], label: null, padding: 0.12 },
      fy: { domain: groups, label: null, padding: 0.24 },
      marks: [
        Plot.axisFy({
          anchor: 'left',
          frameAnchor: 'top-left',
          dy: -14,
          textAnchor: 'start',
          color: color('ink'),
          fontWeight: 600,
          label: null,
        }),
        Plot.axisY({ tickSize: 0, tickFormat: side.text, color: color('ink'), label: null }),
        Plot.axisX({ ticks: [0, 0.5, 1], tickFormat: '%', tickSize: 0, label: null, color: color('muted') }),
        ...chart.parts.map((part, number) =>
          Plot.barX(
            pieces.filter((piece) => piece.part === number),
            {
              fy: 'group',
              y: 'name',
              x1: 'from',
              x2: 'to',
              fill: color(partColor(number)),
              stroke: color('paper'),
              strokeWidth: 1.2,
              title: (piece: Piece) => `${piece.group}, ${piece.name}: ${part} ${figureText(piece.value, chart.unit)}`,
            },
          ),
        ),
        ...chart.parts.map((_, number) =>
          Plot.text(
            pieces.filter((piece) => piece.part === number && (piece.to - piece.from) * plotted > textWidth(label(piece), 11) + 6),
            {
              fy: 'group',
              y: 'name',
              x: (piece: Piece) => (piece.from + piece.to) / 2,
              text: label,
              fill: color(`on-${partColor(number)}`),
              fontSize: 11,
            },
          ),
        ),
        Plot.text(rows, {
          fy: 'group',
          y: 'name',
          x: () => 1,
          dx: 8,
          textAnchor: 'start',
          text: (row: (typeof rows)[number]) => figureText(total(row.values), chart.unit),
          fill: color('ink'),
          fontWeight: 600,
        }),
      ],
    },
    names,
  );
}
