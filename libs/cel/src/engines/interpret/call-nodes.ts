import { compileRegex } from '#go';
import { PATTERN_FUNCTIONS, PLANNED_FUNCTIONS } from '../../library/all.ts';
import type { CostVersion, Overload } from '../../library/define.ts';
import { oneUnit } from '../../library/formulas.ts';
import { UNSTATED_CALL } from '../../library/step-prices.ts';
import { equal } from '../../values/equality.ts';
import type { EvaluationContext } from '../../values/evaluation-context.ts';
import { CelError, EvaluationPanic } from '../../values/value.ts';
import type { CelValue } from '../../values/value.ts';
import type { Implementation } from './dispatch.ts';
import { foldMembership, isListMembership } from './folding.ts';
import { ConstantNode } from './node.ts';
import type { Frame, Node } from './node.ts';
import { ComparisonNode, LogicalNode, OptionalOrNode } from './operator-nodes.ts';

/** Returns the cost of a call in cost units. Throws {@link EvaluationPanic} if upstream panics while it computes the cost. */
export function priceOf({ measure, panics }: Implementation, args: readonly CelValue[], result: CelValue, costs: CostVersion): number {
  const panic = panics?.(args, costs);
  if (panic !== undefined) throw new EvaluationPanic(panic);
  return measure === undefined ? UNSTATED_CALL : measure(args, result, costs);
}

/** Node of a call that charges the call's cost. Subclasses define the treatment of arguments that are errors. */
abstract class PricedCall implements Node {
  readonly id: number;
  readonly args: readonly Node[];
  protected readonly implementation: Implementation;
  readonly #costs: CostVersion;
  constructor(id: number, args: readonly Node[], implementation: Implementation, costs: CostVersion) {
    this.id = id;
    this.args = args;
    this.implementation = implementation;
    this.#costs = costs;
  }
  abstract eval(frame: Frame): CelValue;

  /** Returns the result of the call, or `error` if an argument failed. In both cases, the cost of the call is charged. */
  protected answer(frame: Frame, args: readonly CelValue[], error: CelError | undefined): CelValue {
    const value = error ?? this.implementation.call(args, frame);
    frame.charge(priceOf(this.implementation, args, value, this.#costs), this.id);
    return value;
  }
}

/**
 * Interpreter node of a function call with at most two arguments. Before 1.38, the node evaluates all arguments, even if one fails. Since
 * 1.38, a failed argument ends the call.
 */
export class CallNode extends PricedCall {
  eval(frame: Frame): CelValue {
    const args: CelValue[] = [];
    let error: CelError | undefined;
    for (const node of this.args) {
      const arg = node.eval(frame);
      if (arg instanceof CelError && !this.implementation.nonStrict) {
        if (frame.semantics.failuresEndCalls && this.implementation.paysForErrors !== true) return arg;
        error ??= arg;
      }
      args.push(arg);
    }
    return this.answer(frame, args, error);
  }
}

/**
 * A call of more than two arguments. It fails with the error of the first failing argument. A failed call costs nothing. Before 1.38, it
 * has its cost if only the last argument failed.
 */
export class VariadicCallNode extends PricedCall {
  eval(frame: Frame): CelValue {
    const args: CelValue[] = [];
    let error: CelError | undefined;
    for (const node of this.args) {
      const arg = node.eval(frame);
      args.push(arg);
      if (!(arg instanceof CelError)) continue;
      if (args.length < this.args.length || frame.semantics.failuresEndCalls) return arg;
      error = arg;
    }
    return this.answer(frame, args, error);
  }
}

/**
 * Function or operator call of an expression, for which the interpreter creates an evaluation node. Its arguments already have nodes, and
 * the checker has determined its possible overloads.
 */
export interface PlannedCall {
  readonly id: number;
  readonly name: string;
  readonly args: readonly Node[];
  readonly candidates: readonly Overload[];
  readonly costs: CostVersion;
  /** True if planning computes constant parts. */
  readonly folds: boolean;
}

/**
 * Creates the interpreter's node for a call of a special operator or function, such as `&&` or `==`. For `c ? a : b`, `a[b]` and `a[?b]`,
 * returns only the name of the operation, and the caller creates the node. Returns a CelError if a constant pattern is invalid, and
 * undefined for ordinary function calls.
 */
export function planSpecialCall(call: PlannedCall): Node | CelError | 'conditional' | 'index' | 'optionalIndex' | undefined {
  const { id, args } = call;
  const overload = call.candidates.length === 1 ? call.candidates[0] : undefined;
  switch (PLANNED_FUNCTIONS.get(call.name)) {
    case 'and':
      return new LogicalNode(id, args, '&&');
    case 'or':
      return new LogicalNode(id, args, '||');
    case 'equals':
      return new ComparisonNode(call, equal, measureOf(overload));
    case 'notEquals':
      return new ComparisonNode(call, differs, measureOf(overload));
    case 'conditional':
      return 'conditional';
    case 'index':
      return 'index';
    case 'optionalIndex':
      return 'optionalIndex';
    case 'optionalOr':
      return args.length === 2 ? new OptionalOrNode(id, args[0] as Node, args[1] as Node, 'or') : undefined;
    case 'optionalOrValue':
      return args.length === 2 ? new OptionalOrNode(id, args[0] as Node, args[1] as Node, 'orValue') : undefined;
    case 'in':
      return call.folds && isListMembership(call.candidates) ? foldMembership(id, args[0] as Node, args[1] as Node) : undefined;
    case undefined:
      return planConstantPattern(call, overload);
  }
}

function differs(context: EvaluationContext, left: CelValue, right: CelValue): boolean {
  return equal(context, left, right) !== true;
}

function measureOf(overload: Overload | undefined): NonNullable<Overload['measure']> {
  return overload?.measure ?? oneUnit;
}

/**
 * Plans a call of a function such as `matches` with a constant pattern. Planning compiles the pattern, so that an invalid pattern is an
 * error of planning.
 */
function planConstantPattern({ id, name, args, costs }: PlannedCall, overload: Overload | undefined): Node | CelError | undefined {
  const applied = PATTERN_FUNCTIONS.get(name);
  const pattern = args[1];
  if (applied === undefined || !(pattern instanceof ConstantNode) || typeof pattern.value !== 'string') return undefined;
  const compiled = compileRegex(pattern.value);
  if (!compiled.ok) return new CelError(compiled.error);
  const { regex } = compiled;
  const call = (values: readonly CelValue[]): CelValue => applied.apply(regex, values);
  const measure = overload === undefined ? applied.measure : overload.measure;
  return new VariadicCallNode(id, args, { call, variadic: true, nonStrict: false, measure, panics: undefined }, costs);
}
