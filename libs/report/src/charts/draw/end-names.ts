import * as Plot from '@observablehq/plot';
import type { ChartRole } from '../chart.ts';
import { color, LINE, spreadLabels } from './frame.ts';
import type { Width } from './frame.ts';
import type { SideNames } from './text-width.ts';

const LABEL_GAP = { wide: 15, narrow: LINE } as const;

/** Name of a line, with the point at which the line ends. */
export interface EndName {
  readonly text: string;
  readonly role: ChartRole;
  readonly end: { readonly x: number; readonly y: number };
}

/** Frame of a chart whose lines have names. */
export interface NamedFrame {
  readonly width: Width;
  /** Height of the chart in pixels. */
  readonly height: number;
  readonly margins: { readonly marginTop: number; readonly marginBottom: number };
  /** Domain of the logarithmic y axis. */
  readonly yDomain: readonly [number, number];
  /** Returns the x at which the stroke from the end of a line to its name ends. */
  readonly besides: (x: number) => number;
}

/** Returns marks that write the name of each line at its end. Names that would overlap are moved apart. */
export function endNames(named: readonly EndName[], side: SideNames, frame: NamedFrame): Plot.Markish[] {
  const { width, height, margins, yDomain, besides } = frame;
  const bottom = height - margins.marginBottom;
  const scale = Plot.scale({ y: { type: 'log', domain: [...yDomain], range: [bottom, margins.marginTop] } });
  const ends = named.map(({ text, ...one }) => ({ ...one, text: side.text(text), y: Number(scale.apply(one.end.y)) }));
  const labels = spreadLabels(ends, LABEL_GAP[width] + LINE * (side.lines - 1), margins.marginTop, bottom);
  const at = labels.map((label) => ({ ...label, x: label.end.x, at: Number(scale.invert?.(label.y)) }));
  return [
    Plot.link(
      at.map(({ end, at: y }) => ({ x: end.x, y1: end.y, x2: besides(end.x), y2: y })),
      { x1: 'x', y1: 'y1', x2: 'x2', y2: 'y2', stroke: color('faint'), strokeWidth: 1, clip: false },
    ),
    ...(['bold', 'normal'] as const).map((weight) =>
      Plot.text(
        at.filter(({ role }) => (role === 'assay') === (weight === 'bold')),
        {
          x: 'x',
          y: 'at',
          text: 'text',
          dx: 12,
          textAnchor: 'start',
          fill: color('ink'),
          fontWeight: weight === 'bold' ? 700 : 400,
          fontSize: width === 'wide' ? 12 : 11,
        },
      ),
    ),
  ];
}
