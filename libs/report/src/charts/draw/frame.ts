import * as Plot from '@observablehq/plot';
import { parseHTML } from 'linkedom';
import { figureText } from '../chart.ts';
import type { ChartRole, Unit } from '../chart.ts';
import { wrapped } from './text-width.ts';
import type { SideNames } from './text-width.ts';

/**
 * Width of the page that a chart is drawn for. Each chart is drawn twice, because the text in a scaled-down drawing would be too small on a
 * phone.
 */
export type Width = 'wide' | 'narrow';

/** Ids of the elements that name and describe a chart for screen readers: its heading and its explanation. */
export interface ChartNames {
  readonly labelledBy: string;
  readonly describedBy: string;
}

const { document } = parseHTML('<!doctype html><html></html>');

/** Width of a drawing in pixels, for each width of the page (`wide` and `narrow`). */
export const WIDTHS: Readonly<Record<Width, number>> = { wide: 760, narrow: 358 };
/** Maximum width in pixels of the names at the side of a chart. Longer names are wrapped. */
export const NAME_WIDTH: Readonly<Record<Width, number>> = { wide: 250, narrow: 112 };
/** Distance between lines of text, in pixels. */
export const LINE = 13;

/** Returns the CSS reference to a colour of the page's theme. */
export const color = (name: string): string => `var(--${name})`;

/**
 * Styles of the series by role: colour, dash, marker and line width. The hues are few, so that colour-blind readers can distinguish them.
 */
export const ROLE_STYLES: Readonly<
  Record<ChartRole, { readonly color: string; readonly dash?: string; readonly symbol: Plot.SymbolType; readonly width: number }>
> = {
  assay: { color: color('assay'), symbol: 'circle', width: 2.5 },
  shipped: { color: color('shipped'), symbol: 'triangle', width: 2 },
  reference: { color: color('reference'), symbol: 'square', width: 1.5 },
  experiment: { color: color('experiment'), dash: '5,3', symbol: 'diamond', width: 1.5 },
  peer: { color: color('peer'), symbol: 'times', width: 1.5 },
};

/**
 * Part of the DOM element interface that drawing needs. It is declared here, because charts are drawn without the DOM types of a browser.
 */
interface DrawnElement {
  querySelectorAll(selector: string): Iterable<{ remove(): void }>;
  setAttribute(name: string, value: string): void;
  removeAttribute(name: string): void;
  toString(): string;
}

/**
 * Draws a plot as SVG text. Numbers are shortened, style elements are removed, and names for screen readers are added. Equal input yields
 * equal bytes.
 */
export function drawn(options: Plot.PlotOptions, { labelledBy, describedBy }: ChartNames): string {
  const element = Plot.plot({ document, ...options }) as unknown as DrawnElement;
  for (const style of element.querySelectorAll('style')) style.remove();
  const attributes = { xmlns: 'http://www.w3.org/2000/svg', role: 'img', 'aria-labelledby': labelledBy, 'aria-describedby': describedBy };
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value);
  for (const name of ['class', 'style']) element.removeAttribute(name);
  return element
    .toString()
    .replace(/ aria-(?:label|hidden|description)="[^"]*"/g, '')
    .replace(/<[^>]*>/g, (tag: string) => tag.replace(/\d+\.\d{3,}/g, (number) => String(Number(Number(number).toFixed(1)))));
}

/** Returns all powers of ten from the one at or below `lo` to the one at or above `hi`. */
function decades(lo: number, hi: number): number[] {
  const from = Math.floor(Math.log10(lo) + 1e-9);
  const to = Math.ceil(Math.log10(hi) - 1e-9);
  return Array.from({ length: to - from + 1 }, (_, i) => 10 ** (from + i));
}

const MINOR_STEPS = [2, 3, 4, 5, 6, 7, 8, 9] as const;
/** Maximum number of labels on an axis. If there are more, every second label is left out. */
const MAX_LABELS = 7;
/** Minimum number of labelled decades (powers of ten). If an axis has fewer, values between the decades are also labelled. */
const MIN_LABELS = 2;

/**
 * Returns the values of a logarithmic axis that are labelled. These are the decades (powers of ten), or every second decade if there are
 * more than 7. If there are fewer than 2 decades, the values 2 and 5 of each decade are also labelled.
 */
export function logTicks(domain: readonly [number, number]): number[] {
  const within = (value: number): boolean => value >= domain[0] * 0.999 && value <= domain[1] * 1.001;
  const all = decades(...domain).filter(within);
  if (all.length > MAX_LABELS) return all.filter((_, i) => i % 2 === 0);
  if (all.length >= MIN_LABELS) return all;
  return decades(...domain).flatMap((decade) => [decade, 2 * decade, 5 * decade].filter(within));
}

/**
 * Returns the marks of a logarithmic axis: labels, and one grid line for each decade (power of ten) and each label. An x axis also has
 * short ticks between the decades.
 */
export function logAxis(side: 'x' | 'y', domain: readonly [number, number], unit: Unit, label: string): Plot.Markish[] {
  const labelled = logTicks(domain);
  const all = [
    ...new Set([...labelled, ...decades(...domain).filter((value) => value >= domain[0] * 0.999 && value <= domain[1] * 1.001)]),
  ];
  const format = (value: number): string => figureText(value, unit);
  const common = { ticks: labelled, tickFormat: format, label, labelArrow: 'none' as const, color: color('muted') };
  if (side === 'y')
    return [Plot.gridY(all, { stroke: color('grid'), strokeOpacity: 1 }), Plot.axisY({ ...common, tickSize: 0, labelAnchor: 'top' })];
  const minors = decades(...domain)
    .flatMap((decade) => MINOR_STEPS.map((step) => step * decade))
    .filter((value) => value > domain[0] && value < domain[1]);
  return [
    Plot.gridX(all, { stroke: color('grid'), strokeOpacity: 1 }),
    Plot.axisX({ ...common, tickSize: 6, labelAnchor: 'center' }),
    Plot.axisX({ ticks: minors, tickFormat: () => '', tickSize: 3, label: null, color: color('faint') }),
  ];
}

/**
 * Returns vertical lines across a chart, each with its name at the top. The name is wrapped to `most` pixels, and is on the side of the
 * line that has more room.
 */
export function namedVerticals(
  verticals: readonly { readonly x: number; readonly label: string }[],
  domain: readonly [number, number],
  most: number,
): Plot.Markish[] {
  const middle = Math.sqrt(domain[0] * domain[1]);
  return verticals.flatMap(({ x, label }) => [
    Plot.ruleX([x], { stroke: color('muted'), strokeDasharray: '6,3' }),
    Plot.text([label], {
      x: () => x,
      frameAnchor: 'top',
      lineAnchor: 'bottom',
      dy: -6,
      dx: x > middle ? 3 : -3,
      textAnchor: x > middle ? 'end' : 'start',
      text: (text: string) => wrapped(text, most).join('\n'),
      fill: color('muted'),
    }),
  ]);
}

/** Returns horizontal lines across a chart, each with its name above its left end. `dash` is the dash pattern of SVG. */
export function namedHorizontals(horizontals: readonly { readonly y: number; readonly label: string }[], dash: string): Plot.Markish[] {
  return horizontals.flatMap(({ y, label }) => [
    Plot.ruleY([y], { stroke: color('muted'), strokeDasharray: dash }),
    Plot.text([label], {
      y: () => y,
      frameAnchor: 'left',
      text: (text: string) => text,
      textAnchor: 'start',
      dx: 4,
      dy: -7,
      fill: color('muted'),
    }),
  ]);
}

/** Label with its wanted vertical position in pixels. */
export interface PlacedLabel {
  y: number;
}

/** Moves labels apart until neighbours are at least `gap` pixels from each other. The labels stay between `top` and `bottom`. */
function spreadLabels<T extends PlacedLabel>(labels: readonly T[], gap: number, top: number, bottom: number): T[] {
  const placed = labels.map((label) => ({ ...label })).sort((a, b) => a.y - b.y);
  for (let pass = 0; pass < 80; pass++) {
    let moved = false;
    for (let i = 1; i < placed.length; i++) {
      const [above, below] = [placed[i - 1] as T, placed[i] as T];
      const missing = gap - (below.y - above.y);
      if (missing <= 0.01) continue;
      above.y -= missing / 2;
      below.y += missing / 2;
      moved = true;
    }
    const [first, last] = [placed[0], placed.at(-1)];
    if (first !== undefined && first.y < top) first.y = top;
    if (last !== undefined && last.y > bottom) last.y = bottom;
    if (!moved) break;
  }
  return placed;
}

/** Returns the range of a logarithmic axis that contains all positive values. Both ends are extended by the factor `air`. */
export function logDomain(values: readonly number[], air = 1.5): [number, number] {
  const positive = values.filter((value) => value > 0 && Number.isFinite(value));
  if (positive.length === 0) return [1, 10];
  return [Math.min(...positive) / air, Math.max(...positive) * air];
}

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
