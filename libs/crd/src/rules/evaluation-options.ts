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
  /** The object beside its old value; unchanged parts may stay invalid. */
  readonly correlation: Correlation | undefined;
  /** Also list the cost of each rule. */
  readonly explain: boolean;
  readonly observer: RuleObserver | undefined;
  /** True if an error shows the scalar that a rule refuses. Before 1.35 it shows the value's type. */
  readonly showsScalars: boolean;
  /** Receives failures that upstream tolerates. */
  readonly warn: (text: string) => void;
}

/** What rules said. */
export interface RulesResult {
  readonly errors: FieldError[];
  /** Units left; negative when a limit stopped the evaluation. */
  readonly remaining: number;
  readonly evaluated: readonly EvaluatedRule[] | undefined;
}
