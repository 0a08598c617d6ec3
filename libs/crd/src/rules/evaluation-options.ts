import type { CancellationToken } from '#go';
import type { FieldError, FieldPath } from '#kube';
import type { Correlation } from '../object/correlate.ts';
import type { EvaluatedRule } from '../verdict.ts';
import type { RuleObserver } from './compiled-rules.ts';

/** Options for evaluating rules. */
export interface RuleEvaluationOptions {
  /** Path of the value; undefined for a whole object. */
  readonly path: FieldPath | undefined;
  readonly costLimit: number;
  readonly budget: number;
  readonly token: CancellationToken | undefined;
  /** Correlation of the object with its old value. It allows unchanged parts to remain invalid. Undefined if there is no ratcheting. */
  readonly correlation: Correlation | undefined;
  /** True if the result also lists the cost of each rule. */
  readonly explain: boolean;
  readonly observer: RuleObserver | undefined;
  /**
   * True if the error of a failed rule shows the rejected value when it is a scalar. Before Kubernetes 1.35, errors show only the type of
   * the value.
   */
  readonly showsScalars: boolean;
  /** Callback for each failed rule that is only a warning because the value is unchanged. `text` is the text of the warning. */
  readonly warn: (text: string) => void;
  /** Callback for each failed rule whose messageExpression has no effect. `text` is a note in the words of Assay. */
  readonly note?: (text: string) => void;
}

/** Result of evaluating rules: the errors, the remaining budget, and the cost of each rule on request. */
export interface RulesResult {
  readonly errors: FieldError[];
  /** Cost units that are left of the budget. Negative if a cost limit stopped the evaluation. */
  readonly remaining: number;
  readonly evaluated: readonly EvaluatedRule[] | undefined;
}
