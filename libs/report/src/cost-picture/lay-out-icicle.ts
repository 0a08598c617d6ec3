import type { CostNode } from './cost-node.ts';

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
  // The boxes are placed row by row, so that a limit on their number omits the deepest ones.
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
