import type { CostNode } from './cost-node.ts';
import { costDescription, groupedDigits, percentText } from './cost-words.ts';
import { fitLabel } from './fit-label.ts';
import type { Icicle, IcicleCell } from './lay-out-icicle.ts';
import { escapedMarkup } from './markup.ts';
import { PICTURE_STYLE, shadeOf } from './picture-colors.ts';

/** The name and the use of a picture. */
export interface PictureOptions {
  /** The title, which readers see first. */
  readonly title: string;
  /** Unlike the ids of other pictures in the page: letters, digits and hyphens. */
  readonly id: string;
  /** True if the picture is a file of its own, with its own style sheet. A page has {@link PICTURE_STYLE} once. */
  readonly alone?: boolean;
}

const FONT_SIZE = 12;
/** Between the edge of a box and its label, pixels. */
const PADDING = 6;

/** Returns an icicle as SVG text. Assistive technology sees one image with a title and a description; each box has its whole text and price as a tooltip. */
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
  const tooltip = `${node.text}\n${at}${groupedDigits(node.total)} units (${percentText(share)}), by itself ${groupedDigits(node.own)} (${percentText(ownShare)}); ${evaluationsText(node)}`;
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
  return `evaluated ${groupedDigits(evaluations)} ${evaluations === 1n ? 'time' : 'times'}`;
}

const pixels = (length: number): string => String(Math.round(length * 100) / 100);

/** Returns the style sheet as content of a style element. It is ours; only the end of the element would matter. */
const escapedStyle = (style: string): string => style.replaceAll('<', '\\3c ');
