import { describe, expect, it } from 'vitest';
import { chartFigure, keyEntries } from './chart-figure.ts';
import { chartSchema } from './chart.ts';
import { draw } from './draw/draw.ts';
import { markup, prose, tableMarkup } from './markup.ts';
import { standaloneChart } from './standalone.ts';
import { CHARTS } from './testing/charts.ts';
import { escapedMarkup } from '../cost-picture/markup.ts';

describe('charts', () => {
  it.each(CHARTS)('of kind $kind can be drawn wide and narrow, with the same bytes each time', (chart) => {
    const names = { labelledBy: 'heading', describedBy: 'reading' };
    for (const width of ['wide', 'narrow'] as const) {
      const svg = draw(chart, width, names);
      expect(svg).toBe(draw(chart, width, names));
      expect(svg).toContain('aria-labelledby="heading"');
      expect(svg).not.toMatch(/NaN|undefined|Infinity/);
      expect(svg).not.toContain('<b>');
    }
    expect(standaloneChart(chart)).toMatch(/^<svg[^>]*font-family:system-ui,[^>]*sans-serif[^>]*><style>/);
    for (const { name } of keyEntries(chart)) expect(standaloneChart(chart)).toContain(`>${escapedMarkup(name)}</text>`);
  });

  it.each(CHARTS)('of kind $kind satisfy the schema of stored charts', (chart) => expect(chartSchema.parse(chart)).toEqual(chart));

  it.each(CHARTS)('of kind $kind have accessible labels and escaped texts in a page', (chart) => {
    const { text } = chartFigure(chart, { prefix: 'r1', widths: ['wide', 'narrow'] });
    expect(text.match(/<svg/g)).toHaveLength(2);
    const ids = [...text.matchAll(/ id="([^"]*)"/g)].map(([, id]) => id);
    for (const [, id] of text.matchAll(/aria-(?:labelledby|describedby)="([^"]*)"/g)) expect(ids).toContain(id);
    expect(text).toContain('Found &lt;this&gt; &amp; that');
    expect(text).toContain('what <code>is</code> drawn');
    if (chart.kind !== 'cloud') expect(text).not.toContain(' style=');
  });

  it('keep every tick of the axes when a page makes the drawing compact', () => {
    const [chart] = CHARTS;
    if (chart === undefined) throw new Error('there is no chart');
    const names = { labelledBy: 'r1-scaling-title', describedBy: 'r1-scaling-reading' };
    const ticks = [...draw(chart, 'wide', names).matchAll(/d="M0,0L0,3" transform="translate\(([\d.]+),([\d.]+)\)"/g)];
    const { text } = chartFigure(chart, { prefix: 'r1', widths: ['wide'] });
    expect(ticks.length).toBeGreaterThan(10);
    expect(text).toContain(`<path d="${ticks.map(([, x, y]) => `M${x},${y}v3`).join('')}" />`);
    expect(text).not.toMatch(/M0,0L0,3|<text [^>]*\/>/);
  });

  it('scroll in narrow windows if they are drawn in one width only', () => {
    const [chart] = CHARTS;
    if (chart === undefined) throw new Error('there is no chart');
    const { text } = chartFigure(chart, { prefix: 'r1', widths: ['wide'] });
    expect(text.match(/<svg/g)).toHaveLength(1);
    expect(text).toContain('<div class="scroll" tabindex="0" role="region" aria-labelledby="r1-scaling-title"><svg');
  });
});

describe('generated HTML', () => {
  it('escapes texts, and joins lists of markup', () => {
    const items = ['<a>', 'b & c'].map((text) => markup`<li title="${text}">${text}</li>`);
    expect(markup`<ul>${items}</ul>${1}`.text).toBe('<ul><li title="&lt;a&gt;">&lt;a&gt;</li><li title="b &amp; c">b &amp; c</li></ul>1');
    expect(prose('see `a<b`, <i>').text).toBe('see <code>a&lt;b</code>, &lt;i&gt;');
  });

  it('aligns columns of numbers to the right, and does not escape the markup of cells', () => {
    const { text } = tableMarkup({
      title: '',
      columns: ['case', 'n'],
      rows: [
        ['<x>', '12'],
        [markup`<b>y</b>`, 'not measured'],
      ],
    });
    expect(text).toContain('<th scope="col">case</th><th scope="col" class="figure">n</th>');
    expect(text).toContain('<tr><td>&lt;x&gt;</td><td class="figure">12</td></tr><tr><td><b>y</b></td>');
  });
});
