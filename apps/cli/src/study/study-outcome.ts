import type { StudyReport } from '#benchmark';

/** The outcome of a study. */
export type StudyOutcome =
  | {
      readonly kind: 'studied';
      readonly report: StudyReport;
      /** The reason why the report is about a part only, as words; absent if nobody stopped the study. */
      readonly stopped?: string;
    }
  | { readonly kind: 'failed'; readonly problem: string };

/** The caller's side of a study that goes on. */
export interface StudyWatch {
  /** Raised to end the study. */
  readonly signal: AbortSignal;
  /** Takes news; the text is made only if it is shown. */
  readonly report: (text: () => string) => void;
}

/** The words for a study that the user ended. */
export const INTERRUPTED = 'interrupted';
