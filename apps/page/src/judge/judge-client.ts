import type { PlacedFindings } from '#benchmark';
import type { DefinitionReport, Explanation, ObjectEffect, Verdict, MendingBound } from '#documents';
import type { Minor } from '#kube';
import type { StudyBody, StudyProgress, VersionMatrix } from '#service';
import type { ChosenRule } from '../state/page-state.ts';
import type { Pane, Texts } from '../state/texts.ts';
import { WatchedWorker } from '../worker/watched-worker.ts';

/** Client of the page's worker that computes verdicts. */
export type JudgeClient = WatchedWorker<JudgeAsk, JudgeAnswers>;

/**
 * Longest time in ms without a message from the worker that computes verdicts. A rule that uses its whole cost budget takes one to three
 * seconds.
 */
const SILENCE_MS = 12_000;

/** Starts the worker that computes verdicts, and returns its client. */
export function startJudge(): JudgeClient {
  return new WatchedWorker(
    () => new Worker(new URL('../worker/worker.ts', import.meta.url), { type: 'module', name: 'judge' }),
    SILENCE_MS,
  );
}

/** The requests of the page to its worker that computes verdicts. */
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
  /** Text of the older definitions; undefined if there are none. */
  readonly older: string | undefined;
  /** True if the study also measures times; false if it measures none. */
  readonly isTimed: boolean;
  /** Time budget in ms for the whole study. */
  readonly budgetMs: number;
}

/** Types of the worker's answers to the page, by the kind of the request ({@link JudgeAsk}). */
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

/** Answer to a request to study one rule: the findings so far, all findings, or the reason why the rule was not studied. */
export type BenchmarkAnswer =
  | {
      readonly kind: 'studied';
      /** Phase of a running study; `over` if the study has ended. */
      readonly phase: StudyProgress['phase'] | 'over';
      readonly findings: PlacedFindings;
      /**
       * True if rules run as generated code. If it is false, the interpreter runs the rules, and all times are times of the interpreter.
       */
      readonly compiles: boolean;
      /** Machine on which the study ran and measured. */
      readonly place: 'browser' | 'service';
      /** The address of the trace of the study. Absent if the study ran in the browser, or if the service provides no address. */
      readonly trace?: string;
    }
  | { readonly kind: 'notStudied'; readonly why: string };

/** Answer to the request to add all bounds that a server requires to the page's definitions. */
export interface MendAnswer {
  /** Whole text of the pane after the bounds were added. */
  readonly text: string;
  readonly bounds: readonly MendingBound[];
  /** Reasons why definitions are still refused. */
  readonly notMended: readonly string[];
}

/**
 * Error, warning or note in a server's answer, with its position in the text of an editor of the page. Lines and columns count from 1, and
 * columns are in code points.
 */
export interface PlacedFinding {
  readonly severity: 'error' | 'warning' | 'note';
  readonly field?: string;
  readonly message: string;
  readonly at?: { readonly line: number; readonly column: number; readonly endLine: number; readonly endColumn: number };
}

/** Rule, with its position in the text of an editor of the page. The pane and the position are absent if the rule was not found. */
export interface RulePlace {
  readonly rule: string;
  readonly pane?: Pane;
  /** Line and column, from 1. Columns are in code points. */
  readonly at?: { readonly line: number; readonly column: number };
}

/** Verdict on one document in a text panel of the page, with the data that the page shows about it. */
export interface DocumentReport {
  readonly pane: Pane;
  /** Line at which the document begins, from 1. */
  readonly line: number;
  /** Kind and name of the document, as far as they can be read. */
  readonly title: string;
  readonly outcome: Verdict['outcome'];
  /** True if the text of the document cannot be read, so that its kind is unknown. */
  readonly isUnread?: boolean;
  /** Complete message of the server's refusal; absent if the document is not refused. */
  readonly message?: string;
  /** Refused definition because of which the object has no verdict. The error is at the definition, and `message` only repeats it. */
  readonly refusedDefinition?: Pick<DocumentReport, 'title' | 'pane' | 'line'>;
  readonly code?: number;
  readonly reason?: string;
  readonly warnings: readonly string[];
  readonly findings: readonly PlacedFinding[];
  /** CEL cost units of the write; -1 if a cost limit stopped the evaluation. */
  readonly cost?: number;
  /** Rules that were evaluated in the write, each with its path, its text, and its cost in CEL cost units. */
  readonly rules?: readonly { readonly path: string; readonly rule: string; readonly cost: number }[];
  /** Rules whose results were not true. With ratcheting, such a rule may be only a warning. */
  readonly failedRules?: readonly RulePlace[];
  /** The accepted object as the server would store it, as JSON text. */
  readonly stored?: string;
  /** True if the write was treated as an update of a stored object. */
  readonly isUpdate?: boolean;
}

/** Verdicts on all documents in the text panels of the page, and the numbers of objects by outcome. */
export interface Evaluation {
  readonly definitions: readonly DocumentReport[];
  readonly policies: readonly DocumentReport[];
  readonly objects: readonly DocumentReport[];
  /** Number of objects by outcome. */
  readonly counts: Readonly<Record<Verdict['outcome'], number>>;
  readonly spentMs: number;
  /** True if rules run as generated code. If it is false, the interpreter runs the rules, with the same cost units. */
  readonly compiles: boolean;
}

/** Effects of changed definitions on objects, grouped by definition. */
export interface WhatIfAnswer {
  readonly changes: readonly {
    readonly definition: DefinitionReport;
    readonly counts: Readonly<Partial<Record<ObjectEffect['effect'], number>>>;
    /** Effects on the objects. `refused` is a phrase that names the refused write, such as `an update is refused`. */
    readonly objects: readonly (ObjectEffect & { readonly refused?: string })[];
  }[];
  /**
   * Names of the definitions that have no counterpart of the same name: they are only among the present or only among the changed
   * definitions.
   */
  readonly unpaired: readonly string[];
}

/** The result for files that are too large for an editor: counts, and the first refusals. */
export interface FilesEvaluation {
  readonly counts: Readonly<Record<Verdict['outcome'], number>>;
  readonly definitions: readonly { readonly name: string; readonly accepted: boolean; readonly message?: string }[];
  /** Objects that were not accepted, at most the first 200, with the message of each. */
  readonly refused: readonly { readonly file: string; readonly index: number; readonly title: string; readonly message: string }[];
  readonly spentMs: number;
}
