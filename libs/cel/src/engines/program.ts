import type { CancellationToken, Column } from '#go';
import type { ValueSchema } from '../values/schema/value-schema.ts';
import type { CelValue } from '../values/value.ts';
import type { DirectCode, PriceCode } from './codegen/generated-rule.ts';

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
  /** Generated code of a rule, for callers that call it directly. Undefined until code has been generated. */
  readonly direct?: DirectCode | undefined;
  /**
   * Generates the code of a rule for data in which the lists of the given schemas are stored in columns. A column is a long list of scalars
   * that is read in place. Returns undefined if no code can be generated.
   */
  readonly codeForColumns?: (columns: ReadonlySet<ValueSchema>) => DirectCode | undefined;
  /**
   * Generates code that evaluates a rule for all elements of a column, one after another. A column is a long list of scalars that is read
   * in place. Returns undefined if no code can be generated. See `generateElements`.
   */
  readonly codeForElements?: (layout: Column['layout']) => DirectCode | undefined;
  /**
   * Generates code for valid data that computes the cost of a rule if the rule is true. Returns undefined if no code can be generated. See
   * `generatePrice`.
   */
  readonly codeForValid?: () => PriceCode | undefined;
  /**
   * Generates and links the code of the program again. The new program does the same work, but the JavaScript engine has not optimized it
   * yet. Absent if the program has no generated code.
   */
  readonly rebuild?: () => Program;
  evaluate(variables: Variables, limits: EvaluationLimits): Evaluation;
  /**
   * Evaluates a rule several times, with one element after another as `self`. It stops at the first element for which the rule is not true
   * or exceeds the limits. Returns the number of elements before this element and their total cost. The caller must use `evaluate` for this
   * element. The elements must not need any conversion, and the rule must not use `oldSelf`.
   */
  evaluateWhileTrue?(elements: readonly CelValue[], range: ElementRange, limits: EvaluationLimits): TrueElements;
}

/** Range of elements of a list: from index `from` up to index `to`, which is excluded. */
export interface ElementRange {
  readonly from: number;
  readonly to: number;
}

/**
 * Result of evaluating a rule for list elements one after another, up to the first element for which the rule is not true. `count` is the
 * number of elements before this element, and `cost` is the total cost of their evaluations. See {@link Program.evaluateWhileTrue}.
 */
export interface TrueElements {
  readonly count: number;
  readonly cost: number;
}

/**
 * Result of preparing an expression for evaluation: a {@link Program}, or an error message. The preparation fails if a constant part of the
 * expression fails.
 */
export type ProgramResult = { readonly ok: true; readonly program: Program } | { readonly ok: false; readonly error: string };
