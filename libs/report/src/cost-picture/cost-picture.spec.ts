import { describe, expect, it } from 'vitest';
import { costDescription, costNodes } from './cost-node.ts';
import type { CostNode } from './cost-node.ts';
import { drawIcicle, fitLabel, layOutIcicle } from './icicle.ts';
import { escapedMarkup } from './markup.ts';
import { PICTURE_STYLE, PICTURE_THEMES, shadeOf } from './picture-colors.ts';

const node = (text: string, own: number, parts: readonly CostNode[] = [], total?: bigint): CostNode => ({
  text,
  own: BigInt(own),
  total: total ?? parts.reduce((sum, part) => sum + part.total, BigInt(own)),
  evaluations: 1n,
  parts,
});

describe('costNodes', () => {
  const range = (max: string) => ({ min: '0', max });
  const tree = {
    text: 'self.a == 1',
    line: 2,
    column: 3,
    estimate: { own: range('1'), total: range('18446744073709551615'), evaluations: '1' },
    actual: { own: 1, total: 2, evaluations: 1 },
    parts: [],
  };

  it('keeps estimates exact', () => {
    expect(costNodes(tree, 'estimate')).toEqual({
      text: 'self.a == 1',
      place: { line: 2, column: 3 },
      own: 1n,
      total: 18446744073709551615n,
      evaluations: 1n,
      parts: [],
    });
  });

  it('returns no tree of measured costs if there are no measurements', () => {
    expect(costNodes(tree, 'measured')?.total).toBe(2n);
    expect(costNodes({ ...tree, actual: undefined }, 'measured')).toBeUndefined();
  });
});

describe('layOutIcicle', () => {
  it("gives each part its share of its parent's width, in source order", () => {
    const root = node('root', 50, [node('a', 30, [node('a1', 10)]), node('b', 10)]);
    const { cells, height, leftOut } = layOutIcicle(root, { width: 1000, row: 20 });
    expect(cells.map(({ node: { text }, x, y, width }) => [text, x, y, width])).toEqual([
      ['root', 0, 0, 1000],
      ['a', 0, 20, 400],
      ['a1', 0, 40, 100],
      ['b', 400, 20, 100],
    ]);
    expect([height, leftOut]).toEqual([60, 0]);
    expect(cells.map(({ share, ownShare }) => [share, ownShare])).toEqual([
      [1, 0.5],
      [0.4, 0.3],
      [0.1, 0.1],
      [0.1, 0.1],
    ]);
  });

  it('gives both branches of a conditional a width if only the more expensive branch counts', () => {
    const root = node('c ? a : b', 0, [node('a', 60), node('b', 40)], 60n);
    const { cells } = layOutIcicle(root, { width: 100 });
    expect(cells.map(({ x, width }) => [x, width])).toEqual([
      [0, 100],
      [0, 60],
      [60, 40],
    ]);
  });

  it('omits boxes that are too narrow, with the parts inside them, and counts the omitted boxes', () => {
    const root = node('root', 1_000_000, [node('a', 1, [node('a1', 1)]), node('free', 0)]);
    const { cells, leftOut, height } = layOutIcicle(root, { width: 100, row: 10 });
    expect([cells.length, leftOut, height]).toEqual([1, 3, 10]);
  });

  it('draws a rule without cost as its root only', () => {
    expect(layOutIcicle(node('true', 0), { width: 100 }).cells).toMatchObject([{ width: 100, share: 0 }]);
  });

  it('limits the number of boxes for a hostile rule', () => {
    const wide = node(
      'root',
      0,
      Array.from({ length: 20_000 }, (_, i) => node(`p${i}`, 1)),
    );
    const { cells, leftOut } = layOutIcicle(wide, { width: 100_000 });
    expect([cells.length, leftOut]).toEqual([4000, 16_001]);
  });
});

describe('fitLabel', () => {
  it.each([
    ['self.list', 100, 'self.list'],
    ['self.list.all(x, x > 0)', 100, 'self.list.al…'],
    ['self\n  .list', 100, 'self .list'],
    ['漢字漢字漢字漢字', 100, '漢字漢字漢字…'],
    ['self.list', 15, undefined],
    ['', 15, ''],
  ])('fits %j into %d pixels', (text, pixels, label) => expect(fitLabel(text, pixels, 12)).toBe(label));
});

describe('drawIcicle', () => {
  const hostile = node(`self == '</title><script>alert("1")</script>' && x & y\u0000\u202e`, 3);

  it('escapes rules, and shortens labels with the full text in the tooltip', () => {
    const svg = drawIcicle(layOutIcicle(hostile, { width: 120 }), { title: 'a < b', id: 'rule-1' });
    expect(svg).toContain('<title id="rule-1-title">a &lt; b</title>');
    expect(svg).not.toMatch(/<script|\u0000|\u202e/);
    expect(svg).toContain('&lt;/title&gt;&lt;script&gt;alert(&quot;1&quot;)&lt;/script&gt;');
    expect(svg).toMatch(/<text [^>]*>self == [^<]*…<\/text>/);
    expect(svg).toContain('role="img"');
    expect(svg).toMatch(/<desc id="rule-1-text">The whole costs 3 units\. What costs most by itself: 100 % self ==/);
  });

  it('includes its style only if it is a separate file', () => {
    const icicle = layOutIcicle(node('a', 1), { width: 10 });
    expect(drawIcicle(icicle, { title: 't', id: 'i' })).not.toContain('<style>');
    expect(drawIcicle(icicle, { title: 't', id: 'i', alone: true })).toContain(PICTURE_STYLE);
  });
});

describe('the texts of the cost picture', () => {
  it('name the five most expensive parts', () => {
    const root = node(
      'root',
      0,
      Array.from({ length: 7 }, (_, i) => node(`p${i}`, i)),
    );
    expect(costDescription(root)).toBe(
      'The whole costs 21 units. What costs most by itself: 29 % p6; 24 % p5; 19 % p4; 14 % p3; 9.5 % p2.',
    );
  });

  it('replace characters that XML does not allow', () => expect(escapedMarkup('a\u0001\ud800b😀')).toBe('a\ufffd\ufffdb😀'));
});

describe('the colours of the cost picture', () => {
  const luminance = (color: string): number => {
    const [r = 0, g = 0, b = 0] = [1, 3, 5].map((at) => {
      const part = Number.parseInt(color.slice(at, at + 2), 16) / 255;
      return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
    });
    return 0.2126 * r + 0.7152 * g + 0.0722 * b;
  };
  const contrast = (a: string, b: string): number => {
    const [dark = 0, light = 0] = [luminance(a), luminance(b)].toSorted((x, y) => x - y);
    return (light + 0.05) / (dark + 0.05);
  };

  it.each(Object.entries(PICTURE_THEMES))('of the %s theme have enough contrast', (_, { paper, ink, muted, shades }) => {
    for (const { fill, ink: on } of [...shades, { fill: paper, ink }, { fill: paper, ink: muted }])
      expect(contrast(fill, on)).toBeGreaterThanOrEqual(4.5);
    for (const [i, { fill }] of shades.entries()) if (i > 0) expect(contrast(fill, shades[i - 1]?.fill ?? fill)).toBeGreaterThan(1.12);
  });

  it('become stronger with the own cost of a part', () => expect([0, 0.02, 0.1, 0.3, 1].map(shadeOf)).toEqual([0, 1, 2, 3, 4]));
});
