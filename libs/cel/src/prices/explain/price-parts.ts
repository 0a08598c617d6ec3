import { addRanges, exactly, multiplyRanges } from '../../library/range.ts';
import { estimateNodes } from '../estimate.ts';
import { schemaSize } from '../schema-size.ts';
import { Source } from '../../language/syntax/source.ts';
import { childrenOf } from '../../language/validate/walk.ts';
import { partsOf } from './parts.ts';
import type { Part, Parts } from './parts.ts';
import type { CheckedExpression } from '../../language/check/checked.ts';
import type { NodeEstimate } from '../estimate.ts';
import type { CostRange } from '../../library/range.ts';
import type { Environment } from '../../language/environment.ts';
import type { NodeReadings } from '../../engines/program.ts';
import type { DeclaredType } from '../../values/schema/declared-type.ts';
import type { Expr } from '../../language/syntax/ast.ts';

/** The estimated cost of a part in one evaluation of the expression, by the schema. Units are uint64, saturating. */
export interface PartEstimate {
  /** The part without the parts inside it. */
  readonly own: CostRange;
  /** With them, as upstream's estimator counts: of the branches of a choice only the dearer one. */
  readonly total: CostRange;
  /** Highest number of its evaluations. */
  readonly evaluations: bigint;
}

/** The measured cost of a part in one evaluation of the expression. */
export interface PartReading {
  readonly own: number;
  readonly total: number;
  /** Number of its evaluations; 0 if the evaluation did not reach it, or if planning computed it. */
  readonly evaluations: number;
}

/** A part of an expression with its price. */
export interface PricedPart {
  /** Its source text, without the parentheses around it. */
  readonly text: string;
  /** Start of the text; both from 1, columns in code points. */
  readonly line: number;
  readonly column: number;
  /** Position of its outermost node, in code points from 0; for a call the position of its name or operator. */
  readonly offset: number;
  readonly estimate: PartEstimate;
  readonly actual: PartReading | undefined;
  /** Parts inside it, in source order. */
  readonly parts: readonly PricedPart[];
}

/** The inputs for estimating prices. */
export interface PartSizes {
  /** What `self` is. */
  readonly self: DeclaredType;
  readonly environment: Environment;
}

/**
 * Prices the parts of an expression as its author wrote them. The root's total estimate is the expression's; the own costs that `readings`
 * give to all parts sum up to the cost of that evaluation.
 *
 * @param readings what an evaluation by a program of the engine `measured` gave, of this text
 */
export function priceParts(checked: CheckedExpression, sizes: PartSizes, readings?: NodeReadings): PricedPart {
  const { self, environment } = sizes;
  const estimates = estimateNodes(checked, { sizeAt: (path) => schemaSize(self, path), costs: environment.costs });
  const parts = partsOf(checked);
  const tally = new PartTally(checked, parts, estimates, readings);
  tally.visit(checked.root, exactly(1n), undefined);
  const source = new Source(checked.source);
  const offsets = new Map([...parts.at].map(([offset, part]) => [part, offset]));
  return priced(parts.root, { source, codePoints: [...checked.source], tally, offsets, measured: readings !== undefined });
}

const FREE = exactly(0n);

/** Sums of one part. */
class PartSum {
  own = FREE;
  total = FREE;
  evaluations = FREE;
  units = 0;
  times = 0;
}

/** Adds up the nodes of each part. */
class PartTally {
  readonly sums = new Map<Part, PartSum>();
  readonly #checked: CheckedExpression;
  readonly #parts: Parts;
  readonly #estimates: ReadonlyMap<number, NodeEstimate>;
  readonly #readings: NodeReadings | undefined;
  readonly #counted = new Set<number>();

  constructor(checked: CheckedExpression, parts: Parts, estimates: ReadonlyMap<number, NodeEstimate>, readings: NodeReadings | undefined) {
    this.#checked = checked;
    this.#parts = parts;
    this.#estimates = estimates;
    this.#readings = readings;
  }

  of(part: Part): PartSum {
    const known = this.sums.get(part);
    if (known !== undefined) return known;
    const made = new PartSum();
    this.sums.set(part, made);
    return made;
  }

  /**
   * Adds a node and all nodes below it. A node belongs to the part at its position, else to the part around it. The
   * nodes of a macro's expansion have the position of the macro's call, and copies of an operand have the operand's
   * position.
   *
   * @param times number of its evaluations, by estimate
   * @param around the part of the node above
   */
  visit(node: Expr, times: CostRange, around: Part | undefined): void {
    const offset = this.#checked.offsets.get(node.id);
    const part = (offset === undefined ? undefined : this.#parts.at.get(offset)) ?? around ?? this.#parts.root;
    const sum = this.of(part);
    const estimate = this.#estimates.get(node.id);
    if (estimate !== undefined) sum.own = addRanges(sum.own, multiplyRanges(times, estimate.own));
    if (part !== around && estimate !== undefined) {
      sum.total = addRanges(sum.total, multiplyRanges(times, estimate.total));
      sum.evaluations = addRanges(sum.evaluations, times);
    }
    this.#read(node.id, sum, part !== around);
    if (node.kind === 'comprehension') {
      const each = multiplyRanges(times, estimate?.iterations ?? FREE);
      for (const once of [node.iterRange, node.accuInit, node.result]) this.visit(once, times, part);
      for (const step of [node.loopCondition, node.loopStep]) this.visit(step, each, part);
    } else for (const child of childrenOf(node)) this.visit(child, times, part);
  }

  /** Counts what was read of a node; once, also if it stands at several places, as nodes of macros of older minors do. */
  #read(node: number, sum: PartSum, outermost: boolean): void {
    if (this.#readings === undefined || this.#counted.has(node)) return;
    this.#counted.add(node);
    sum.units += this.#readings.costs.get(node) ?? 0;
    if (outermost) sum.times += this.#readings.evaluations.get(node) ?? 0;
  }
}

interface Pricing {
  readonly source: Source;
  readonly codePoints: readonly string[];
  readonly tally: PartTally;
  readonly offsets: ReadonlyMap<Part, number>;
  readonly measured: boolean;
}

function priced(part: Part, pricing: Pricing): PricedPart {
  const { start, end } = part.span;
  const { own, total, evaluations, units, times } = pricing.tally.of(part);
  const parts = part.parts.map((inner) => priced(inner, pricing));
  const { line, column } = pricing.source.locate(start);
  const inside = parts.reduce((sum, inner) => sum + (inner.actual?.total ?? 0), 0);
  return {
    text: pricing.codePoints.slice(start, end).join(''),
    line,
    column: column + 1,
    offset: pricing.offsets.get(part) ?? start,
    estimate: { own, total, evaluations: evaluations.max },
    actual: pricing.measured ? { own: units, total: units + inside, evaluations: times } : undefined,
    parts,
  };
}
