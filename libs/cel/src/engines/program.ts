import type { CancellationToken, Column, JsonValue } from '#go';
import { EvaluationContext } from '../values/evaluation-context.ts';
import type { ValueSchema } from '../values/schema/value-schema.ts';
import type { CelValue } from '../values/value.ts';

/**
 * Values of the variables in one evaluation, by name. Reading a variable without a value is an error of the expression. Rules have `self`
 * and `oldSelf`. If `optionalOldSelf` is true, `oldSelf` is an optional.
 */
export type Variables = Readonly<Record<string, CelValue | undefined>>;

/** Cost limit and cancellation token of one evaluation. */
export interface EvaluationLimits {
  /** Maximum cost of the evaluation in cost units. The evaluation fails if its cost exceeds this limit. */
  readonly costLimit: number;
  readonly token: CancellationToken | undefined;
}

/** The result of one evaluation. */
export interface Evaluation {
  /**
   * Value of the expression. If the expression fails, the value is an error. A fatal error means that the cost limit was exceeded or that
   * the evaluation was cancelled.
   */
  readonly value: CelValue;
  /** Cost units that the evaluation spent. */
  readonly cost: number;
  /** Costs and counts of each node. Present only for programs of the engine `measured`. */
  readonly readings?: NodeReadings;
}

/** Costs and counts of the nodes of an expression in one evaluation, by node id. */
export interface NodeReadings {
  /** Cost units of each node without its children. Their sum is the cost of the evaluation. */
  readonly costs: ReadonlyMap<number, number>;
  /**
   * Number of evaluations of each node. A selection in `a.b.c` is counted each time the whole expression is resolved, even if an earlier
   * selection ends it.
   */
  readonly evaluations: ReadonlyMap<number, number>;
  /**
   * Number of elements or keys in the range (list or map) of each comprehension, added up over all its evaluations. Elements that a loop
   * skipped because it ended early are included.
   */
  readonly elements: ReadonlyMap<number, number>;
}

/** CEL expression that is prepared for evaluation by the interpreter or as generated code. It can be evaluated any number of times. */
export interface Program {
  /** Engine that runs the program. */
  readonly engine: 'compiled' | 'interpreted';
  /**
   * Reason why the program is interpreted although generated code was requested. Either the generator does not support a part of the
   * expression, or the host cannot link code. Absent if there is no such reason.
   */
  readonly obstacle?: string | undefined;
  /**
   * Cost units that the interpreter may still spend on the program before generated code runs it. Absent if the program never changes its
   * engine. The value is 0 or less if the next evaluation runs generated code.
   */
  readonly warmupCost?: number | undefined;
  /**
   * Returns generated code of a rule for callers that call it directly, or undefined if there is none. For the layout `value` it is the code
   * that the program itself runs, and absent while it is interpreted. For any other layout each call generates the code.
   */
  readonly codeFor?: CodeFor;
  /**
   * Generates and links the code of the program again. The new program does the same work, but the JavaScript engine has not optimized it
   * yet. Absent if the program has no generated code.
   */
  readonly rebuild?: () => Program;
  evaluate(variables: Variables, limits: EvaluationLimits): Evaluation;
}

/**
 * Layout of the data for which code of a rule is generated. A column is a long list of scalars that is read in place.
 *
 * - `value`: JSON values
 * - `valid`: JSON values that are valid under their schema. The code computes only the cost of a rule that is true. See `generatePrice`.
 * - `columns`: JSON values in which the lists of the given schemas are columns
 * - `elements`: a column. The code evaluates the rule for each element. See `generateElements`.
 */
export type CodeLayout = 'value' | 'valid' | { readonly columns: ReadonlySet<ValueSchema> } | { readonly elements: Column['layout'] };

/** Function that returns code for a layout. The layout `valid` has code of its own form. See {@link Program.codeFor}. */
export interface CodeFor {
  (layout: 'valid'): PriceCode | undefined;
  (layout: Exclude<CodeLayout, 'valid'>): DirectCode | undefined;
}

/**
 * Result of preparing an expression for evaluation: a {@link Program}, or an error message. The preparation fails if a constant part of the
 * expression fails.
 */
export type ProgramResult = { readonly ok: true; readonly program: Program } | { readonly ok: false; readonly error: string };

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
