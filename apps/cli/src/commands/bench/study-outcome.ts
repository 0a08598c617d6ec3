import type { StudyReport } from '#benchmark';
import { times } from '#numbers';
import type { StudyProgress } from '#service';

/** Outcome of a study: the report, or a sentence with the reason why there is none. */
export type StudyOutcome =
  | {
      readonly kind: 'studied';
      readonly report: StudyReport;
      /** Reason in words why the report is incomplete; absent if the study was not stopped early. */
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

/** Progress of a study, reduced to what a progress line shows. */
export interface ShownProgress extends Pick<StudyProgress, 'phase' | 'known' | 'rules' | 'leftMs'> {
  /** Rule with the latest findings; absent if no rule has findings yet. */
  readonly latest?: {
    readonly version: string;
    readonly path: string;
    /** Field with which the cost grows fastest; absent if there is none. */
    readonly growsWith?: string | undefined;
    readonly costExponent?: number | undefined;
    /** Cost of the most expensive write in cost units; absent if none was found. */
    readonly cost?: number | undefined;
  };
}

/** Returns the part of a study's progress that a progress line shows. */
export function shownProgress({ latest: { version, path, growsWith, worst }, ...figures }: StudyProgress): ShownProgress {
  const [steepest] = growsWith;
  return { ...figures, latest: { version, path, growsWith: steepest?.field, costExponent: steepest?.costExponent, cost: worst?.cost } };
}

const PHASES = { costs: 'costs', times: 'times', comparison: 'beside the older revision' } as const;

/** Returns the progress line of a running study. */
export function studyProgressText({ phase, known, rules, leftMs, latest }: ShownProgress): string {
  const figures = `${PHASES[phase]}: ${known} of ${times(rules, 'rule')}, ${Math.ceil(leftMs / 1000)} s left`;
  if (latest === undefined) return figures;
  const { version, path, growsWith, costExponent = 0, cost } = latest;
  const growth = growsWith === undefined ? '' : ` grows with ${growsWith} as n^${costExponent.toFixed(1)};`;
  const costliest = cost === undefined ? ' no write found yet' : ` highest cost found: ${cost} units`;
  return `${figures}; ${version} ${path}:${growth}${costliest}`;
}
