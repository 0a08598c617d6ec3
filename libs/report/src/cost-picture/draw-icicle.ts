import { grouped, roughPercent } from '#numbers';
import type { CostNode } from './cost-node.ts';
import { costDescription } from './cost-words.ts';
import type { Icicle, IcicleCell } from './lay-out-icicle.ts';
import { escapedMarkup } from './markup.ts';
import { PICTURE_STYLE, shadeOf } from './picture-colors.ts';

/** Options for drawing a picture of a rule's cost: the title, the id, and if the picture is a separate file. */
export interface PictureOptions {
  /** Title of the picture, which readers see first. */
  readonly title: string;
  /** Id of the picture, unique in the page. It consists of letters, digits and hyphens. */
  readonly id: string;
  /** True if the picture is a separate file with its own style sheet. A page contains {@link PICTURE_STYLE} once for all pictures. */
  readonly alone?: boolean;
}

const FONT_SIZE = 12;
/** Distance between the edge of a box and its label, in pixels. */
const PADDING = 6;

/**
 * Returns an icicle chart of a rule's cost as SVG text. Assistive technology presents it as one image with a title and a description. Each
 * box represents a part of the rule, and has a tooltip with the part's full text and cost.
 */
export function drawIcicle({ width, height, cells }: Icicle, { title, id, alone = false }: PictureOptions): string {
  const [root] = cells;
  const description = root === undefined ? '' : costDescription(root.node);
  const head = [
    `<svg xmlns="http://www.w3.org/2000/svg" class="cost-picture" role="img" aria-labelledby="${id}-title" aria-describedby="${id}-text"`,
    ` viewBox="0 0 ${pixels(width)} ${pixels(height)}" width="${pixels(width)}" height="${pixels(height)}">`,
    `<title id="${id}-title">${escapedMarkup(title)}</title><desc id="${id}-text">${escapedMarkup(description)}</desc>`,
    ...(alone ? [`<style>${escapedStyle(`${PICTURE_STYLE}\nsvg.cost-picture{background:var(--picture-paper)}`)}</style>`] : []),
  ];
  return `${head.join('')}${cells.map(drawnCell).join('')}</svg>`;
}

function drawnCell({ node, x, y, width, height, share, ownShare }: IcicleCell): string {
  const label = fitLabel(node.text, width - 2 * PADDING, FONT_SIZE);
  const at = node.place === undefined ? '' : `line ${node.place.line}, column ${node.place.column}\n`;
  const tooltip = `${node.text}\n${at}${grouped(node.total)} units (${roughPercent(share)}), by itself ${grouped(node.own)} (${roughPercent(ownShare)}); ${evaluationsText(node)}`;
  return [
    `<g class="shade-${shadeOf(ownShare)}"><title>${escapedMarkup(tooltip)}</title>`,
    `<rect x="${pixels(x)}" y="${pixels(y)}" width="${pixels(width)}" height="${pixels(height)}"/>`,
    ...(label === undefined || label === ''
      ? []
      : [
          `<text x="${pixels(x + PADDING)}" y="${pixels(y + height / 2 + FONT_SIZE * 0.35)}" font-size="${FONT_SIZE}">${escapedMarkup(label)}</text>`,
        ]),
    '</g>',
  ].join('');
}

function evaluationsText({ evaluations }: CostNode): string {
  if (evaluations === undefined) return 'evaluated without a bound';
  return `evaluated ${grouped(evaluations)} ${evaluations === 1n ? 'time' : 'times'}`;
}

const pixels = (length: number): string => String(Math.round(length * 100) / 100);

/**
 * Returns a style sheet in a form that is safe as content of a style element. Only `<` is escaped, because only a closing tag could end the
 * element early.
 */
const escapedStyle = (style: string): string => style.replaceAll('<', '\\3c ');

/** Width of a character in a monospace font, as a share of the font size. The widest of the common fonts has 0.61. */
const ADVANCE = 0.62;
/** Characters that take two columns: Hangul, kana, ideographs, full-width forms, emoji. */
const WIDE =
  /[\u1100-\u115f\u2e80-\u303e\u3041-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60\uffe0-\uffe6\u{1f300}-\u{1faff}\u{20000}-\u{3fffd}]/u;
/** Minimum number of columns of a label. A shorter label would not be readable. */
const MIN_COLUMNS = 3;

const columnsOf = (character: string): number => (WIDE.test(character) ? 2 : 1);

/**
 * Returns a label that fits into a line of the given width, in a monospace font of `fontSize` pixels. A text that is too long is cut and
 * ends in `…`. Returns undefined if the text is too long and the line has room for fewer than three characters of normal width.
 */
export function fitLabel(text: string, pixels: number, fontSize: number): string | undefined {
  const room = Math.floor(pixels / (ADVANCE * fontSize));
  const characters = [...text.replace(/\s+/g, ' ').trim()];
  const whole = characters.reduce((sum, character) => sum + columnsOf(character), 0);
  if (whole <= room) return characters.join('');
  if (room < MIN_COLUMNS) return undefined;
  let left = room - 1;
  const kept = characters.slice(
    0,
    characters.findIndex((character) => (left -= columnsOf(character)) < 0),
  );
  return `${kept.join('').trimEnd()}…`;
}
