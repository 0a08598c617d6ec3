import type { Effect, EvaluationOptions, FieldValidation } from '#documents';
import type { Minor } from '#kube';
import type { UnwantedAdvice } from './advice.ts';
import type { ClusterOption } from './cluster/open-cluster.ts';
import type { DiffFailure } from './diff-failures.ts';
import type { Failure } from './evaluation-status.ts';
import type { GuardAddress } from './guard/guard-server.ts';
import type { GuardSettings } from './guard/guard-settings.ts';
import type { ProblemReport } from './report/evaluation-report.ts';
import { TOOL_FORMS } from './report/tool-forms.ts';
import type { ToolForm } from './report/tool-forms.ts';
import type { RunSettings } from './shared-options.ts';
import type { StudyGate } from './study/study-gate.ts';
import type { SuiteReport } from './suite/report-suites.ts';

/** Names of the output formats of results. */
export const OUTPUT_FORMS = ['text', 'json', 'yaml'] as const;

/** A form in which results are printed. */
export type OutputForm = (typeof OUTPUT_FORMS)[number];

/** Output format for the results of an evaluation. */
export type EvaluationForm = OutputForm | ProblemReport;

/** Format in which a command prints findings about files: for display, for programs, or for tools that read problem reports. */
export type ReportForm = OutputForm | ToolForm;
/** All output formats for findings about files, in the order in which the help lists them. */
export const REPORT_FORMS: readonly ReportForm[] = [...OUTPUT_FORMS, ...TOOL_FORMS];

/** The forms in which the report of a study (benchmark) of rules is printed. */
export const BENCH_FORMS = [...OUTPUT_FORMS, 'html', ...TOOL_FORMS] as const;

/** Output format for the report of a study (benchmark) of rules, one of {@link BENCH_FORMS}. */
export type BenchForm = (typeof BENCH_FORMS)[number];

/** Parsed command `bench`, which studies the costs and times of rules. */
export interface BenchCommand extends RunSettings {
  readonly name: 'bench';
  readonly paths: readonly string[];
  /** Path of the rules to study (alone or after the version), or a part of their text; undefined to study all rules. */
  readonly rule: string | undefined;
  /** Paths of the objects with which the searches of the study start. */
  readonly objects: readonly string[];
  /** Revision of the git repository whose definitions are the base of the comparison; undefined for no comparison. */
  readonly base: string | undefined;
  /** Time budget of the study, in ms. */
  readonly budgetMs: number;
  readonly seed: number;
  /** True if the study (benchmark) also measures how long the rules run; false if it finds costs only. */
  readonly isTimed: boolean;
  /** Path of a program that measures rules with the Go libraries of Kubernetes; undefined if no program is given. */
  readonly goProgram: string | undefined;
  /** Address of the service that performs the study, without a trailing slash; undefined if this process performs the study. */
  readonly server: string | undefined;
  readonly failOn: readonly StudyGate[];
  readonly output: BenchForm;
  readonly options: EvaluationOptions;
}

/** The forms in which the comparison of Kubernetes versions is printed. */
export const MATRIX_FORMS = [...REPORT_FORMS, 'markdown', 'html'] as const;

/** Output format of the comparison of Kubernetes versions, one of {@link MATRIX_FORMS}. */
export type MatrixForm = ReportForm | 'markdown' | 'html';

/** Parsed command `matrix`, which compares minor versions of Kubernetes. */
export interface MatrixCommand extends RunSettings {
  readonly name: 'matrix';
  /** Folder in which definitions for objects are searched if the given files do not contain them. */
  readonly crds: string | undefined;
  readonly paths: readonly string[];
  /** Minor versions that are compared, the oldest first. */
  readonly minors: readonly Minor[];
  /** File for a picture of the costs of all rules; undefined for no picture. */
  readonly chart: string | undefined;
  readonly output: MatrixForm;
  readonly options: EvaluationOptions;
}

/** Parsed command `upgrade-check`, which compares the present minor version of a cluster or of files with another minor version. */
export interface UpgradeCheckCommand extends RunSettings {
  readonly name: 'upgrade-check';
  /** Cluster that is upgraded; undefined if files are judged. */
  readonly cluster: ClusterOption | undefined;
  readonly paths: readonly string[];
  readonly toVersion: Minor;
  readonly output: OutputForm;
  readonly options: EvaluationOptions;
}

/** Parsed command `guard`, which runs a webhook that checks changes of definitions and policies. */
export interface GuardCommand {
  readonly name: 'guard';
  readonly cluster: ClusterOption;
  readonly options: EvaluationOptions;
  readonly address: GuardAddress;
  readonly settings: GuardSettings;
  /** Files with definitions and policies. The guard also validates objects against them, so that no separate webhook is needed. */
  readonly definitions: readonly string[];
}

/** Parsed command `explain`, which explains the cost of definitions and policies. */
export interface ExplainCommand extends RunSettings {
  readonly name: 'explain';
  /** Cluster whose definitions are explained. If it is set, no files are read. */
  readonly cluster?: ClusterOption | undefined;
  readonly paths: readonly string[];
  readonly output: ReportForm;
  readonly options: EvaluationOptions;
  /** True if the cost of each rule is broken down into its parts. */
  readonly verbose: boolean;
  /** Number of the chosen rule, from 1. Only this rule is broken down. Undefined if no rule is chosen. */
  readonly rule: number | undefined;
  /**
   * Use of the bounds that would repair a definition: `patch` prints them as a patch, and `write` changes the file. Undefined if no bounds
   * are requested.
   */
  readonly fix: 'patch' | 'write' | undefined;
  readonly unwantedAdvice: UnwantedAdvice;
  /** File into which an HTML page with charts is written. */
  readonly html?: string | undefined;
}

/** Parsed command `evaluate`, which validates objects. */
export interface EvaluateCommand extends RunSettings {
  readonly name: 'evaluate';
  /** Folder in which definitions for objects are searched if the given files do not contain them. */
  readonly crds: string | undefined;
  /** Cluster from which definitions and the stored objects are read. */
  readonly cluster?: ClusterOption | undefined;
  readonly paths: readonly string[];
  readonly output: EvaluationForm;
  readonly options: EvaluationOptions;
  /** Paths of files with the older state of the objects; empty if there is no older state. */
  readonly old: readonly string[];
  /** Revision of the git repository in which the same paths contain the older state of the objects. */
  readonly base: string | undefined;
  /** True if objects without a definition make the evaluation fail. */
  readonly strictKinds: boolean;
  /** Kinds of findings that cause exit status 1. */
  readonly failOn: readonly Failure[];
  /** True if every object is expected to be rejected, so that an accepted object is a failure. */
  readonly mustReject: boolean;
  /** True if only problems and the summary (counts of verdicts) are printed. */
  readonly quiet: boolean;
  readonly unwantedAdvice: UnwantedAdvice;
  /** True if the server's complete messages are printed, instead of shortened messages with locations. */
  readonly asServer: boolean;
}

/** Parsed command `eval`, which evaluates a CEL expression. */
export interface EvalCommand extends RunSettings {
  readonly name: 'eval';
  readonly expression: string;
  /** Path of the file with the definition; undefined for an expression that reads no object. */
  readonly schema: string | undefined;
  /** Version of the definition; undefined for the storage version. */
  readonly version: string | undefined;
  /** Field path of `self` in the object; empty if `self` is the whole object. */
  readonly path: string;
  /** Paths of the objects in which the expression is evaluated. */
  readonly objects: readonly string[];
  readonly output: OutputForm;
  readonly options: EvaluationOptions;
}

/** Parsed command `test`, which runs test suites. */
export interface TestCommand extends RunSettings {
  readonly name: 'test';
  readonly paths: readonly string[];
  readonly output: SuiteReport;
  readonly options: EvaluationOptions;
  readonly watch: boolean;
}

/** Parsed command `what-if`, which shows the effects of a changed definition or of changed policies. */
export interface WhatIfCommand extends RunSettings {
  readonly name: 'what-if';
  /** Cluster from which the present definition and the objects are read. */
  readonly cluster?: ClusterOption | undefined;
  /** Files of the present state (`from`) and of the new state (`to`). With a cluster, `from` is undefined. */
  readonly from: string | undefined;
  readonly to: string;
  /** Treatment of unknown and duplicate fields of the new definition. */
  readonly definitionValidation: FieldValidation;
  readonly paths: readonly string[];
  readonly output: ReportForm;
  readonly options: EvaluationOptions;
  /** Effects that cause exit status 1 if at least one object has them. */
  readonly failOn: readonly Effect[];
}

/** Parsed command `diff`, which compares definitions with a revision of a git repository. */
export interface DiffCommand extends RunSettings {
  readonly name: 'diff';
  readonly base: string;
  /** Newer revision; undefined to compare with the present files. */
  readonly head: string | undefined;
  readonly paths: readonly string[];
  readonly output: OutputForm | 'markdown';
  readonly options: EvaluationOptions;
  readonly failOn: readonly DiffFailure[];
}

/**
 * Rate at which a load test sends requests. `open`: a fixed number of requests per second. `closed`: a fixed number of connections, each of
 * which sends its next request after the answer to its previous request.
 */
export type LoadPace = { readonly kind: 'open'; readonly rate: number } | { readonly kind: 'closed'; readonly connections: number };

/** Parsed command `load`, which puts load on a deployment. */
export interface LoadCommand extends RunSettings {
  readonly name: 'load';
  /** Address of the deployment, without a trailing slash. */
  readonly url: string;
  readonly paths: readonly string[];
  readonly pace: LoadPace;
  readonly durationMs: number;
  /** Number of objects per request. */
  readonly batch: number;
  /** Time budget in ms for finding the most expensive writes, which are sent as the load. Undefined if the given objects are sent. */
  readonly worstBudgetMs: number | undefined;
  /** Address of Jaeger, without a trailing slash. If it is undefined, traces are reported by their ids only. */
  readonly traces: string | undefined;
  readonly output: OutputForm;
  readonly options: EvaluationOptions;
}

/** Parsed command `init`, which writes a settings file. */
export interface InitCommand {
  readonly name: 'init';
}

/** Parsed command `lsp`, which serves an editor. */
export interface LspCommand {
  readonly name: 'lsp';
  /** Files and folders that the server reads even if they are not open in an editor. */
  readonly paths: readonly string[];
  readonly minors: readonly Minor[];
  /** Reason why the settings file is not used; undefined if there is no problem. */
  readonly problem: string | undefined;
}

/** Request for the help or the version, with the text to print. */
export interface HelpCommand {
  readonly name: 'help';
  readonly text: string;
}

/** Parsed command line of any command. */
export type Command =
  | HelpCommand
  | EvaluateCommand
  | ExplainCommand
  | MatrixCommand
  | BenchCommand
  | TestCommand
  | WhatIfCommand
  | DiffCommand
  | UpgradeCheckCommand
  | GuardCommand
  | LoadCommand
  | LspCommand
  | InitCommand
  | EvalCommand;
