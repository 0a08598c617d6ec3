import { UNSTATED_CALL } from '../../library/step-prices.ts';
import type { CostVersion } from '../../library/define.ts';
import { EvaluationPanic } from '../../values/errors.ts';
import { CelError } from '../../values/value.ts';
import type { CelValue } from '../../values/value.ts';
import type { Implementation } from './dispatch.ts';
import type { Frame } from './frame.ts';
import type { Node } from './node.ts';

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
