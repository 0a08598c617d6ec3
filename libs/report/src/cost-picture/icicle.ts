import { grouped, roughPercent } from '#numbers';
import { costDescription } from './cost-node.ts';
import type { CostNode } from './cost-node.ts';
import { escapedMarkup } from './markup.ts';
import { PICTURE_STYLE, shadeOf } from './picture-colors.ts';

/**
 * Box that represents one part of a rule. Its width is the part's share of the cost, and the box is below the box of the part's parent. All
 * lengths are in pixels.
 */
export interface IcicleCell {
  readonly node: CostNode;
  /** Depth of the part in the tree; 0 for the root. */
  readonly depth: number;
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
  /** Total cost of the part as a share of the root's total, from 0 to 1. */
  readonly share: number;
  /** Cost of the part without its inner parts, as a share of the root's total, from 0 to 1. This share determines the colour of the box. */
  readonly ownShare: number;
}

/** Tree of costs, laid out as boxes. */
export interface Icicle {
  readonly width: number;
  readonly height: number;
  /** Boxes in depth-first order: each part comes before its inner parts, which are in source order. */
  readonly cells: readonly IcicleCell[];
  /**
   * Number of parts that are not drawn, including all parts inside them. A part is not drawn if it is too narrow, or if the picture has the
   * maximum number of boxes. Parts without a cost are also counted.
   */
  readonly leftOut: number;
}

/** Size of an icicle, in pixels. */
export interface IcicleSize {
  readonly width: number;
  /** Height of a row of boxes, in pixels. */
  readonly row?: number;
  /** Minimum width of a box, in pixels. Narrower boxes are left out. */
  readonly narrowest?: number;
}

/** Maximum number of boxes in total. If there are more parts, the deepest parts are left out. */
const MAX_CELLS = 4_000;

/**
 * Lays out a tree of costs as an icicle (boxes whose width shows the cost, with child boxes below their parent).
 *
 * The root has the full width. Each part has a share of its parent's width, from the left edge in source order. The rest at the right is
 * the parent's own cost. The inner parts and the own cost may add up to more than the parent's total. They then share the parent's width in
 * proportion. This occurs in estimates, because an estimate counts only the most expensive branch of a choice such as `a ? b : c`.
 */
export function layOutIcicle(root: CostNode, { width, row = 26, narrowest = 2 }: IcicleSize): Icicle {
  const cells: IcicleCell[] = [];
  let leftOut = 0;
  let depths = 1;
  // Places the boxes row by row, so that a limit on their number leaves out the deepest boxes.
  let level: { readonly node: CostNode; readonly x: number; readonly width: number }[] = [{ node: root, x: 0, width }];
  for (let depth = 0; level.length > 0; depth++) {
    const next: typeof level = [];
    for (const { node, x, width: own } of level) {
      if ((own < narrowest && depth > 0) || cells.length >= MAX_CELLS) {
        leftOut += countNodes(node);
        continue;
      }
      depths = depth + 1;
      cells.push({
        node,
        depth,
        x,
        y: depth * row,
        width: own,
        height: row,
        share: ratio(node.total, root.total),
        ownShare: ratio(node.own, root.total),
      });
      const inside = node.parts.reduce((sum, part) => sum + part.total, 0n);
      const whole = node.total > inside + node.own ? node.total : inside + node.own;
      let at = x;
      for (const part of node.parts) {
        const share = ratio(part.total, whole) * own;
        next.push({ node: part, x: at, width: share });
        at += share;
      }
    }
    level = next;
  }
  return { width, height: depths * row, cells: inSourceOrder(cells), leftOut };
}

/** Sorts cells from row order into depth-first order, so that each part is followed by the parts inside it. */
function inSourceOrder(cells: readonly IcicleCell[]): IcicleCell[] {
  const byNode = new Map(cells.map((cell) => [cell.node, cell]));
  const ordered: IcicleCell[] = [];
  const visit = (node: CostNode): void => {
    const cell = byNode.get(node);
    if (cell === undefined) return;
    ordered.push(cell);
    node.parts.forEach(visit);
  };
  const [root] = cells;
  if (root !== undefined) visit(root.node);
  return ordered;
}

function countNodes({ parts }: CostNode): number {
  return parts.reduce((sum, part) => sum + countNodes(part), 1);
}

/** Returns the quotient of two counts, at most 1. Returns 0 if `whole` is 0. */
function ratio(part: bigint, whole: bigint): number {
  return whole === 0n ? 0 : Math.min(1, Number(part) / Number(whole));
}

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
