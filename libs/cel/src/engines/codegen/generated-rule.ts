import type { CancellationToken, JsonValue } from '#go';
import { EvaluationContext } from '../../values/evaluation-context.ts';
import type { CelValue } from '../../values/value.ts';

/**
 * State of evaluations by generated code, one after another: the context that functions use, and the variable in which the code stores its
 * cost.
 */
export class GeneratedRun extends EvaluationContext {
  cost = 0;

  /** Begins an evaluation with its cancellation token. */
  begin(token: CancellationToken | undefined): void {
    this.token = token;
  }
}

/**
 * Function type of generated code. The first two arguments of a rule are `self` and `oldSelf`. Each is raw data if the schema is a list or
 * an object, and a CEL value otherwise.
 *
 * For any other expression, the first argument contains its variables. Loops poll `token`. The function returns undefined if it meets data
 * or operations that it does not support. The interpreter must then evaluate the expression.
 */
export type GeneratedRule = (
  self: JsonValue | CelValue | Readonly<Record<string, CelValue | undefined>> | undefined,
  oldSelf: JsonValue | CelValue | undefined,
  limit: number,
  token: CancellationToken,
  run: GeneratedRun,
) => CelValue | undefined;

/**
 * Generated code of a rule, for callers that have raw data and call the code without creating variables. The code may return undefined or a
 * cost beyond the limit. In both cases the caller must evaluate the rule by its program.
 */
export interface DirectCode {
  readonly rule: GeneratedRule;
  /** Object in which the code stores its cost. */
  readonly run: GeneratedRun;
  /**
   * True if the code has loops, or calls functions with loops. Then `run` must get the token first, and the call may
   * throw `Cancelled` or `EvaluationPanic`.
   */
  readonly runsLong: boolean;
}

/**
 * Function that returns the cost of a rule that is true. It returns undefined if it cannot determine that the rule is true. See
 * `generatePrice`.
 */
export type RulePrice = (
  self: JsonValue,
  limit: number,
  token: CancellationToken,
  run: GeneratedRun,
  ...fields: readonly (JsonValue | undefined)[]
) => number | undefined;

/** Generated code that computes the cost of a rule for valid data. The returned cost may exceed the limit. */
export interface PriceCode {
  readonly price: RulePrice;
  /** Fields of the object that are passed to `price` as arguments, in this order. */
  readonly fields: readonly string[];
  readonly run: GeneratedRun;
  /** See {@link DirectCode.runsLong}. */
  readonly runsLong: boolean;
}
