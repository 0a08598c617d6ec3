import type { CostVersion, Measure } from '../../library/define.ts';
import { CelError, NO_SUCH_OVERLOAD, noSuchOverload, Optional } from '../../values/value.ts';
import type { CelValue } from '../../values/value.ts';
import { isUnhashable, unhashable } from '../../values/go-type.ts';
import type { EvaluationContext } from '../../values/evaluation-context.ts';
import type { Frame, Node } from './node.ts';

/**
 * Node of `&&` or `||`. The evaluation ends at the first term with the deciding value (false for `&&`, true for `||`). If no term has this
 * value, the first error is the result. The operator itself costs nothing.
 */
export class LogicalNode implements Node {
  readonly id: number;
  readonly #terms: readonly Node[];
  /** The value of a term that decides the result: false for `&&`, true for `||`. */
  readonly #deciding: boolean;
  constructor(id: number, terms: readonly Node[], operator: '&&' | '||') {
    this.id = id;
    this.#terms = terms;
    this.#deciding = operator === '||';
  }
  eval(frame: Frame): CelValue {
    let error: CelError | undefined;
    for (const term of this.#terms) {
      const value = term.eval(frame);
      if (value === this.#deciding) return value;
      if (typeof value !== 'boolean') error ??= noSuchOverload(value);
    }
    return error ?? !this.#deciding;
  }
}

/** Function that compares two values that are not errors. */
type Compare = (context: EvaluationContext, left: CelValue, right: CelValue) => CelValue;

/** A planned comparison: its node id, its two operands and the cost formulas. */
interface ComparedCall {
  readonly id: number;
  readonly args: readonly Node[];
  readonly costs: CostVersion;
}

/**
 * Node of `==` or `!=`. The cost is charged even if an operand fails. Since 1.38, the right operand is not evaluated if the left one fails.
 */
export class ComparisonNode implements Node {
  readonly id: number;
  readonly #left: Node;
  readonly #right: Node;
  readonly #compare: Compare;
  readonly #measure: Measure;
  readonly #costs: CostVersion;
  constructor({ id, args, costs }: ComparedCall, compare: Compare, measure: Measure) {
    this.id = id;
    [this.#left, this.#right] = args as readonly [Node, Node];
    this.#compare = compare;
    this.#measure = measure;
    this.#costs = costs;
  }
  eval(frame: Frame): CelValue {
    const left = this.#left.eval(frame);
    // Since 1.38, if the left operand fails, Kubernetes skips the right operand and charges as if its size were 1. Errors have size 1, so
    // the error replaces the right operand.
    const right = left instanceof CelError && frame.semantics.failuresEndCalls ? left : this.#right.eval(frame);
    const value = left instanceof CelError ? left : right instanceof CelError ? right : this.#compare(frame, left, right);
    frame.charge(this.#measure([left, right], value, this.#costs), this.id);
    return value;
  }
}

/** Node of `a.or(b)` or `a.orValue(b)`. `b` is evaluated only if `a` is empty. The call itself costs nothing. */
export class OptionalOrNode implements Node {
  readonly id: number;
  readonly #left: Node;
  readonly #right: Node;
  readonly #unwraps: boolean;
  constructor(id: number, left: Node, right: Node, method: 'or' | 'orValue') {
    this.id = id;
    this.#left = left;
    this.#right = right;
    this.#unwraps = method === 'orValue';
  }
  eval(frame: Frame): CelValue {
    const left = this.#left.eval(frame);
    if (left instanceof CelError) return left;
    if (!(left instanceof Optional)) return frame.semantics.anythingIsOptional ? left : NO_SUCH_OVERLOAD;
    if (left.value === undefined) return this.#right.eval(frame);
    return this.#unwraps ? left.value : left;
  }
}

/**
 * Node of `x in [constants]`, which is implemented as a look-up. The look-up costs nothing. Source: cel-go interpreter/decorators.go
 * `maybeOptimizeSetMembership` (v0.29.2).
 */
export class SetMembershipNode implements Node {
  readonly id: number;
  readonly #value: Node;
  readonly #has: (value: CelValue) => boolean;
  constructor(id: number, value: Node, has: (value: CelValue) => boolean) {
    this.id = id;
    this.#value = value;
    this.#has = has;
  }
  eval(frame: Frame): CelValue {
    const value = this.#value.eval(frame);
    if (value instanceof CelError) return value;
    if (isUnhashable(value)) throw unhashable(value);
    return this.#has(value);
  }
}
