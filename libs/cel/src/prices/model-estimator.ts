import { EXPANSION, isAccumulator, OPERATOR } from '../library/names.ts';
import { CALL_COST, CHAIN_COST, FREE, LIST_COST, MAP_COST, MESSAGE_COST, ONE, STEP_COST } from '../library/step-prices.ts';
import { addRanges, MAX_UNITS, multiplyRanges, unionOfKnown, unionRanges, UNKNOWN_SIZE } from '../library/range.ts';
import { typeParameters } from '../values/types/type.ts';
import { ModelSizes } from './model-sizes.ts';
import { indexStep, PATH_STEP, ValuePath } from './value-path.ts';
import type { CheckedExpression } from '../language/check/checked.ts';
import type { EstimatedOperand, Overload } from '../library/define.ts';
import { isBinding } from '../language/syntax/macro-folds.ts';
import type { CallExpr, ComprehensionExpr, Expr, SelectExpr } from '../language/syntax/ast.ts';
import type { CostRange, SizeRange } from '../library/range.ts';
import { entrySizes } from './node-estimate.ts';
import type { EstimateOptions, NodeEstimate } from './node-estimate.ts';

/** Estimated cost of a call if a certain overload is called. */
interface OverloadEstimate {
  readonly own: CostRange;
  readonly total: CostRange;
  readonly size: SizeRange | undefined;
}

/**
 * Estimates the costs of the nodes of an expression as version 0 of cel-go's package `common/cost` does. A known size includes the sizes of
 * keys and elements. Source: cel-go common/cost/estimator.go (v0.33.2).
 */
export class ModelEstimator {
  readonly #checked: CheckedExpression;
  readonly #options: EstimateOptions;
  readonly #sizes: ModelSizes;
  /** Map that receives the estimate of each node; undefined if the caller needs only the total. */
  readonly #found: Map<number, NodeEstimate> | undefined;

  constructor(checked: CheckedExpression, options: EstimateOptions, found?: Map<number, NodeEstimate>) {
    this.#checked = checked;
    this.#options = options;
    this.#sizes = new ModelSizes(checked, options);
    this.#found = found;
  }

  visit(node: Expr): NodeEstimate {
    const estimate = this.#estimate(node);
    this.#found?.set(node.id, estimate);
    return estimate;
  }

  #estimate(node: Expr): NodeEstimate {
    switch (node.kind) {
      case 'constant':
        return node.name === undefined ? leaf(FREE) : this.#named(node, ValuePath.of(node.name));
      case 'ident':
        return this.#named(node, this.#sizes.scope.variable(node.name)?.path ?? ValuePath.of(node.name));
      case 'select':
        return this.#estimateSelect(node);
      case 'call':
        return node.function === EXPANSION.dyn ? this.#estimateDyn(node) : this.#estimateCall(node);
      case 'list':
        return this.#estimateParts(LIST_COST, node.elements);
      case 'map':
        return this.#estimateParts(
          MAP_COST,
          node.entries.flatMap(({ key, value }) => [key, value]),
        );
      case 'struct':
        return this.#estimateParts(
          MESSAGE_COST,
          node.fields.map(({ value }) => value),
        );
      case 'comprehension':
        return isBinding(node) && !isAccumulator(node.accuVar) ? this.#estimateBinding(node) : this.#estimateFold(node);
    }
  }

  #named(node: Expr, path: ValuePath): NodeEstimate {
    this.#sizes.setPath(node, path);
    return leaf(CHAIN_COST);
  }

  #estimateParts(own: CostRange, parts: readonly Expr[]): NodeEstimate {
    return {
      own,
      total: parts.reduce((sum, part) => addRanges(sum, this.visit(part).total), own),
      iterations: undefined,
    };
  }

  #estimateSelect(node: SelectExpr): NodeEstimate {
    const operand = this.visit(node.operand);
    const own = node.testOnly ? this.#presenceTestCost(node) : STEP_COST;
    const path = this.#sizes.pathOf(node.operand);
    if (!path.isEmpty && (!node.testOnly || this.#options.costs.presenceTestsHaveSizes)) this.#sizes.setPath(node, path.append(node.field));
    return { own, total: addRanges(operand.total, own), iterations: undefined };
  }

  #presenceTestCost(node: SelectExpr): CostRange {
    const own = this.#options.presenceTestHasCost === true ? STEP_COST : FREE;
    return addRanges(own, branchCost(node.operand));
  }

  /** Estimates `dyn(x)`. The call hides the type of `x`, but the known sizes are kept. */
  #estimateDyn(node: CallExpr): NodeEstimate {
    const argument = node.args[0]!;
    const { total } = this.visit(argument);
    this.#sizes.setSize(node, this.#sizes.of(argument));
    return { own: CALL_COST, total: addRanges(CALL_COST, total), iterations: undefined };
  }

  #estimateCall(node: CallExpr): NodeEstimate {
    const costs = node.args.map((arg) => this.visit(arg).total);
    const argumentCost = costs.reduce(addRanges, FREE);
    const overloads = this.#checked.references.get(node.id)?.overloads ?? [];
    if (overloads.length === 0) return { own: CALL_COST, total: addRanges(CALL_COST, argumentCost), iterations: undefined };
    const targetCost = node.target === undefined ? FREE : this.visit(node.target).total;
    const args = node.args.map((arg, i) => this.#operand(arg, costs[i]!));
    const operands = node.target === undefined ? args : [this.#operand(node.target, targetCost), ...args];
    let [own, total] = [NO_COST, NO_COST];
    let size: SizeRange | undefined;
    for (const overload of overloads) {
      const found = this.#estimateOverload(node, overload, operands, argumentCost);
      own = unionRanges(own, found.own);
      total = unionRanges(total, found.total);
      size = unionOfKnown(size, found.size);
    }
    this.#sizes.setSize(node, size);
    return { own, total: addRanges(targetCost, total), iterations: undefined };
  }

  #estimateOverload(node: CallExpr, overload: Overload, operands: readonly EstimatedOperand[], argumentCost: CostRange): OverloadEstimate {
    const estimate = overload.estimate?.({ operands, style: overload.style, costs: this.#options.costs }) ?? { cost: CALL_COST };
    const total = addRanges(estimate.cost, estimate.operandCost ?? argumentCost);
    let size = estimate.resultSize;
    if (size !== undefined && estimate.entriesOf !== undefined) {
      const { min, max } = size;
      size = { min, max, ...entrySizes(estimate.entriesOf.map((i) => operands[i]!)) };
    }
    const step = node.function === OPERATOR.index ? indexStep(overload) : undefined;
    if (step !== undefined) size = this.#entrySize(node, step);
    return { own: estimate.cost, total, size: size ?? this.#sizes.of(node) };
  }

  /** Returns the size of an entry of a container. Undefined if the entry's path determines the size. */
  #entrySize(node: CallExpr, step: string): SizeRange | undefined {
    const container = node.args[0]!;
    const path = this.#sizes.pathOf(container);
    const isBounded = !this.#options.costs.computedEntriesAreUnbounded;
    if (!path.isEmpty || isBounded) this.#sizes.setPath(node, path.append(step));
    return this.#sizes.of(container)?.element ?? (path.isEmpty && isBounded ? undefined : UNKNOWN_SIZE);
  }

  #operand(node: Expr, cost: CostRange): EstimatedOperand {
    const type = this.#sizes.typeOf(node);
    const path = this.#sizes.pathOf(node);
    const hasElements = typeParameters(type).length > 0 && !path.isEmpty;
    const elementSize = hasElements ? this.#options.sizeAt([...path.steps(), PATH_STEP.items]) : undefined;
    const literal = node.kind === 'constant' && node.name === undefined ? node.constant : undefined;
    return { literal, type, size: this.#sizes.of(node), elementSize, cost };
  }

  #estimateFold(node: ComprehensionExpr): NodeEstimate {
    const { scope } = this.#sizes;
    const range = this.visit(node.iterRange);
    const initial = this.visit(node.accuInit);
    scope.bind(node.accuVar, this.#bound(node.accuInit));
    this.#bindIterated(node);
    const condition = this.visit(node.loopCondition);
    const step = this.visit(node.loopStep);
    const stepSize = this.#sizes.of(node.loopStep);
    scope.unbind(node.iterVar);
    if (node.iterVar2 !== undefined) scope.unbind(node.iterVar2);
    const result = this.visit(node.result);
    scope.unbind(node.accuVar);
    const iterations = this.#sizes.of(node.iterRange) ?? UNKNOWN_SIZE;
    this.#sizes.setSize(node, this.#foldedSize(node, iterations, stepSize));
    const once = addRanges(addRanges(range.total, initial.total), result.total);
    return {
      own: FREE,
      total: addRanges(once, multiplyRanges(iterations, addRanges(step.total, condition.total))),
      iterations,
    };
  }

  #bindIterated({ iterRange, iterVar, iterVar2 }: ComprehensionExpr): void {
    const size = this.#sizes.of(iterRange) ?? UNKNOWN_SIZE;
    const { kind } = this.#sizes.typeOf(iterRange);
    const path = this.#sizes.pathOf(iterRange);
    const isList = kind === 'list';
    const bind = (name: string, step: string, known: SizeRange | undefined): void =>
      this.#sizes.scope.bind(name, { path: path.append(step), size: known });
    if (iterVar2 !== undefined) {
      bind(iterVar, isList ? PATH_STEP.indices : PATH_STEP.keys, isList ? ONE : size.key);
      bind(iterVar2, isList ? PATH_STEP.items : PATH_STEP.values, size.element);
    } else if (isList || (kind === 'dyn' && size.key === undefined && size.element !== undefined))
      bind(iterVar, PATH_STEP.items, size.element);
    else bind(iterVar, PATH_STEP.keys, size.key);
  }

  #foldedSize(node: ComprehensionExpr, { min, max, key, element }: SizeRange, step: SizeRange | undefined): SizeRange | undefined {
    const { kind } = node.accuInit;
    if (kind === 'constant') return this.#sizes.of(node.accuInit);
    if (kind !== 'list' && kind !== 'map') return undefined;
    const maySkip = node.loopStep.kind === 'call' && node.loopStep.function === OPERATOR.conditional;
    return {
      min: maySkip ? 0n : min,
      max,
      key: kind === 'map' ? (step?.key ?? key) : undefined,
      element: step?.element ?? element,
    };
  }

  #estimateBinding(node: ComprehensionExpr): NodeEstimate {
    const range = this.visit(node.iterRange);
    const initial = this.visit(node.accuInit);
    this.#sizes.scope.bind(node.accuVar, this.#bound(node.accuInit));
    const result = this.visit(node.result);
    const path = this.#sizes.pathOf(node.result);
    if (!path.isEmpty) this.#sizes.setPath(node, path);
    this.#sizes.setSize(node, this.#sizes.of(node.result));
    this.#sizes.scope.unbind(node.accuVar);
    return { own: FREE, total: addRanges(addRanges(range.total, initial.total), result.total), iterations: FREE };
  }

  #bound(value: Expr): { readonly path: ValuePath; readonly size: SizeRange | undefined } {
    return { path: this.#sizes.pathOf(value), size: this.#sizes.of(value) };
  }
}

/** Range that is the union of no costs. */
const NO_COST: CostRange = { min: MAX_UNITS, max: 0n };

const leaf = (own: CostRange): NodeEstimate => ({ own, total: own, iterations: undefined });

/**
 * Returns the cost that a presence test adds for the branches of a conditional from which its field is selected. A branch that is computed
 * costs one step. Source: cel-go common/cost/estimator.go `branchQualifierCost` (v0.33.2).
 */
function branchCost(operand: Expr): CostRange {
  const root = chainRoot(operand);
  if (root.kind !== 'call' || root.function !== OPERATOR.conditional) return FREE;
  const cost = (branch: Expr): CostRange =>
    !isChain(branch) || (branch.kind === 'select' && branch.testOnly) ? STEP_COST : branchCost(branch);
  return unionRanges(cost(root.args[1]!), cost(root.args[2]!));
}

const EXTENDS_CHAIN: ReadonlySet<string> = new Set([OPERATOR.index, OPERATOR.optionalIndex, OPERATOR.optionalSelect]);

/** Returns the node from which a chain of selections starts. */
function chainRoot(node: Expr): Expr {
  let root = node;
  for (;;) {
    if (root.kind === 'select' && !root.testOnly) root = root.operand;
    else if (root.kind === 'call' && EXTENDS_CHAIN.has(root.function)) root = root.args[0]!;
    else return root;
  }
}

/** Returns true if a node is part of a chain of selections, or a conditional between such chains. */
function isChain(node: Expr): boolean {
  if (node.kind === 'ident' || (node.kind === 'constant' && node.name !== undefined) || node.kind === 'select') return true;
  return node.kind === 'call' && (EXTENDS_CHAIN.has(node.function) || node.function === OPERATOR.conditional);
}
