import type { CancellationToken, JsonValue } from '#go';
import { EvaluationContext } from '../../values/evaluation-context.ts';
import type { CelValue } from '../../values/value.ts';

/**
 * State that generated code of a CEL expression uses: the evaluation context for called functions, and the cost of the last evaluation. One
 * instance is reused for all evaluations of the expression.
 */
export class GeneratedRun extends EvaluationContext {
  cost = 0;

  /** Sets the cancellation token before an evaluation begins. */
  begin(token: CancellationToken | undefined): void {
    this.token = token;
  }
}

/**
 * Function that is generated for a CEL expression and computes its value. For a rule, the first two arguments are `self` and `oldSelf`.
 * Each is plain JSON data if its schema is a list or an object, and a CEL value otherwise.
 *
 * For any other expression, the first argument contains its variables. Loops poll `token`. The function returns undefined if the cost
 * exceeds `limit`, or if it meets data or operations that it does not support. The interpreter must then evaluate the expression.
 */
export type GeneratedRule = (
  self: JsonValue | CelValue | Readonly<Record<string, CelValue | undefined>> | undefined,
  oldSelf: JsonValue | CelValue | undefined,
  limit: number,
  token: CancellationToken,
  run: GeneratedRun,
) => CelValue | undefined;

/**
 * Generated code of a rule, for callers that have JSON data instead of CEL variables. If the code returns undefined or its cost exceeds the
 * limit, the caller must evaluate the rule with its compiled program.
 */
export interface DirectCode {
  readonly rule: GeneratedRule;
  /** Object in which the code stores its cost. */
  readonly run: GeneratedRun;
  /**
   * True if the code contains loops, or calls of functions that contain loops. If it is true, `run` must be given the token before the
   * call, and the call may throw `Cancelled` or `EvaluationPanic`.
   */
  readonly runsLong: boolean;
}

/**
 * Function that returns the cost of a rule if the rule is true. It returns undefined if the rule is not true or if the function cannot
 * determine the result. See `generatePrice`.
 */
export type RulePrice = (
  self: JsonValue,
  limit: number,
  token: CancellationToken,
  run: GeneratedRun,
  ...fields: readonly (JsonValue | undefined)[]
) => number | undefined;

/** Generated code that computes the cost of a rule for data that is valid under its schema. The returned cost may exceed the limit. */
export interface PriceCode {
  readonly price: RulePrice;
  /** Names of the fields of `self` whose values are passed to `price` as arguments, in this order. */
  readonly fields: readonly string[];
  readonly run: GeneratedRun;
  /** True if the code contains loops, or calls of functions that contain loops. See {@link DirectCode.runsLong}. */
  readonly runsLong: boolean;
}
