import type { StudyReport } from '#benchmark';

/** Outcome of a study (benchmark of rules): the report, or a sentence with the reason why there is none. */
export type StudyOutcome =
  | {
      readonly kind: 'studied';
      readonly report: StudyReport;
      /** Reason in words why the report is incomplete; absent if the study (benchmark) was not stopped early. */
      readonly stopped?: string;
    }
  | { readonly kind: 'failed'; readonly problem: string };

/** Signals and callbacks with which the caller controls and follows a running study. */
export interface StudyWatch {
  /** Signal that ends the study when it is aborted. */
  readonly signal: AbortSignal;
  /** Reports the progress of the study. `text` is called only if the progress is displayed. */
  readonly report: (text: () => string) => void;
}

/** Reason why the report of a study is incomplete: the user ended the study. */
export const INTERRUPTED = 'interrupted';
