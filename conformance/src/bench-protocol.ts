import type { JudgingEngine } from './judging-engine.ts';

/** Task of a process that computes verdicts: the kind of its lines and answers, and the engine that evaluates rules. */
export type BenchTask = { readonly engine: JudgingEngine } &
  /** Task whose lines are cases of the oracle's protocol; the answer to each line is its verdict line. */
  (
    | { readonly kind: 'verdict'; readonly minor: string; readonly crdFolder: string; readonly gates?: Readonly<Record<string, boolean>> }
    /** Task whose lines are `{case, verdict, unstable?}`; the answer to each line is a {@link RecordedCaseResult}. */
    | { readonly kind: 'golden'; readonly minor: string; readonly crdFolder: string }
    /** Task whose lines are those of `upstream/<file>`; the answer to each line is a {@link RecordedCaseResult}. */
    | { readonly kind: 'upstream'; readonly file: string }
  );

/** Result of one case of a golden or upstream file. */
export interface RecordedCaseResult {
  readonly id: string;
  readonly outcome: 'exact' | 'verdict' | 'differs' | 'missing' | 'skipped';
  /** Class of the difference, such as `object: errors + warnings`, or the reason why the case was skipped. */
  readonly what: string;
  readonly golden?: string;
  readonly ours?: string;
}
