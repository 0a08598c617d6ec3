import type { Chart } from './chart.ts';
import { keyEntries } from './chart-figure.ts';
import type { KeyEntry } from './chart-figure.ts';
import { draw } from './draw/draw.ts';
import { color as themeColor, WIDTHS } from './draw/frame.ts';
import { textWidth } from './draw/text-width.ts';
import { DRAWING_STYLE, FONTS } from './theme.ts';
import { escapedMarkup } from '../cost-picture/markup.ts';

/**
 * Dimensions of the key in pixels. `above` is the padding above and below, `line` the height of a line, and `square` the size of the square
 * before a name. `gap` is the space between entries, and `margin` the space at the left and right edges.
 */
const KEY = { above: 6, line: 19, square: 11, gap: 18, margin: 10 } as const;

/** Style of the root element of a self-contained drawing. In a page, the page's style sheet sets these properties. */
const ROOT_STYLE = `background:none;font-family:${FONTS.replaceAll("'", '')};font-size:12px;overflow:visible`;

/** Returns a chart as a self-contained SVG file, with the page's colours and fonts and a legend that names every series. */
export function standaloneChart(chart: Chart): string {
  const svg = draw(chart, 'wide', { labelledBy: 'title', describedBy: 'reading' });
  const height = Number(/ height="([\d.]+)"/.exec(svg)?.[1] ?? 0);
  const key = drawnKey(keyEntries(chart), height);
  const whole = height + key.height;
  return svg
    .replace(/ aria-(?:labelledby|describedby)="[^"]*"/g, '')
    .replace(/ viewBox="[^"]*"/, ` style="${ROOT_STYLE}" viewBox="0 0 ${WIDTHS.wide} ${whole}"`)
    .replace(/ height="[\d.]+"/, ` height="${whole}"`)
    .replace(/^(<svg[^>]*>)/, `$1${DRAWING_STYLE}`)
    .replace(/<\/svg>\s*$/, `${key.text}</svg>`);
}

/** Draws the key below a drawing. The names follow one another and are wrapped into as many lines as they need. */
function drawnKey(entries: readonly KeyEntry[], top: number): { readonly text: string; readonly height: number } {
  if (entries.length === 0) return { text: '', height: 0 };
  let [x, line] = [KEY.margin, 0];
  const parts = entries.map(({ name, color }) => {
    const width = KEY.square + 6 + textWidth(name);
    if (x > KEY.margin && x + width > WIDTHS.wide - KEY.margin) [x, line] = [KEY.margin, line + 1];
    const y = top + KEY.above + line * KEY.line;
    const at = x;
    x += width + KEY.gap;
    return `<rect x="${at.toFixed(1)}" y="${y + 3}" width="${KEY.square}" height="${KEY.square}" rx="3" fill="${themeColor(color)}"/><text x="${(at + KEY.square + 6).toFixed(1)}" y="${y + 13}">${escapedMarkup(name)}</text>`;
  });
  return {
    text: `<g class="key" font-size="12" text-anchor="start" fill="var(--ink)">${parts.join('')}</g>`,
    height: KEY.above + (line + 1) * KEY.line + KEY.margin,
  };
}
