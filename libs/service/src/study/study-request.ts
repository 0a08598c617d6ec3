import type { DocumentSlice, EvaluationOptions } from '#evaluation';
import type { PlacedFindings, StudyReport } from '#benchmark';

/** Definition to be studied. */
export interface StudiedText {
  /** File and number of the document, for people. */
  readonly source: string;
  readonly slice: DocumentSlice;
}

/** Older revision of the definitions, with which a study compares. */
export interface BaseRevision {
  readonly name: string;
  readonly definitions: readonly DocumentSlice[];
}

/** Fields of a rule by which users select rules. */
export interface ChoosableRule {
  readonly version: string;
  readonly path: string;
  readonly rule: string;
}

/** The request of a study. */
export interface StudyRequest {
  readonly definitions: readonly StudiedText[];
  /** User's objects, from which cost searches begin. */
  readonly objects: readonly DocumentSlice[];
  readonly options: EvaluationOptions;
  /** Time budget in ms for the whole study. */
  readonly budgetMs: number;
  /** Seed of the random choices. The same seed produces the same choices. */
  readonly seed: number;
  /** Older revision; undefined if there is none. Its definitions are matched with the studied definitions by name. */
  readonly base: BaseRevision | undefined;
  /** False if the study measures no times. Costs are exact and need no quiet machine. */
  readonly isTimed: boolean;
  readonly isWanted: (rule: ChoosableRule) => boolean;
}

/** Progress of a running study. */
export interface StudyProgress {
  readonly phase: 'costs' | 'times' | 'comparison';
  /** Number of rules for which something is known; `rules` is the number of all rules. */
  readonly known: number;
  readonly rules: number;
  /** Remaining time in ms. */
  readonly leftMs: number;
  /** Rule for which something was found most recently. */
  readonly latest: PlacedFindings;
  /** Rule of the older revision that `latest` replaces; absent if there is none. */
  readonly older?: PlacedFindings;
}

/** The findings of a study. The caller adds run time and machine. */
export type StudyFindings = Omit<StudyReport, 'node' | 'cpu'>;
