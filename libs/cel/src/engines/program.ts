import type { CancellationToken, Column } from '#go';
import type { ValueSchema } from '../values/schema/value-schema.ts';
import type { CelValue } from '../values/value.ts';
import type { DirectCode, PriceCode } from './codegen/generated-rule.ts';

/**
 * Values of variables in one evaluation, by name. Reading a name without a value is an error of the expression. Rules
 * have `self` and `oldSelf`, which is an optional value under `optionalOldSelf`.
 */
export type Variables = Readonly<Record<string, CelValue | undefined>>;

/** The limits of one evaluation. */
export interface EvaluationLimits {
  /** Cost units after which the evaluation fails. */
  readonly costLimit: number;
  readonly token: CancellationToken | undefined;
}

/** The result of one evaluation. */
export interface Evaluation {
  /** An error of the expression is a value too; a fatal one says that the cost limit was exceeded or the evaluation cancelled. */
  readonly value: CelValue;
  /** Cost units spent. */
  readonly cost: number;
  /** Readings per node, for programs that measure. */
  readonly readings?: NodeReadings;
}

/** Readings of the nodes of an expression in one evaluation, by node id. */
export interface NodeReadings {
  /** Cost units of a node by itself. They sum up to the cost of the evaluation. */
  readonly costs: ReadonlyMap<number, number>;
  /** Number of evaluations of a node. A step counts as often as its chain, even if the chain stops before it. */
  readonly evaluations: ReadonlyMap<number, number>;
  /** Elements or keys of the ranges of a comprehension, by its node id. A loop that ends early does not reach all of them. */
  readonly elements: ReadonlyMap<number, number>;
}

/** An expression ready to be evaluated any number of times. */
export interface Program {
  /** Engine that runs the program. */
  readonly engine: 'compiled' | 'interpreted';
  /** Why the interpreter runs it although generated code could have: what the generator has no code for, or a host that links none. */
  readonly obstacle?: string | undefined;
  /** The generated code of a rule by itself, as soon as there is some. */
  readonly direct?: DirectCode | undefined;
  /**
   * Generates the code of a rule for data in which the lists of these schemas are in columns; undefined if there is
   * none.
   */
  readonly codeForColumns?: (columns: ReadonlySet<ValueSchema>) => DirectCode | undefined;
  /** Generates the code that evaluates a rule on all elements of a column of a layout one after the other; undefined where there is none. See `generateElements`. */
  readonly codeForElements?: (layout: Column['layout']) => DirectCode | undefined;
  /** Generates the code that prices a rule over valid data where it is true; undefined where there is none. See `generatePrice`. */
  readonly codeForValid?: () => PriceCode | undefined;
  evaluate(variables: Variables, limits: EvaluationLimits): Evaluation;
  /**
   * Evaluates with one element after another as `self`, as long as the result is true and within the limits. Returns
   * the number of such elements and their total cost; the next element needs `evaluate`. The elements must need no
   * conversion, and the rule must not use `oldSelf`.
   */
  evaluateWhileTrue?(elements: readonly CelValue[], range: ElementRange, limits: EvaluationLimits): TrueElements;
}

/** Elements of a list from `from` up to, but not including, `to`. */
export interface ElementRange {
  readonly from: number;
  readonly to: number;
}

/** The outcome of {@link Program.evaluateWhileTrue}. */
export interface TrueElements {
  readonly count: number;
  readonly cost: number;
}

/** A program, or why none can be made: a constant part of the expression fails. */
export type ProgramResult = { readonly ok: true; readonly program: Program } | { readonly ok: false; readonly error: string };
