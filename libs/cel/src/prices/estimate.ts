import { codePointLength } from '#go';
import { EXPANSION, OPERATOR } from '../library/names.ts';
import { isAccumulator } from '../language/syntax/operators.ts';
import { typeParameters } from '../values/types/format.ts';
import { DYN } from '../values/types/type.ts';
import { CHAIN, LIST_CREATION, MAP_CREATION, MESSAGE_CREATION, STEP as STEP_UNITS, UNSTATED_CALL } from '../library/step-prices.ts';
import { addRanges, exactly, MAX_UNITS, multiplyRanges, unionRanges, UNKNOWN_SIZE } from '../library/range.ts';
import { PATH_STEP, ValuePath } from './value-path.ts';
import type { CheckedExpression } from '../language/check/checked.ts';
import type { CostVersion, EstimatedOperand, Overload } from '../library/define.ts';
import { isBinding } from '../language/syntax/macros/binding.ts';
import type { Constant } from '../values/constant-value.ts';
import type { CallExpr, ComprehensionExpr, Expr, ListExpr, MapExpr, SelectExpr } from '../language/syntax/ast.ts';
import type { CelType } from '../values/types/type.ts';
import type { CostRange, SizeRange } from '../library/range.ts';

/** What an estimate depends on besides the expression. */
export interface EstimateOptions {
  /** Size of the value at the end of a path (a variable, then fields and {@link PATH_STEP}s; never empty), where the schema says. */
  readonly sizeAt: (steps: readonly string[]) => SizeRange | undefined;
  readonly costs: CostVersion;
  /** Whether `has()` itself costs a unit. Never so in Kubernetes. */
  readonly presenceTestHasCost?: boolean;
}

/** The least and the most that evaluating an expression may cost. Source: cel-go checker/cost.go (v0.29.2). */
export function estimateCost(checked: CheckedExpression, options: EstimateOptions): CostRange {
  return new Estimator(checked, options).cost(checked.root);
}

/** What the estimator finds out about one node, for each time that the node is evaluated. */
export interface NodeEstimate {
  /** The node without its operands. A fold costs nothing by itself. */
  readonly own: CostRange;
  /** With its operands, as in {@link estimateCost}. */
  readonly total: CostRange;
  /** How often a fold evaluates its condition and its step; of folds only. */
  readonly iterations: SizeRange | undefined;
}

/** As {@link estimateCost}, of every node that is evaluated, by node id. */
export function estimateNodes(checked: CheckedExpression, options: EstimateOptions): ReadonlyMap<number, NodeEstimate> {
  const found = new Map<number, NodeEstimate>();
  new Estimator(checked, options, found).cost(checked.root);
  return found;
}

const FREE = exactly(0n);
const ONE = exactly(1n);
const CHAIN_COST = exactly(BigInt(CHAIN));
const STEP_COST = exactly(BigInt(STEP_UNITS));
const CALL_COST = exactly(BigInt(UNSTATED_CALL));
const LIST_COST = exactly(BigInt(LIST_CREATION));
const MAP_COST = exactly(BigInt(MAP_CREATION));
const MESSAGE_COST = exactly(BigInt(MESSAGE_CREATION));

/** Sizes of the entries of a list or map: keys or indices, and values. */
interface EntrySizes {
  readonly container: 'list' | 'map';
  readonly key: SizeRange;
  readonly value: SizeRange;
}

/** What is known of a variable that a comprehension binds. */
interface LocalVariable {
  readonly path: ValuePath;
  readonly size: SizeRange | undefined;
  readonly entries: EntrySizes | undefined;
}

const UNKNOWN_VARIABLE: LocalVariable = { path: ValuePath.NONE, size: undefined, entries: undefined };

class Estimator {
  private readonly checked: CheckedExpression;
  private readonly options: EstimateOptions;
  private readonly paths = new Map<number, ValuePath>();
  private readonly sizes = new Map<number, SizeRange>();
  private readonly entrySizes = new Map<number, EntrySizes>();
  private readonly variables = new Map<string, LocalVariable[]>();
  /** Where someone wants to know the estimate of each node. */
  private readonly found: Map<number, NodeEstimate> | undefined;
  /** What the node whose cost was found last costs by itself, and how often it repeats what is in it. */
  private own: CostRange = FREE;
  private iterations: SizeRange | undefined;

  constructor(checked: CheckedExpression, options: EstimateOptions, found?: Map<number, NodeEstimate>) {
    this.checked = checked;
    this.options = options;
    this.found = found;
  }

  private get followsEntries(): boolean {
    return this.options.costs.estimatesFollowEntries;
  }

  cost(node: Expr): CostRange {
    const total = this.costOf(node);
    this.found?.set(node.id, { own: this.own, total, iterations: node.kind === 'comprehension' ? this.iterations : undefined });
    return total;
  }

  /** The cost of a node, leaving behind its own. */
  private costOf(node: Expr): CostRange {
    switch (node.kind) {
      case 'constant':
        return node.name === undefined ? this.withOwn(FREE, FREE) : this.costOfName(node.id, ValuePath.of(node.name));
      case 'ident':
        return this.costOfName(node.id, this.variable(node.name)?.path ?? ValuePath.of(node.name));
      case 'select':
        return this.costOfSelect(node);
      case 'call':
        return node.function === EXPANSION.dyn && this.followsEntries ? this.costOfDyn(node) : this.costOfCall(node);
      case 'list':
        return this.costOfList(node);
      case 'map':
        return this.costOfMap(node);
      case 'struct':
        return this.withOwn(
          MESSAGE_COST,
          node.fields.reduce((sum, field) => addRanges(sum, this.cost(field.value)), MESSAGE_COST),
        );
      case 'comprehension':
        return isBinding(node) && this.followsEntries ? this.costOfBinding(node) : this.costOfFold(node);
    }
  }

  private costOfName(id: number, path: ValuePath): CostRange {
    this.paths.set(id, path);
    return this.withOwn(CHAIN_COST, CHAIN_COST);
  }

  private withOwn(own: CostRange, total: CostRange): CostRange {
    this.own = own;
    return total;
  }

  private costOfSelect(node: SelectExpr): CostRange {
    const operand = this.cost(node.operand);
    const own = this.ownCostOfSelect(node);
    if (!node.testOnly) this.paths.set(node.id, this.pathOf(node.operand).append(node.field));
    return this.withOwn(own, addRanges(operand, own));
  }

  private ownCostOfSelect(node: SelectExpr): CostRange {
    if (node.testOnly) return this.options.presenceTestHasCost === true ? STEP_COST : FREE;
    const { kind } = this.typeOf(node.operand);
    return kind === 'map' || kind === 'object' || kind === 'typeParameter' ? STEP_COST : FREE;
  }

  /** `dyn(x)` hides a type; sizes stay known. */
  private costOfDyn(node: CallExpr): CostRange {
    const argument = node.args[0]!;
    const cost = addRanges(CALL_COST, this.cost(argument));
    this.copySizes(node, argument);
    return this.withOwn(CALL_COST, cost);
  }

  private costOfCall(node: CallExpr): CostRange {
    const args = node.args.map((arg) => this.operand(arg));
    const overloads = this.checked.references.get(node.id)?.overloads ?? [];
    if (overloads.length === 0) return this.withOwn(FREE, FREE);
    const target = node.target === undefined ? undefined : this.operand(node.target);
    const operands = target === undefined ? args : [target, ...args];
    const nodes = node.target === undefined ? node.args : [node.target, ...node.args];
    const argumentCost = args.reduce((sum, { cost }) => addRanges(sum, cost), FREE);
    let cost: CostRange = { min: MAX_UNITS, max: 0n };
    let own = cost;
    let resultSize: SizeRange | undefined;
    for (const overload of overloads) {
      const estimate = overload.estimate?.({ operands, style: overload.style, costs: this.options.costs }) ?? { cost: CALL_COST };
      cost = unionRanges(cost, addRanges(estimate.cost, estimate.operandCost ?? argumentCost));
      own = unionRanges(own, estimate.cost);
      if (estimate.entriesOf !== undefined) this.setEntrySizes(node, this.unionOfEntries(estimate.entriesOf.map((i) => nodes[i]!)));
      if (estimate.resultSize !== undefined) {
        resultSize = resultSize === undefined ? estimate.resultSize : unionRanges(resultSize, estimate.resultSize);
      }
      const step = node.function === OPERATOR.index ? indexStep(overload) : undefined;
      if (step !== undefined) {
        if (this.followsEntries) resultSize = this.entriesOf(node.args[0]!)?.value;
        this.paths.set(node.id, this.pathOf(node.args[0]!).append(step));
      }
      if (this.followsEntries) resultSize ??= this.sizeOf(node);
    }
    this.setSize(node, resultSize);
    return this.withOwn(own, target === undefined ? cost : addRanges(target.cost, cost));
  }

  private operand(expr: Expr): EstimatedOperand {
    const cost = this.cost(expr);
    const type = this.typeOf(expr);
    const steps = typeParameters(type).length > 0 ? this.pathOf(expr).steps() : [];
    const visible = steps.length > 0 && !isAccumulator(steps[0]!);
    const elementSize = visible ? this.options.sizeAt([...steps, PATH_STEP.items]) : undefined;
    return {
      literal: expr.kind === 'constant' && expr.name === undefined ? expr.constant : undefined,
      type,
      size: this.sizeOf(expr),
      elementSize,
      cost,
    };
  }

  private unionOfEntries(nodes: readonly Expr[]): EntrySizes | undefined {
    let union: EntrySizes | undefined;
    for (const node of nodes) {
      const entries = this.entriesOf(node);
      if (entries === undefined) return undefined;
      union =
        union === undefined
          ? entries
          : { ...union, key: unionRanges(union.key, entries.key), value: unionRanges(union.value, entries.value) };
    }
    return union;
  }

  private costOfList(node: ListExpr): CostRange {
    let sum = LIST_COST;
    let value = noSizeYet(node.elements.length);
    for (const element of node.elements) {
      sum = addRanges(sum, this.cost(element));
      value = unionRanges(value, this.sizeOf(element) ?? UNKNOWN_SIZE);
    }
    this.setEntrySizes(node, { container: 'list', key: ONE, value });
    return this.withOwn(LIST_COST, sum);
  }

  private costOfMap(node: MapExpr): CostRange {
    let sum = MAP_COST;
    let key = noSizeYet(node.entries.length);
    let value = key;
    for (const entry of node.entries) {
      sum = addRanges(addRanges(sum, this.cost(entry.key)), this.cost(entry.value));
      key = unionRanges(key, this.sizeOf(entry.key) ?? UNKNOWN_SIZE);
      value = unionRanges(value, this.sizeOf(entry.value) ?? UNKNOWN_SIZE);
    }
    this.setEntrySizes(node, { container: 'map', key, value });
    return this.withOwn(MAP_COST, sum);
  }

  private costOfFold(node: ComprehensionExpr): CostRange {
    const { iterRange, accuInit } = node;
    let sum = addRanges(this.cost(iterRange), this.cost(accuInit));
    if (this.followsEntries) this.bind(node.accuVar, this.bound(accuInit));
    const names = node.iterVar2 === undefined ? [node.iterVar] : [node.iterVar, node.iterVar2];
    const isList = (this.entriesOf(iterRange)?.container ?? this.typeOf(iterRange).kind) === 'list';
    if (names.length === 2) {
      this.bind(names[0]!, this.iterated(iterRange, 'key', isList ? PATH_STEP.indices : PATH_STEP.keys));
      this.bind(names[1]!, this.iterated(iterRange, 'value', isList ? PATH_STEP.items : PATH_STEP.values));
    } else this.bind(names[0]!, this.iterated(iterRange, isList ? 'value' : 'key', isList ? PATH_STEP.items : PATH_STEP.keys));
    const condition = this.cost(node.loopCondition);
    const step = this.cost(node.loopStep);
    for (const name of names) this.unbind(name);
    sum = addRanges(sum, this.cost(node.result));
    if (this.followsEntries) this.unbind(node.accuVar);
    const iterations = this.sizeOf(iterRange) ?? UNKNOWN_SIZE;
    this.noteResult(node, iterations);
    this.iterations = iterations;
    return this.withOwn(FREE, addRanges(sum, multiplyRanges(iterations, addRanges(step, condition))));
  }

  private noteResult(node: ComprehensionExpr, iterations: SizeRange): void {
    const { kind } = node.accuInit;
    if (!this.followsEntries) this.setSize(node, iterations);
    else if (kind === 'constant') this.setSize(node, this.sizeOf(node.accuInit));
    if (!this.followsEntries || (kind !== 'list' && kind !== 'map')) return;
    this.setSize(node, iterations);
    this.setEntrySizes(node, this.entriesOf(node.loopStep));
  }

  private costOfBinding(node: ComprehensionExpr): CostRange {
    const sum = addRanges(this.cost(node.iterRange), this.cost(node.accuInit));
    this.bind(node.accuVar, this.bound(node.accuInit));
    const result = this.cost(node.result);
    this.unbind(node.accuVar);
    this.copySizes(node, node.result);
    this.iterations = FREE;
    return this.withOwn(FREE, addRanges(sum, result));
  }

  private bound(value: Expr): LocalVariable {
    return { path: this.pathOf(value), size: this.sizeOf(value), entries: this.entriesOf(value) };
  }

  private iterated(range: Expr, part: 'key' | 'value', step: string): LocalVariable {
    const { kind } = this.typeOf(range);
    if (!this.followsEntries && kind !== 'list' && kind !== 'map') return UNKNOWN_VARIABLE;
    return { path: this.pathOf(range).append(step), size: this.entriesOf(range)?.[part], entries: undefined };
  }

  private bind(name: string, variable: LocalVariable): void {
    const shadowed = this.variables.get(name);
    if (shadowed === undefined) this.variables.set(name, [variable]);
    else shadowed.push(variable);
  }

  private unbind(name: string): void {
    this.variables.get(name)!.pop();
  }

  private variable(name: string): LocalVariable | undefined {
    return this.variables.get(name)?.at(-1);
  }

  private typeOf(node: Expr): CelType {
    return this.checked.types.get(node.id) ?? DYN;
  }

  private pathOf(node: Expr): ValuePath {
    const variable = node.kind === 'ident' ? this.variable(node.name) : undefined;
    return variable?.path ?? this.paths.get(node.id) ?? ValuePath.NONE;
  }

  /** The size of a node's value: computed, literal, from the schema, 1 for scalars, the variable's. */
  private sizeOf(node: Expr): SizeRange | undefined {
    const known = this.sizes.get(node.id) ?? this.literalSize(node);
    if (known !== undefined) return known;
    const steps = this.pathOf(node).steps();
    const fromSchema = steps.length === 0 || isAccumulator(steps[0]!) ? undefined : this.options.sizeAt(steps);
    if (fromSchema !== undefined) this.sizes.set(node.id, fromSchema);
    if (fromSchema !== undefined) return fromSchema;
    if (isScalar(this.typeOf(node), this.followsEntries)) return ONE;
    return node.kind === 'ident' ? this.variable(node.name)?.size : undefined;
  }

  private literalSize(node: Expr): SizeRange | undefined {
    switch (node.kind) {
      case 'constant':
        return node.name === undefined ? exactly(BigInt(constantSize(node.constant))) : undefined;
      case 'list':
        return exactly(BigInt(node.elements.length));
      case 'map':
        return exactly(BigInt(node.entries.length));
      case 'struct':
        return this.options.costs.messageSizeIsUnknown ? undefined : exactly(0n);
      case 'call':
      case 'comprehension':
      case 'ident':
      case 'select':
        return undefined;
    }
  }

  private setSize(node: Expr, size: SizeRange | undefined): void {
    if (size !== undefined) this.sizes.set(node.id, size);
  }

  private entriesOf(node: Expr): EntrySizes | undefined {
    return this.entrySizes.get(node.id) ?? (node.kind === 'ident' ? this.variable(node.name)?.entries : undefined);
  }

  private setEntrySizes(node: Expr, entries: EntrySizes | undefined): void {
    if (entries !== undefined && this.followsEntries) this.entrySizes.set(node.id, entries);
  }

  private copySizes(to: Expr, from: Expr): void {
    this.setSize(to, this.sizeOf(from));
    this.setEntrySizes(to, this.entriesOf(from));
  }
}

/** The step that an index operator takes into its operand; undefined for indexing of optionals. */
function indexStep({ parameters }: Overload): string | undefined {
  const kind = parameters[0]?.kind;
  return kind === 'list' ? PATH_STEP.items : kind === 'map' ? PATH_STEP.values : undefined;
}

/** Where the union of entry sizes starts: nothing at all for an empty literal. */
const noSizeYet = (entries: number): SizeRange => ({ min: entries === 0 ? 0n : MAX_UNITS, max: 0n });

function constantSize(constant: Constant): number {
  if (constant.type === 'string') return codePointLength(constant.value);
  return constant.type === 'bytes' ? constant.value.length : 1;
}

/** True for types of one size; `inOptionals`: an optional has the size of what it may hold. */
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
