import type { CancellationToken, JsonValue } from '#go';
import { EvaluationContext } from '../../values/evaluation-context.ts';
import type { CelValue } from '../../values/value.ts';

/** One evaluation by generated code after the other: what functions ask about it, and where the code leaves what it cost. */
export class GeneratedRun extends EvaluationContext {
  cost = 0;

  /** Begins an evaluation. */
  begin(token: CancellationToken | undefined): void {
    this.token = token;
  }
}

/**
 * Generated code. The first two arguments of a rule are `self` and `oldSelf`: raw data where the schema is a list or an object, else CEL values.
 * The first one of any other expression holds its variables. Loops poll `token`.
 * Gives undefined when it met what it does not handle: then the interpreter has the word.
 */
export type GeneratedRule = (
  self: JsonValue | CelValue | Readonly<Record<string, CelValue | undefined>> | undefined,
  oldSelf: JsonValue | CelValue | undefined,
  limit: number,
  token: CancellationToken,
  run: GeneratedRun,
) => CelValue | undefined;

/**
 * A rule's generated code, for whoever has raw data at hand and calls it without variables around them. The code may give undefined, or a cost
 * beyond the limit: both say that the program has to evaluate.
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
 * A function that returns the cost of a true rule; undefined if it cannot show that the rule is true. See
 * `generatePrice`.
 */
export type RulePrice = (
  self: JsonValue,
  limit: number,
  token: CancellationToken,
  run: GeneratedRun,
  ...fields: readonly (JsonValue | undefined)[]
) => number | undefined;

/** A rule's generated code over valid data. The cost that it gives may be beyond the limit. */
export interface PriceCode {
  readonly price: RulePrice;
  /** The fields of an object that the code is handed, in their order. */
  readonly fields: readonly string[];
  readonly run: GeneratedRun;
  /** See {@link DirectCode.runsLong}. */
  readonly runsLong: boolean;
}
