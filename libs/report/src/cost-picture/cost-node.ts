import { grouped, roughPercent } from '#numbers';

/** Part of a rule with its costs, in the form that a picture needs. Costs are bigints, because an estimate can be as high as 2^64 - 1. */
export interface CostNode {
  /** Source text of the part. It may have been shortened. */
  readonly text: string;
  /** Position of the text in the rule. Lines and columns count from 1, columns in code points. Undefined for a node that groups rules. */
  readonly place?: { readonly line: number; readonly column: number };
  /** Cost units of the part without the parts inside it. */
  readonly own: bigint;
  /**
   * Cost units of the part including the parts inside it. In an estimate, only the most expensive branch of a choice counts. Therefore the
   * sum of the inner parts may exceed this cost.
   */
  readonly total: bigint;
  /** Highest number of evaluations of the part; undefined if there is no upper bound. */
  readonly evaluations: bigint | undefined;
  /** Parts directly inside this part, in source order. */
  readonly parts: readonly CostNode[];
}

/** Number of type uint64: a bigint in the engine, or decimal text in JSON. */
type Units = bigint | string;

/** Range of a part's cost. Only the maximum of the range is needed. */
interface UnitRange {
  readonly max: Units;
}

/** Part of a rule with its costs, as `explain` of the engine and of the service returns it. */
export interface PricedTree {
  readonly text: string;
  readonly line: number;
  readonly column: number;
  readonly estimate: { readonly own: UnitRange; readonly total: UnitRange; readonly evaluations: Units };
  /** Measured cost; undefined if nothing was measured. */
  readonly actual?: { readonly own: number; readonly total: number; readonly evaluations: number } | undefined;
  readonly parts: readonly PricedTree[];
}

/** Kind of costs that a picture shows: the maximum that the schema allows, or the cost of the most expensive measured evaluation. */
export type PriceKind = 'estimate' | 'measured';

/**
 * Converts a rule's tree of parts to the tree of nodes that a cost picture draws, and returns the root. The nodes have either the estimated
 * or the measured costs, as `kind` says. Returns undefined if measured costs are requested and nothing was measured.
 */
export function costNodes(tree: PricedTree, kind: PriceKind): CostNode | undefined {
  if (kind === 'estimate') return estimated(tree);
  return tree.actual === undefined ? undefined : measured(tree);
}

function estimated({ text, line, column, estimate, parts }: PricedTree): CostNode {
  return {
    text,
    place: { line, column },
    own: BigInt(estimate.own.max),
    total: BigInt(estimate.total.max),
    evaluations: BigInt(estimate.evaluations),
    parts: parts.map(estimated),
  };
}

function measured({ text, line, column, actual, parts }: PricedTree): CostNode {
  return {
    text,
    place: { line, column },
    own: BigInt(actual?.own ?? 0),
    total: BigInt(actual?.total ?? 0),
    evaluations: BigInt(actual?.evaluations ?? 0),
    parts: parts.map(measured),
  };
}

/** Number of parts that a description names. */
const NAMED = 5;
/** Maximum number of characters of a part's text in a description. */
const NAMED_LENGTH = 80;

/** Returns the text alternative of a picture for readers who cannot see it: the total cost, and the parts with the highest own costs. */
export function costDescription(root: CostNode): string {
  const parts = costliestParts(root).slice(0, NAMED);
  const named = parts.map(({ node, share }) => `${roughPercent(share)} ${shortened(node.text)}`);
  const whole = `The whole costs ${grouped(root.total)} units.`;
  return named.length === 0 ? whole : `${whole} What costs most by itself: ${named.join('; ')}.`;
}

/**
 * Returns the parts of an expression whose own cost (cost without the parts inside them) is above zero, the most expensive first. `share`
 * is a part's own cost divided by the root's total cost, from 0 to 1.
 */
export function costliestParts(root: CostNode): readonly { readonly node: CostNode; readonly share: number }[] {
  const all: CostNode[] = [];
  const visit = (node: CostNode): void => {
    if (node.own > 0n) all.push(node);
    node.parts.forEach(visit);
  };
  visit(root);
  const share = ({ own }: CostNode): number => (root.total === 0n ? 0 : Math.min(1, Number(own) / Number(root.total)));
  return all.toSorted((a, b) => (b.own > a.own ? 1 : b.own < a.own ? -1 : 0)).map((node) => ({ node, share: share(node) }));
}

function shortened(text: string): string {
  const characters = [...text.replace(/\s+/g, ' ').trim()];
  return characters.length <= NAMED_LENGTH ? characters.join('') : `${characters.slice(0, NAMED_LENGTH - 1).join('')}…`;
}
