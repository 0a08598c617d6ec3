import { EXPANSION, isAccumulator, OPERATOR } from '../library/names.ts';
import { DYN, typeParameters } from '../values/types/type.ts';
import type { CelType } from '../values/types/type.ts';
import { CALL_COST, CHAIN_COST, FREE, LIST_COST, MAP_COST, MESSAGE_COST, ONE, STEP_COST } from '../library/step-prices.ts';
import { addRanges, exactly, MAX_UNITS, multiplyRanges, unionRanges, UNKNOWN_SIZE } from '../library/range.ts';
import { BoundVariables } from './node-estimate.ts';
import type { EntrySizes, EstimateOptions, LocalVariable, NodeEstimate } from './node-estimate.ts';
import { constantSize } from './model-sizes.ts';
import { indexStep, PATH_STEP, ValuePath } from './value-path.ts';
import type { CheckedExpression } from '../language/check/checked.ts';
import type { EstimatedOperand } from '../library/define.ts';
import { isBinding } from '../language/syntax/macro-folds.ts';
import type { CallExpr, ComprehensionExpr, Expr, ListExpr, MapExpr, SelectExpr } from '../language/syntax/ast.ts';
import type { CostRange, SizeRange } from '../library/range.ts';

/** Estimated cost of a node, with the known facts about the size and the path of its value. */
interface Estimated extends NodeEstimate {
  readonly node: Expr;
  readonly path: ValuePath;
  /** Size of the node's value. Undefined if the size cannot be computed from the node's parts, see {@link CheckerEstimator.sizeOf}. */
  readonly size: SizeRange | undefined;
  readonly entries: EntrySizes | undefined;
}

/** Operand of a call, with its own estimate. */
interface Operand extends EstimatedOperand {
  readonly estimated: Estimated;
}

const UNKNOWN_VARIABLE: LocalVariable = { path: ValuePath.NONE, size: undefined, entries: undefined };

/**
 * Estimates the costs of the nodes of an expression as cel-go's package `checker` does. The schema determines the size of a value, by the
 * value's path. Source: cel-go checker/cost.go (v0.29.2).
 */
export class CheckerEstimator {
  readonly #checked: CheckedExpression;
  readonly #options: EstimateOptions;
  /** Sizes found in the schema, by node id. A size is stored when it is first looked up, because the path of a node may change later. */
  readonly #schemaSizes = new Map<number, SizeRange>();
  readonly #scope = new BoundVariables<LocalVariable>();
  /** Map that receives the estimate of each node; undefined if the caller needs only the total. */
  readonly #found: Map<number, NodeEstimate> | undefined;

  constructor(checked: CheckedExpression, options: EstimateOptions, found?: Map<number, NodeEstimate>) {
    this.#checked = checked;
    this.#options = options;
    this.#found = found;
  }

  get #followsEntries(): boolean {
    return this.#options.costs.estimatesFollowEntries;
  }

  visit(node: Expr): Estimated {
    const estimated = this.#estimate(node);
    this.#found?.set(node.id, estimated);
    return estimated;
  }

  #estimate(node: Expr): Estimated {
    switch (node.kind) {
      case 'constant':
        return node.name === undefined ? estimated(node, FREE, FREE) : named(node, ValuePath.of(node.name));
      case 'ident':
        return named(node, this.#scope.variable(node.name)?.path ?? ValuePath.of(node.name));
      case 'select':
        return this.#estimateSelect(node);
      case 'call':
        return node.function === EXPANSION.dyn && this.#followsEntries ? this.#estimateDyn(node) : this.#estimateCall(node);
      case 'list':
        return this.#estimateList(node);
      case 'map':
        return this.#estimateMap(node);
      case 'struct': {
        const total = node.fields.reduce((sum, field) => addRanges(sum, this.visit(field.value).total), MESSAGE_COST);
        return estimated(node, MESSAGE_COST, total);
      }
      case 'comprehension':
        return isBinding(node) && this.#followsEntries ? this.#estimateBinding(node) : this.#estimateFold(node);
    }
  }

  #estimateSelect(node: SelectExpr): Estimated {
    const operand = this.visit(node.operand);
    const own = this.#ownCostOfSelect(node);
    const path = node.testOnly ? ValuePath.NONE : this.#pathOf(operand).append(node.field);
    return estimated(node, own, addRanges(operand.total, own), { path });
  }

  #ownCostOfSelect(node: SelectExpr): CostRange {
    if (node.testOnly) return this.#options.presenceTestHasCost === true ? STEP_COST : FREE;
    const { kind } = this.#typeOf(node.operand);
    return kind === 'map' || kind === 'object' || kind === 'typeParameter' ? STEP_COST : FREE;
  }

  /** Estimates `dyn(x)`. The call hides the type of `x`, but the known sizes are kept. */
  #estimateDyn(node: CallExpr): Estimated {
    const argument = this.visit(node.args[0]!);
    const known = { size: this.#sizeOf(argument), entries: this.#entriesOf(argument) };
    return estimated(node, CALL_COST, addRanges(CALL_COST, argument.total), known);
  }

  #estimateCall(node: CallExpr): Estimated {
    const args = node.args.map((arg) => this.#operand(arg));
    const overloads = this.#checked.references.get(node.id)?.overloads ?? [];
    if (overloads.length === 0) return estimated(node, FREE, FREE);
    const target = node.target === undefined ? undefined : this.#operand(node.target);
    const operands = target === undefined ? args : [target, ...args];
    const argumentCost = args.reduce((sum, { cost }) => addRanges(sum, cost), FREE);
    let cost: CostRange = { min: MAX_UNITS, max: 0n };
    let own = cost;
    let size: SizeRange | undefined;
    let entries: EntrySizes | undefined;
    let path = ValuePath.NONE;
    for (const overload of overloads) {
      const estimate = overload.estimate?.({ operands, style: overload.style, costs: this.#options.costs }) ?? { cost: CALL_COST };
      cost = unionRanges(cost, addRanges(estimate.cost, estimate.operandCost ?? argumentCost));
      own = unionRanges(own, estimate.cost);
      if (estimate.entriesOf !== undefined) entries = this.#unionOfEntries(estimate.entriesOf.map((i) => operands[i]!)) ?? entries;
      if (estimate.resultSize !== undefined) size = size === undefined ? estimate.resultSize : unionRanges(size, estimate.resultSize);
      const step = node.function === OPERATOR.index ? indexStep(overload) : undefined;
      if (step !== undefined) {
        const container = args[0]!.estimated;
        if (this.#followsEntries) size = this.#entriesOf(container)?.value;
        path = this.#pathOf(container).append(step);
      }
      if (this.#followsEntries) size ??= this.#sizeAtPath(node, path);
    }
    return estimated(node, own, target === undefined ? cost : addRanges(target.cost, cost), {
      path,
      size,
      entries: this.#followed(entries),
    });
  }

  #operand(node: Expr): Operand {
    const found = this.visit(node);
    const type = this.#typeOf(node);
    const steps = typeParameters(type).length > 0 ? this.#pathOf(found).steps() : [];
    const visible = steps.length > 0 && !isAccumulator(steps[0]!);
    const elementSize = visible ? this.#options.sizeAt([...steps, PATH_STEP.items]) : undefined;
    const literal = node.kind === 'constant' && node.name === undefined ? node.constant : undefined;
    return { literal, type, size: this.#sizeOf(found), elementSize, cost: found.total, estimated: found };
  }

  #unionOfEntries(operands: readonly Operand[]): EntrySizes | undefined {
    let union: EntrySizes | undefined;
    for (const operand of operands) {
      const entries = this.#entriesOf(operand.estimated);
      if (entries === undefined) return undefined;
      union =
        union === undefined
          ? entries
          : { ...union, key: unionRanges(union.key, entries.key), value: unionRanges(union.value, entries.value) };
    }
    return union;
  }

  #estimateList(node: ListExpr): Estimated {
    let sum = LIST_COST;
    let value = noSizeYet(node.elements.length);
    for (const element of node.elements) {
      const found = this.visit(element);
      sum = addRanges(sum, found.total);
      value = unionRanges(value, this.#sizeOf(found) ?? UNKNOWN_SIZE);
    }
    return estimated(node, LIST_COST, sum, { entries: this.#followed({ container: 'list', key: ONE, value }) });
  }

  #estimateMap(node: MapExpr): Estimated {
    let sum = MAP_COST;
    let key = noSizeYet(node.entries.length);
    let value = key;
    for (const entry of node.entries) {
      const [foundKey, foundValue] = [this.visit(entry.key), this.visit(entry.value)];
      sum = addRanges(addRanges(sum, foundKey.total), foundValue.total);
      key = unionRanges(key, this.#sizeOf(foundKey) ?? UNKNOWN_SIZE);
      value = unionRanges(value, this.#sizeOf(foundValue) ?? UNKNOWN_SIZE);
    }
    return estimated(node, MAP_COST, sum, { entries: this.#followed({ container: 'map', key, value }) });
  }

  #estimateFold(node: ComprehensionExpr): Estimated {
    const range = this.visit(node.iterRange);
    const initial = this.visit(node.accuInit);
    if (this.#followsEntries) this.#scope.bind(node.accuVar, this.#bound(initial));
    const names = node.iterVar2 === undefined ? [node.iterVar] : [node.iterVar, node.iterVar2];
    const isList = (this.#entriesOf(range)?.container ?? this.#typeOf(node.iterRange).kind) === 'list';
    if (names.length === 2) {
      this.#scope.bind(names[0]!, this.#iterated(range, 'key', isList ? PATH_STEP.indices : PATH_STEP.keys));
      this.#scope.bind(names[1]!, this.#iterated(range, 'value', isList ? PATH_STEP.items : PATH_STEP.values));
    } else this.#scope.bind(names[0]!, this.#iterated(range, isList ? 'value' : 'key', isList ? PATH_STEP.items : PATH_STEP.keys));
    const condition = this.visit(node.loopCondition);
    const step = this.visit(node.loopStep);
    for (const name of names) this.#scope.unbind(name);
    const sum = addRanges(addRanges(range.total, initial.total), this.visit(node.result).total);
    if (this.#followsEntries) this.#scope.unbind(node.accuVar);
    const iterations = this.#sizeOf(range) ?? UNKNOWN_SIZE;
    const total = addRanges(sum, multiplyRanges(iterations, addRanges(step.total, condition.total)));
    return estimated(node, FREE, total, { iterations, ...this.#foldResult(initial, step, iterations) });
  }

  #foldResult(initial: Estimated, step: Estimated, iterations: SizeRange): Pick<Details, 'size' | 'entries'> {
    const { kind } = initial.node;
    if (!this.#followsEntries) return { size: iterations };
    if (kind === 'constant') return { size: this.#sizeOf(initial) };
    return kind === 'list' || kind === 'map' ? { size: iterations, entries: this.#entriesOf(step) } : {};
  }

  #estimateBinding(node: ComprehensionExpr): Estimated {
    const range = this.visit(node.iterRange);
    const initial = this.visit(node.accuInit);
    this.#scope.bind(node.accuVar, this.#bound(initial));
    const result = this.visit(node.result);
    this.#scope.unbind(node.accuVar);
    const total = addRanges(addRanges(range.total, initial.total), result.total);
    return estimated(node, FREE, total, { iterations: FREE, size: this.#sizeOf(result), entries: this.#entriesOf(result) });
  }

  #bound(value: Estimated): LocalVariable {
    return { path: this.#pathOf(value), size: this.#sizeOf(value), entries: this.#entriesOf(value) };
  }

  #iterated(range: Estimated, part: 'key' | 'value', step: string): LocalVariable {
    const { kind } = this.#typeOf(range.node);
    if (!this.#followsEntries && kind !== 'list' && kind !== 'map') return UNKNOWN_VARIABLE;
    return { path: this.#pathOf(range).append(step), size: this.#entriesOf(range)?.[part], entries: undefined };
  }

  #typeOf(node: Expr): CelType {
    return this.#checked.types.get(node.id) ?? DYN;
  }

  #pathOf({ node, path }: Estimated): ValuePath {
    return (node.kind === 'ident' ? this.#scope.variable(node.name)?.path : undefined) ?? path;
  }

  #sizeOf(found: Estimated): SizeRange | undefined {
    return found.size ?? this.#sizeAtPath(found.node, this.#pathOf(found));
  }

  /**
   * Returns the size of a node's value if it cannot be computed from the node's parts. The size is the literal's size, the size in the
   * schema, 1 for a scalar, or the size of the variable. Undefined if no size is known.
   */
  #sizeAtPath(node: Expr, path: ValuePath): SizeRange | undefined {
    const known = this.#schemaSizes.get(node.id) ?? this.#literalSize(node);
    if (known !== undefined) return known;
    const steps = path.steps();
    const fromSchema = steps.length === 0 || isAccumulator(steps[0]!) ? undefined : this.#options.sizeAt(steps);
    if (fromSchema !== undefined) this.#schemaSizes.set(node.id, fromSchema);
    if (fromSchema !== undefined) return fromSchema;
    if (isScalar(this.#typeOf(node), this.#followsEntries)) return ONE;
    return node.kind === 'ident' ? this.#scope.variable(node.name)?.size : undefined;
  }

  #literalSize(node: Expr): SizeRange | undefined {
    switch (node.kind) {
      case 'constant':
        return node.name === undefined ? exactly(BigInt(constantSize(node.constant))) : undefined;
      case 'list':
        return exactly(BigInt(node.elements.length));
      case 'map':
        return exactly(BigInt(node.entries.length));
      case 'struct':
        return this.#options.costs.messageSizeIsUnknown ? undefined : exactly(0n);
      case 'call':
      case 'comprehension':
      case 'ident':
      case 'select':
        return undefined;
    }
  }

  #followed(entries: EntrySizes | undefined): EntrySizes | undefined {
    return entries !== undefined && this.#followsEntries ? entries : undefined;
  }

  #entriesOf({ node, entries }: Estimated): EntrySizes | undefined {
    return entries ?? (node.kind === 'ident' ? this.#scope.variable(node.name)?.entries : undefined);
  }
}

/** Properties of an {@link Estimated} that only a few kinds of nodes have. */
type Details = Partial<Pick<Estimated, 'iterations' | 'path' | 'size' | 'entries'>>;

function estimated(
  node: Expr,
  own: CostRange,
  total: CostRange,
  { iterations, path = ValuePath.NONE, size, entries }: Details = {},
): Estimated {
  return { node, own, total, iterations, path, size, entries };
}

const named = (node: Expr, path: ValuePath): Estimated => estimated(node, CHAIN_COST, CHAIN_COST, { path });

/**
 * Returns the initial range for the union of the size ranges of a literal's entries. It does not affect the union. If the literal has no
 * entries, it is the size 0.
 */
const noSizeYet = (entries: number): SizeRange => ({ min: entries === 0 ? 0n : MAX_UNITS, max: 0n });

/**
 * Returns true if all values of a type have the same size. If `inOptionals` is true, an optional is treated as a value of the type inside
 * it.
 */
function isScalar(type: CelType, inOptionals: boolean): boolean {
  // oxlint-disable-next-line typescript/switch-exhaustiveness-check -- other types have many sizes
  switch (type.kind) {
    case 'bool':
    case 'int':
    case 'uint':
    case 'double':
    case 'duration':
    case 'timestamp':
      return true;
    case 'optional':
      return inOptionals && isScalar(type.value, inOptionals);
    default:
      return false;
  }
}
