import { parseHTML } from 'linkedom';
import { describe, expect, it } from 'vitest';
import type { Chart } from '../chart.ts';
import { draw } from './draw.ts';
import { WIDTHS } from './frame.ts';
import { textWidth, wrapped } from './text-width.ts';

const NAME = 'list.filter(e, e >= 0).map(e, e * 2).sum() >= 0 && list.all(a, list.exists_one(b, a == b))';
const OTHER = 'valid, 2,500 entries: every entry of every group, and the labels of each';
const prose = { id: 'long', title: 't', subtitle: 's', reading: 'r', notShown: 'n' };
const x = { label: 'list elements', unit: 'count' } as const;
const y = { label: 'time of one evaluation', unit: 'ms' } as const;
const verticals = [
  { x: 1100, label: 'the per-call limit stops the rule at 200k, far to the left' },
  { x: 90_000, label: 'most of a chunk, far to the right of all that is drawn' },
];
const points = [1000, 10_000, 100_000].map((n) => ({ x: n, y: n / 1e6 }));

const CHARTS: readonly Chart[] = [
  {
    kind: 'scaling',
    ...prose,
    x,
    y,
    verticals,
    series: [
      { name: NAME, role: 'assay', points },
      { name: OTHER, role: 'peer', points },
    ],
  },
  {
    kind: 'dots',
    ...prose,
    x,
    verticals,
    rows: [NAME, OTHER].map((name) => ({ name, values: [{ series: 'a', role: 'assay', value: 50_000 }] })),
  },
  {
    kind: 'cloud',
    ...prose,
    x,
    y,
    verticals,
    groups: [
      {
        name: NAME,
        role: 'assay',
        points: [
          [1000, 100],
          [100_000, 9000],
        ],
      },
    ],
    outliers: [],
    diagonals: [{ factor: 0.1, label: '100 ns a unit, as the limits assume' }],
  },
  {
    kind: 'changes',
    ...prose,
    x: y,
    from: 'off',
    to: 'on',
    rows: [NAME, OTHER].map((name) => ({ name, from: 10, to: 11, ratio: 1.1, lo: 1, hi: 1.2 })),
  },
];

/** Part of the element interface that this test needs. */
interface Drawn {
  readonly tagName: string;
  readonly textContent: string | null;
  readonly children: Iterable<Drawn>;
  getAttribute(name: string): string | null;
}

/** Returns all lines of text in a drawing with their left and right ends, in pixels of the drawing. */
function linesOf(
  element: Drawn,
  left = 0,
  anchor = 'start',
  size = 12,
): { readonly text: string; readonly from: number; readonly to: number }[] {
  const attribute = (name: string): string | null => element.getAttribute(name);
  const own = left + Number(/translate\(([-\d.]+)/.exec(attribute('transform') ?? '')?.[1] ?? 0);
  const [ownAnchor, ownSize] = [attribute('text-anchor') ?? anchor, Number.parseFloat(attribute('font-size') ?? '') || size];
  const children = [...element.children];
  const isText = element.tagName.toLowerCase() === 'text' || element.tagName.toLowerCase() === 'tspan';
  const at = own + Number(isText ? (attribute('x') ?? 0) : 0);
  const inside = children.filter(({ tagName }) => tagName.toLowerCase() !== 'title');
  if (!isText || inside.length > 0) return inside.flatMap((child) => linesOf(child, isText ? at : own, ownAnchor, ownSize));
  const width = textWidth(element.textContent ?? '', ownSize);
  const before = ownAnchor === 'end' ? width : ownAnchor === 'middle' ? width / 2 : 0;
  return [{ text: element.textContent ?? '', from: at - before, to: at - before + width }];
}

describe('the labels of a chart', () => {
  it.each(CHARTS.flatMap((chart) => (['wide', 'narrow'] as const).map((width) => [chart.kind, width, chart] as const)))(
    'are complete and inside the drawing: %s, %s',
    (_, width, chart) => {
      const { document } = parseHTML(`<html><body>${draw(chart, width, { labelledBy: 'a', describedBy: 'b' })}</body></html>`);
      const svg = document.querySelector('svg') as unknown as Drawn;
      const lines = linesOf(svg);
      expect(lines.length).toBeGreaterThan(3);
      expect(lines.filter(({ from, to }) => from < -1 || to > WIDTHS[width] + 1)).toEqual([]);
      expect(svg.textContent).not.toContain('…');
    },
  );

  it('are broken at spaces, and inside words that are too long for a line', () => {
    expect(wrapped('one two three', textWidth('one two'))).toEqual(['one two', 'three']);
    const long = wrapped('a'.repeat(100), 100);
    expect(long.length).toBeGreaterThan(3);
    expect(long.join('')).toBe('a'.repeat(100));
    expect(long.every((line) => textWidth(line) <= 100)).toBe(true);
  });
});
