import type { Minor } from '#kube';
import type { JudgingEngine } from './judging-engine.ts';

/**
 * Task of a process that computes the answers to test cases, one case on each line of its input. It contains the kind of lines and answers,
 * and the engine that evaluates rules.
 */
export type BenchTask = { readonly engine: JudgingEngine } &
  /**
   * Task whose lines are cases in the format of the oracle, a program that calls the validators of Kubernetes. The answer to each line is
   * Assay's verdict on the case, as one line of JSON.
   */
  (
    | { readonly kind: 'verdict'; readonly minor: Minor; readonly crdFolder: string; readonly gates?: Readonly<Record<string, boolean>> }
    /** Task whose lines are `{case, verdict, unstable?}`; the answer to each line is a {@link RecordedCaseResult}. */
    | { readonly kind: 'golden'; readonly minor: Minor; readonly crdFolder: string }
    /** Task whose lines are those of `upstream/<file>`; the answer to each line is a {@link RecordedCaseResult}. */
    | { readonly kind: 'upstream'; readonly file: string }
  );

/** Message to a process that computes answers: lines, and the task to which they belong. */
export interface BenchRequest {
  readonly task: BenchTask;
  readonly lines: readonly string[];
}

/**
 * Result of comparing Assay with one recorded case, whose expected result comes from Kubernetes. A golden file contains verdicts, and an
 * upstream file contains results of functions.
 */
export interface RecordedCaseResult {
  readonly id: string;
  readonly outcome: 'exact' | 'verdict' | 'differs' | 'missing' | 'skipped';
  /** Class of the difference, such as `object: errors + warnings`, or the reason why the case was skipped or has no answer. */
  readonly what: string;
  readonly golden?: string;
  readonly ours?: string;
}
