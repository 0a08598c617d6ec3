import * as Plot from '@observablehq/plot';
import { timeText } from '../figure-text.ts';
import type { ChartOf } from '../chart.ts';
import { color, drawn, LINE, logDomain, logTicks, NAME_WIDTH, ROLES, spread, WIDTHS } from './frame.ts';
import type { ChartNames, Width } from './frame.ts';
import { sideNames } from './text-width.ts';

/** Where a share stands on an axis of nines: 90 % at 1, 99 % at 2. */
const nines = (percent: number): number => -Math.log10(1 - percent / 100);
const TICKS: readonly (readonly [percent: number, label: string])[] = [
  [0, '0 %'],
  [50, '50 %'],
  [90, '90 %'],
  [99, '99 %'],
  [99.9, '99.9 %'],
  [99.99, '99.99 %'],
];

/** Distributions of latencies on an axis of nines: where the tail is, and how long. */
export function drawLatencies(chart: ChartOf<'latencies'>, width: Width, names: ChartNames): string {
  const lines = chart.series.map((series) => ({ ...series, points: series.curve.map(([percent, ms]) => ({ x: nines(percent), ms })) }));
  const domain = logDomain(
    lines.flatMap(({ points, p99 }) => [...points.map(({ ms }) => ms), ...(p99 ? [p99.lo, p99.hi] : [])]),
    1.3,
  );
  const furthest = Math.max(2, ...lines.flatMap(({ points }) => points.map(({ x }) => x)));
  const height = 380;
  const side = sideNames(
    lines.map(({ name }) => name),
    NAME_WIDTH[width],
  );
  const margins = { marginTop: 28, marginBottom: 42, marginLeft: 60, marginRight: side.width + 14 };
  const scale = Plot.scale({ y: { type: 'log', domain, range: [height - margins.marginBottom, margins.marginTop] } });
  const ends = lines.flatMap(({ name, role, points }) => {
    const end = points.at(-1);
    return end === undefined ? [] : [{ text: side.text(name), role, end, y: scale.apply(end.ms) as number }];
  });
  const labels = spread(ends, (width === 'wide' ? 15 : LINE) + LINE * (side.lines - 1), margins.marginTop, height - margins.marginBottom);
  // On a phone the first two would collide.
  const ticks = TICKS.filter(([percent]) => nines(percent) <= furthest + 0.01 && (width === 'wide' || percent > 0));
  const yTicks = logTicks(domain);
  return drawn(
    {
      width: WIDTHS[width],
      height,
      ...margins,
      x: { domain: [0, furthest] },
      y: { type: 'log', domain },
      marks: [
        Plot.gridX(
          ticks.map(([percent]) => nines(percent)),
          { stroke: color('grid'), strokeOpacity: 1 },
        ),
        Plot.gridY(yTicks, { stroke: color('grid'), strokeOpacity: 1 }),
        Plot.axisX({
          ticks: ticks.map(([percent]) => nines(percent)),
          tickFormat: (x: number) => ticks.find(([percent]) => Math.abs(nines(percent) - x) < 1e-6)?.[1] ?? '',
          tickSize: 0,
          label: 'requests answered within',
          labelArrow: 'none',
          labelAnchor: 'center',
          color: color('muted'),
        }),
        Plot.axisY({
          ticks: yTicks,
          tickFormat: timeText,
          tickSize: 0,
          label: 'latency',
          labelArrow: 'none',
          labelAnchor: 'top',
          color: color('muted'),
        }),
        ...lines.flatMap(({ role, points, p99 }) => [
          Plot.line(points, {
            x: 'x',
            y: 'ms',
            stroke: ROLES[role].color,
            strokeWidth: ROLES[role].width,
            ...(ROLES[role].dash && { strokeDasharray: ROLES[role].dash }),
          }),
          ...(p99
            ? [
                Plot.ruleX([p99], {
                  x: () => nines(99),
                  y1: 'lo',
                  y2: 'hi',
                  stroke: ROLES[role].color,
                  strokeWidth: 6,
                  strokeOpacity: 0.35,
                }),
              ]
            : []),
        ]),
        Plot.text(
          labels.map((label) => ({ ...label, x: label.end.x, at: scale.invert?.(label.y) as number })),
          { x: 'x', y: 'at', text: 'text', dx: 8, textAnchor: 'start', fill: color('ink'), fontSize: width === 'wide' ? 12 : 11 },
        ),
      ],
    },
    names,
  );
}
