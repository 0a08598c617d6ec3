import type { DefinitionReport, Explanation, ObjectEffect, Verdict } from '#evaluation';
import type { PlacedFindings } from '#benchmark';
import type { StudyBody, StudyProgress, VersionMatrix } from '#service';
import type { Minor } from '#kube';
import type { MendingBound } from '#source';
import type { ChosenRule } from '../state/page-state.ts';
import type { Pane, Texts } from '../state/texts.ts';

/** The requests of the page to its judging worker. */
export type JudgeAsk =
  | { readonly kind: 'evaluate'; readonly texts: Texts; readonly minor: Minor }
  | { readonly kind: 'versions'; readonly texts: Texts }
  | { readonly kind: 'what-if'; readonly texts: Texts; readonly minor: Minor }
  | { readonly kind: 'explain'; readonly texts: Texts; readonly minor: Minor }
  | { readonly kind: 'mend'; readonly texts: Texts; readonly minor: Minor }
  | { readonly kind: 'suite'; readonly texts: Texts; readonly minor: Minor }
  | { readonly kind: 'evaluate-files'; readonly texts: Texts; readonly files: readonly File[]; readonly minor: Minor }
  | { readonly kind: 'study-body'; readonly texts: Texts; readonly ask: BenchmarkAsk }
  | BenchmarkAsk;

/** The request to study one rule. */
export interface BenchmarkAsk {
  readonly kind: 'benchmark';
  readonly texts: Texts;
  readonly minor: Minor;
  readonly rule: ChosenRule;
  /** The text of the older definitions; undefined if there is none. */
  readonly older: string | undefined;
  /** False to take no times. */
  readonly isTimed: boolean;
  /** Time for all of it, ms. */
  readonly budgetMs: number;
}

/** The answer to each kind of {@link JudgeAsk}. */
export interface JudgeAnswers {
  readonly evaluate: Evaluation;
  readonly versions: VersionMatrix;
  readonly 'what-if': WhatIfAnswer;
  readonly explain: Explanation;
  readonly mend: MendAnswer;
  readonly suite: string;
  readonly 'evaluate-files': FilesEvaluation;
  readonly benchmark: BenchmarkAnswer;
  readonly 'study-body': StudyBody;
}

/** The study of one rule: a partial one, or the whole. */
export type BenchmarkAnswer =
  | {
      readonly kind: 'studied';
      /** The phase of a study that goes on; `over` if it came to its end. */
      readonly phase: StudyProgress['phase'] | 'over';
      readonly findings: PlacedFindings;
      /** The older rule that it replaces; absent if there is none. */
      readonly older?: PlacedFindings;
      /** True if rules run as generated code. Otherwise the interpreter takes all times. */
      readonly compiles: boolean;
      /** The address of the trace of the study; absent in a browser, and if the service knows none. */
      readonly trace?: string;
    }
  | { readonly kind: 'notStudied'; readonly why: string };

/** The definitions with all bounds that a server asks of them. */
export interface MendAnswer {
  /** The pane's whole text. */
  readonly text: string;
  readonly bounds: readonly MendingBound[];
  /** Why definitions are still refused. */
  readonly notMended: readonly string[];
}

/** Something that a server says, at its place in a pane: lines and columns from 1, columns in code points. */
export interface PlacedFinding {
  readonly severity: 'error' | 'warning' | 'note';
  readonly field?: string;
  readonly message: string;
  readonly at?: { readonly line: number; readonly column: number; readonly endLine: number; readonly endColumn: number };
}

/** A report on one document. */
export interface DocumentReport {
  readonly pane: Pane;
  /** Line at which the document begins, from 1. */
  readonly line: number;
  /** Kind and name, as far as they can be read. */
  readonly title: string;
  readonly outcome: Verdict['outcome'];
  /** The server's whole refusal. */
  readonly message?: string;
  readonly code?: number;
  readonly reason?: string;
  readonly warnings: readonly string[];
  readonly findings: readonly PlacedFinding[];
  /** CEL cost units of the write; -1 where a limit ended it. */
  readonly cost?: number;
  /** Cost of each rule. */
  readonly rules?: readonly { readonly path: string; readonly rule: string; readonly cost: number }[];
  /** The accepted object as it would be stored, as JSON text. */
  readonly stored?: string;
  /** True if the write was judged as an update of a stored object. */
  readonly isUpdate?: boolean;
}

/** A server's answers to all documents. */
export interface Evaluation {
  readonly definitions: readonly DocumentReport[];
  readonly policies: readonly DocumentReport[];
  readonly objects: readonly DocumentReport[];
  /** Objects by outcome. */
  readonly counts: Readonly<Record<Verdict['outcome'], number>>;
  readonly spentMs: number;
  /** True if rules run as generated code. Otherwise they are interpreted, at the same cost units. */
  readonly compiles: boolean;
}

/** The effects of changed definitions on objects, definition by definition. */
export interface WhatIfAnswer {
  readonly changes: readonly {
    readonly definition: DefinitionReport;
    readonly counts: Readonly<Partial<Record<ObjectEffect['effect'], number>>>;
    readonly objects: readonly ObjectEffect[];
  }[];
  /** Names of definitions that only one side has. */
  readonly unpaired: readonly string[];
}

/** The result for files that are too large for an editor: counts, and the first refusals. */
export interface FilesEvaluation {
  readonly counts: Readonly<Record<Verdict['outcome'], number>>;
  readonly definitions: readonly { readonly name: string; readonly accepted: boolean; readonly message?: string }[];
  /** The first that are not accepted. */
  readonly refused: readonly { readonly file: string; readonly index: number; readonly title: string; readonly message: string }[];
  readonly spentMs: number;
}
