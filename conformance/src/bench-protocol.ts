import type { JudgingEngine } from './judging-engine.ts';

/** Task of a judging process: the kind of answer to each line, and the engine that evaluates rules. */
export type BenchTask = { readonly engine: JudgingEngine } &
  /** A case of the oracle's protocol; the answer is the verdict line. */
  (
    | { readonly kind: 'verdict'; readonly minor: string; readonly crdFolder: string; readonly gates?: Readonly<Record<string, boolean>> }
    /** `{case, verdict, unstable?}`; the answer is a {@link RecordedCaseResult}. */
    | { readonly kind: 'golden'; readonly minor: string; readonly crdFolder: string }
    /** A line of `upstream/<file>`; the answer is a {@link RecordedCaseResult}. */
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
