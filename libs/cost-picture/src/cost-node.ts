/** A part of a rule with what it costs, as a picture needs it. Units are exact: estimates reach 2^64 - 1, where they saturate. */
export interface CostNode {
  /** Source text of the part; it may have been shortened. */
  readonly text: string;
  /** The place of the text in the rule, from 1, columns in code points; undefined for a node above rules. */
  readonly place?: { readonly line: number; readonly column: number };
  /** Cost units of the part without the parts inside it. */
  readonly own: bigint;
  /** Cost units with them. In an estimate only the dearer branch of a choice is counted, so that parts inside may sum up to more. */
  readonly total: bigint;
  /** The most evaluations; undefined if nothing bounds them. */
  readonly evaluations: bigint | undefined;
  /** Parts inside it, in source order. */
  readonly parts: readonly CostNode[];
}

/** A uint64, as the engine has it or as it travels: decimal text. */
type Units = bigint | string;

/** The least and the most that a part may cost. */
interface UnitRange {
  readonly max: Units;
}

/** A part of a rule with its prices, as `explain` of the engine and of the service answer it. */
export interface PricedTree {
  readonly text: string;
  readonly line: number;
  readonly column: number;
  readonly estimate: { readonly own: UnitRange; readonly total: UnitRange; readonly evaluations: Units };
  /** Undefined where nothing was measured. */
  readonly actual?: { readonly own: number; readonly total: number; readonly evaluations: number } | undefined;
  readonly parts: readonly PricedTree[];
}

/** The prices by which a tree is drawn: the most that the schema allows, or the cost of the dearest evaluation. */
export type PriceKind = 'estimate' | 'measured';

/** Takes one kind of prices out of a tree; undefined if the tree has no such prices. */
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
