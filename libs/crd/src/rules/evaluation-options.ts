import type { CancellationToken } from '#go';
import type { FieldError, FieldPath } from '#kube';
import type { Correlation } from '../object/correlate.ts';
import type { EvaluatedRule } from '../verdict.ts';
import type { RuleObserver } from './compiled-rules.ts';

/** The options for evaluating rules. */
export interface RuleEvaluationOptions {
  /** Path of the value; undefined for a whole object. */
  readonly path: FieldPath | undefined;
  readonly costLimit: number;
  readonly budget: number;
  readonly token: CancellationToken | undefined;
  /** Correlation of the object with its old value. Unchanged parts may remain invalid. Undefined if there is no ratcheting. */
  readonly correlation: Correlation | undefined;
  /** True if the result also lists the cost of each rule. */
  readonly explain: boolean;
  readonly observer: RuleObserver | undefined;
  /** True if an error shows the scalar value that a rule rejects. Before 1.35 an error shows only the type of the value. */
  readonly showsScalars: boolean;
  /** Called with the text of each failed rule that upstream reports as a warning only, because the value is unchanged. */
  readonly warn: (text: string) => void;
}

/** Result of the evaluation of rules. */
export interface RulesResult {
  readonly errors: FieldError[];
  /** Cost units that are left of the budget. Negative if a limit stopped the evaluation. */
  readonly remaining: number;
  readonly evaluated: readonly EvaluatedRule[] | undefined;
}
