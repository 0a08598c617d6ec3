import { addRanges, exactly, multiplyRanges } from '../../library/range.ts';
import { estimateNodes } from '../estimate.ts';
import { schemaSize } from '../value-path.ts';
import { Source } from '../../language/syntax/source.ts';
import { childrenOf } from '../../language/syntax/ast.ts';
import type { Expr } from '../../language/syntax/ast.ts';
import type { CheckedExpression } from '../../language/check/checked.ts';
import type { NodeEstimate } from '../node-estimate.ts';
import type { CostRange } from '../../library/range.ts';
import type { Environment } from '../../language/environment.ts';
import type { NodeReadings } from '../../engines/program.ts';
import type { DeclaredType } from '../../values/schema/declared-type.ts';
import { OPERATOR } from '../../library/names.ts';
import { Spans } from './spans.ts';
import type { TextSpan } from './spans.ts';

/** A part of an expression as the author wrote it, such as a call, a macro call or a path of fields. */
interface WrittenPart {
  readonly span: TextSpan;
  /** Parts directly inside this part, in source order. */
  readonly parts: readonly WrittenPart[];
}

/**
 * Subexpressions of a CEL expression as its author sees them (calls, macro calls, paths of fields). They form a tree, and are also indexed
 * by their offset in the source text.
 */
interface Parts {
  readonly root: WrittenPart;
  /** Parts by the position of their outermost node, as an offset in code points. */
  readonly at: ReadonlyMap<number, WrittenPart>;
}

/**
 * Divides an expression into the parts that an author would recognize. A macro call is one part without its expansion. A path of fields
 * (`self.spec.list`) and a chain of `&&` or of `||` are also one part each. Literals, which cost nothing, and the variables of a macro are
 * not parts.
 */
function partsOf(checked: CheckedExpression): Parts {
  const cutter = new PartCutter(checked);
  return { root: cutter.part(checked.root), at: cutter.at };
}

class PartCutter {
  readonly at = new Map<number, WrittenPart>();
  readonly #checked: CheckedExpression;
  readonly #spans: Spans;
  /** Checked nodes by id. They are needed because the stored call of a macro contains operands whose names the checker has not resolved. */
  readonly #nodes = new Map<number, Expr>();

  constructor(checked: CheckedExpression) {
    this.#checked = checked;
    this.#spans = new Spans(checked);
    const collect = (node: Expr): void => {
      this.#nodes.set(node.id, node);
      childrenOf(node).forEach(collect);
    };
    collect(checked.root);
  }

  part(node: Expr): WrittenPart {
    const parts = this.#inside(node)
      .filter(({ kind }) => kind !== 'constant')
      .map((inner) => this.part(inner))
      .sort((a, b) => a.span.start - b.span.start);
    const part = { span: this.#spans.of(node), parts };
    const offset = this.#checked.offsets.get(node.id);
    if (offset !== undefined) this.at.set(offset, part);
    return part;
  }

  /** Returns the root nodes of the parts that are directly inside the part of `node`. */
  #inside(node: Expr): readonly Expr[] {
    if (node.kind === 'select' && node.testOnly) return isPath(node.operand) ? [] : [node.operand];
    const macro = this.#checked.macroCalls.get(node.id);
    if (macro?.kind === 'call') return this.#macroOperands(node, macro.target === undefined ? macro.args : [macro.target, ...macro.args]);
    if (isPath(node)) return [];
    if (node.kind !== 'call') return childrenOf(node);
    const { function: name } = node;
    if (name !== OPERATOR.and && name !== OPERATOR.or) return childrenOf(node);
    return node.args.flatMap((term) => (term.kind === 'call' && term.function === name ? this.#inside(term) : [term]));
  }

  /** Returns the operands of a macro's call without the names of its variables: `self.list` and `x > 0` for `self.list.all(x, x > 0)`. */
  #macroOperands(expansion: Expr, operands: readonly Expr[]): Expr[] {
    const bound = this.#boundBy(expansion, this.#checked.offsets.get(expansion.id));
    return operands.flatMap((operand, index) => {
      if (index > 0 && operand.kind === 'ident' && bound.delete(operand.name)) return [];
      return this.#nodes.get(operand.id) ?? [];
    });
  }

  /**
   * Returns the variables that the comprehensions of a macro expansion bind. Comprehensions of nested macros are ignored. They are
   * recognized by their different source offset.
   */
  #boundBy(node: Expr, offset: number | undefined): Set<string> {
    const names = new Set<string>();
    const visit = (inner: Expr): void => {
      if (inner.kind === 'comprehension' && this.#checked.offsets.get(inner.id) === offset)
        for (const name of [inner.iterVar, inner.iterVar2, inner.accuVar]) if (name !== undefined) names.add(name);
      childrenOf(inner).forEach(visit);
    };
    visit(node);
    return names;
  }
}

/** Returns true if a node is a variable, or a path of fields that starts with a variable: `x`, `self.spec.list`, `self.?spec.?list`. */
function isPath(node: Expr): boolean {
  if (node.kind === 'select') return isPath(node.operand);
  return node.kind === 'call' && node.function === OPERATOR.optionalSelect ? isPath(node.args[0] as Expr) : node.kind === 'ident';
}

/**
 * Estimated cost of one part of a CEL expression, in one evaluation of the whole expression. The estimate is based on the schema. Cost
 * units are uint64 and saturate at 2^64−1.
 */
export interface PartEstimate {
  /** Cost of the part without the parts inside it. */
  readonly own: CostRange;
  /**
   * Cost of the part including the parts inside it, as in upstream's estimator. For a conditional, only the branch with the highest cost is
   * included.
   */
  readonly total: CostRange;
  /** Highest number of times that the part may be evaluated. */
  readonly evaluations: bigint;
}

/**
 * Measured cost of a part (subexpression) in one evaluation of the whole expression, in cost units. `own` excludes and `total` includes the
 * cost of the parts inside it.
 */
export interface PartMeasurement {
  readonly own: number;
  readonly total: number;
  /** Number of times that the part was evaluated. It is 0 if the evaluation skipped the part, or if planning already computed the part. */
  readonly evaluations: number;
}

/** Part of an expression, with its estimated and its measured cost. */
export interface CostedPart {
  /** Source text of the part, without its enclosing parentheses. */
  readonly text: string;
  /** Line of the position at which the text of the part starts, from 1. `column` is the column of this position in code points, from 1. */
  readonly line: number;
  readonly column: number;
  /** Position of the part's outermost node, in code points from 0. For a call, this is the position of its name or operator. */
  readonly offset: number;
  readonly estimate: PartEstimate;
  readonly actual: PartMeasurement | undefined;
  /** Parts directly inside this part, in source order. */
  readonly parts: readonly CostedPart[];
}

/** Inputs for the cost estimate of each part of a rule's expression. */
export interface PartSizes {
  /** Declared type of the variable `self`. */
  readonly self: DeclaredType;
  readonly environment: Environment;
}

/**
 * Calculates the estimated cost and, if `readings` is given, the measured cost of each part of an expression. A part is a subexpression as
 * the author wrote it, for example a macro call before its expansion.
 *
 * The total estimate of the root part equals the estimate of the whole expression. The measured costs of all parts, each without its inner
 * parts, add up to the cost of the evaluation.
 *
 * @param readings Costs and evaluations of each node of the syntax tree. An evaluation of this expression recorded them on `measured`, the
 * CEL engine that counts. If they are absent, the result contains only estimates.
 */
export function priceParts(checked: CheckedExpression, sizes: PartSizes, readings?: NodeReadings): CostedPart {
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

/** Sums over the nodes of one part: estimated costs, measured costs, and numbers of evaluations. */
class PartSum {
  own = FREE;
  total = FREE;
  evaluations = FREE;
  units = 0;
  times = 0;
}

/** Computes the sums of costs and counts for all parts of an expression. */
class PartTally {
  readonly sums = new Map<WrittenPart, PartSum>();
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

  of(part: WrittenPart): PartSum {
    const known = this.sums.get(part);
    if (known !== undefined) return known;
    const made = new PartSum();
    this.sums.set(part, made);
    return made;
  }

  /**
   * Adds a node and all nodes below it to the sums of their parts.
   *
   * A node is counted for the part at its position. If there is no part at this position, the node is counted for `around`. The nodes of a
   * macro's expansion have the position of the macro's call. Copies of an operand have the operand's position.
   *
   * @param times Estimated number of times that the node is evaluated.
   * @param around Part of the parent node.
   */
  visit(node: Expr, times: CostRange, around: WrittenPart | undefined): void {
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

  /**
   * Adds the recorded cost of a node to the part's sum. A node counts only once, even if it occurs several times in the tree, as in macro
   * expansions of older Kubernetes minor versions.
   */
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
  readonly offsets: ReadonlyMap<WrittenPart, number>;
  readonly measured: boolean;
}

function priced(part: WrittenPart, pricing: Pricing): CostedPart {
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
