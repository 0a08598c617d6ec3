import * as Plot from '@observablehq/plot';
import { figureText } from '../figure-text.ts';
import type { ChartOf } from '../chart.ts';
import { color, drawn, LINE, logAxis, logDomain, NAME_WIDTH, WIDTHS } from './frame.ts';
import type { ChartNames, Width } from './frame.ts';
import { sideNames, textWidth } from './text-width.ts';

/**
 * Draws a chart of how a number changed in each case, as SVG text. Each row shows the old and the new number. The relative change and its
 * confidence interval are printed at the right; narrow charts omit the interval.
 */
export function drawChanges(chart: ChartOf<'changes'>, width: Width, names: ChartNames): string {
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
