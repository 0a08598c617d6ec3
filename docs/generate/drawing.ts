import { COLORS, FONTS } from '../../libs/report/src/charts/theme.ts';
import { escapedMarkup } from '#report';
import { PICTURE_FONTS } from '../../libs/report/src/cost-picture/picture-colors.ts';

/** A box with a name and lines of text. */
export interface Box {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
  readonly name: string;
  readonly lines?: readonly string[];
  /** Style of the box. `area`: encloses other boxes. `outside`: is not part of the process or program that the picture shows. */
  readonly kind?: 'area' | 'outside';
}

/** An arrow that is drawn along a sequence of points. */
export interface Arrow {
  readonly points: readonly (readonly [x: number, y: number])[];
  readonly label?: string;
  /** Position at which the first character of the label starts. */
  readonly labelAt?: readonly [x: number, y: number];
  readonly dashed?: boolean;
}

/** A picture of boxes and arrows. */
export interface Drawing {
  readonly title: string;
  readonly description: string;
  readonly width: number;
  readonly height: number;
  readonly boxes: readonly Box[];
  readonly arrows: readonly Arrow[];
}

const variables = (shade: 0 | 1): string =>
  ['paper', 'ink', 'muted', 'faint', 'panel', 'assay'].map((name) => `--${name}:${COLORS[name]?.[shade]}`).join(';');
const STYLE = [
  `:root{${variables(0)}}@media(prefers-color-scheme:dark){:root{${variables(1)}}}`,
  `svg{background:var(--paper);font-family:${FONTS.replaceAll("'", '')};font-size:12px}`,
  'rect{fill:var(--panel);stroke:var(--faint)}.area rect{fill:none;stroke-dasharray:2 3}.outside rect{stroke-dasharray:5 3}',
  `.name{fill:var(--ink);font-weight:600}.box .name{font-family:${PICTURE_FONTS.code.replaceAll("'", '')}}.line,.label{fill:var(--muted)}`,
  'path{fill:none;stroke:var(--assay);stroke-width:1.5}.dashed{stroke-dasharray:5 4}.tip{fill:var(--assay);stroke:none}',
].join('');
const LINE = 16;

/** Returns a drawing as an SVG file. Its colours follow the light or dark mode of the reader's system. */
export function svgOf({ title, description, width, height, boxes, arrows }: Drawing): string {
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" role="img" aria-labelledby="title" aria-describedby="text" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}">`,
    `<title id="title">${escapedMarkup(title)}</title><desc id="text">${escapedMarkup(description)}</desc><style>${STYLE}</style>`,
    '<defs><marker id="tip" viewBox="0 0 8 8" refX="7" refY="4" markerWidth="8" markerHeight="8" orient="auto"><path class="tip" d="M0 0L8 4L0 8z"/></marker></defs>',
    ...boxes.map(boxMarkup),
    ...arrows.map(arrowMarkup),
    '</svg>\n',
  ].join('\n');
}

function boxMarkup({ x, y, width, height, name, lines = [], kind }: Box): string {
  const texts = [name, ...lines].map((line, i) => {
    const kindOfText = i === 0 ? 'name' : 'line';
    return `<text class="${kindOfText}" x="${x + 10}" y="${y + 20 + i * LINE}">${escapedMarkup(line)}</text>`;
  });
  return `<g class="${kind ?? 'box'}"><rect x="${x}" y="${y}" width="${width}" height="${height}" rx="6"/>${texts.join('')}</g>`;
}

function arrowMarkup({ points, label, labelAt, dashed = false }: Arrow): string {
  const path = points.map(([x, y], i) => `${i === 0 ? 'M' : 'L'}${x} ${y}`).join('');
  const [x, y] = labelAt ?? [0, 0];
  const text = label === undefined ? '' : `<text class="label" x="${x}" y="${y}">${escapedMarkup(label)}</text>`;
  return `<path${dashed ? ' class="dashed"' : ''} d="${path}" marker-end="url(#tip)"/>${text}`;
}
