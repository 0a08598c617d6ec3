import type { CostNode } from './cost-node.ts';

/** The box of a part: its width is the part's share of the cost, and it is below the box of its parent. Lengths are pixels. */
export interface IcicleCell {
  readonly node: CostNode;
  /** 0 for the root. */
  readonly depth: number;
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
  /** Its total as a share of the root's, 0 to 1. */
  readonly share: number;
  /** Cost without the parts inside it, as a share of the root's total, 0 to 1. It chooses the colour of the box. */
  readonly ownShare: number;
}

/** A tree of costs as boxes. */
export interface Icicle {
  readonly width: number;
  readonly height: number;
  /** From the root downwards, parts before what is inside them, in source order. */
  readonly cells: readonly IcicleCell[];
  /** Parts that are too narrow to be drawn, with all parts inside them. Parts without a cost are among them. */
  readonly leftOut: number;
}

/** The size of an icicle, pixels. */
export interface IcicleSize {
  readonly width: number;
  /** Height of a row of boxes. */
  readonly row?: number;
  /** Boxes narrower than this are left out. */
  readonly narrowest?: number;
}

/** Boxes at all; the widest parts come first where there are more. */
const MOST_CELLS = 4_000;

/**
 * Lays a tree of costs out as an icicle. The root has the whole width, and each part has a share of its parent's width, from the
 * left edge on in source order. The rest at the right is the parent's own cost. If the estimates of parts add up to more than their
 * whole (only the dearer branch of a choice counts), they share its width.
 */
export function layOutIcicle(root: CostNode, { width, row = 26, narrowest = 2 }: IcicleSize): Icicle {
  const cells: IcicleCell[] = [];
  let leftOut = 0;
  let depths = 1;
  // Row by row, so that a bound on boxes leaves out the deepest.
  let level: { readonly node: CostNode; readonly x: number; readonly width: number }[] = [{ node: root, x: 0, width }];
  for (let depth = 0; level.length > 0; depth++) {
    const next: typeof level = [];
    for (const { node, x, width: own } of level) {
      if ((own < narrowest && depth > 0) || cells.length >= MOST_CELLS) {
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

/** Cells of a row come from left to right; readers want a part, then what is inside it. */
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

/** Quotient of two counts, at most 1; 0 of nothing. */
function ratio(part: bigint, whole: bigint): number {
  return whole === 0n ? 0 : Math.min(1, Number(part) / Number(whole));
}
