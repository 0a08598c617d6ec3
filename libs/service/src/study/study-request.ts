import type { DocumentSlice, EvaluationOptions } from '#evaluation';
import type { PlacedFindings, StudyReport } from '#benchmark';

/** A definition under study. */
export interface StudiedText {
  /** File and number of the document, for people. */
  readonly source: string;
  readonly slice: DocumentSlice;
}

/** An older revision of definitions. */
export interface BaseRevision {
  readonly name: string;
  readonly definitions: readonly DocumentSlice[];
}

/** A rule as people choose it. */
export interface ChoosableRule {
  readonly version: string;
  readonly path: string;
  readonly rule: string;
}

/** The request of a study. */
export interface StudyRequest {
  readonly definitions: readonly StudiedText[];
  /** Objects of the user's, from which searches begin. */
  readonly objects: readonly DocumentSlice[];
  readonly options: EvaluationOptions;
  /** Time for all of it, ms. */
  readonly budgetMs: number;
  /** The same seed gives the same choices at random. */
  readonly seed: number;
  /** The older revision, whose definitions are found by their names; undefined if there is none. */
  readonly base: BaseRevision | undefined;
  /** False to take no times: costs are exact and need no quiet machine. */
  readonly isTimed: boolean;
  readonly isWanted: (rule: ChoosableRule) => boolean;
}

/** The state of a study that goes on. */
export interface StudyProgress {
  readonly phase: 'costs' | 'times' | 'comparison';
  /** Rules of which something is known, and all. */
  readonly known: number;
  readonly rules: number;
  /** Time that is left, ms. */
  readonly leftMs: number;
  /** The rule of which something was found. */
  readonly latest: PlacedFindings;
  /** The rule of the older revision that it replaces; absent if there is none. */
  readonly older?: PlacedFindings;
}

/** The findings of a study. The caller adds run time and machine. */
export type StudyFindings = Omit<StudyReport, 'node' | 'cpu'>;
