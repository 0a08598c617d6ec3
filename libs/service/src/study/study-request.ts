import type { DocumentSlice, EvaluationOptions } from '#documents';
import type { PlacedFindings, StudyReport } from '#benchmark';

/** Definition to be studied, and the name of its document. */
export interface StudiedText {
  /** File and number of the document, for display. */
  readonly source: string;
  readonly slice: DocumentSlice;
}

/** Older revision of the definitions, with which a study compares the studied definitions. */
export interface BaseRevision {
  readonly name: string;
  readonly definitions: readonly DocumentSlice[];
}

/** Fields of a rule by which users select the rules that a study examines. */
export interface ChoosableRule {
  readonly version: string;
  readonly path: string;
  readonly rule: string;
}

/** Request for a study: definitions, objects, options and time budget. */
export interface StudyRequest {
  readonly definitions: readonly StudiedText[];
  /** Objects of the user, with which the searches for the most expensive write of each rule begin. */
  readonly objects: readonly DocumentSlice[];
  readonly options: EvaluationOptions;
  /** Time budget in ms for the whole study. */
  readonly budgetMs: number;
  /** Seed of the random choices. The same seed produces the same choices. */
  readonly seed: number;
  /** Older revision; undefined if there is none. Its definitions are paired with the studied definitions by name. */
  readonly base: BaseRevision | undefined;
  /** False if the study measures only costs and no times. Costs are exact even on a busy machine. */
  readonly isTimed: boolean;
  readonly isWanted: (rule: ChoosableRule) => boolean;
}

/** Progress of a running study. */
export interface StudyProgress {
  readonly phase: 'costs' | 'times' | 'comparison';
  /** Number of rules with at least one finding; `rules` is the number of all rules. */
  readonly known: number;
  readonly rules: number;
  /** Remaining time of the budget in ms. */
  readonly leftMs: number;
  /** Rule of the most recent finding, with all findings about it. */
  readonly latest: PlacedFindings;
}

/** Findings of a study. The caller adds the names of the runtime and the processor to get a report. */
export type StudyFindings = Omit<StudyReport, 'node' | 'cpu'>;
