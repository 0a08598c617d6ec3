import type { Effect, EvaluationOptions } from '#evaluation';
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

/** The forms in which results are printed. */
export const OUTPUT_FORMS = ['text', 'json', 'yaml'] as const;

/** A form in which results are printed. */
export type OutputForm = (typeof OUTPUT_FORMS)[number];

/** A form in which an evaluation is printed. */
export type EvaluationForm = OutputForm | ProblemReport;

/** A form in which what was found out about files is printed: for people, for programs, or for tools that read problems. */
export type ReportForm = OutputForm | ToolForm;
/** All report forms, in the order of the help. */
export const REPORT_FORMS: readonly ReportForm[] = [...OUTPUT_FORMS, ...TOOL_FORMS];

/** The forms in which a study is printed. */
export const BENCH_FORMS = [...OUTPUT_FORMS, 'html', ...TOOL_FORMS] as const;

/** One of {@link BENCH_FORMS}. */
export type BenchForm = (typeof BENCH_FORMS)[number];

/** A command that studies the costs and times of rules. */
export interface BenchCommand extends RunSettings {
  readonly name: 'bench';
  readonly paths: readonly string[];
  /** Text by which rules are chosen; undefined for all. */
  readonly rule: string | undefined;
  /** Paths of objects from which searches begin. */
  readonly objects: readonly string[];
  /** The revision of the git repository with which definitions are compared. */
  readonly base: string | undefined;
  /** Time for the study, ms. */
  readonly budgetMs: number;
  readonly seed: number;
  /** False to take no times. */
  readonly isTimed: boolean;
  /** A program that times rules in the libraries of Kubernetes; undefined if there is none. */
  readonly goProgram: string | undefined;
  /** The address of the service that performs the study, without a slash at its end; undefined if this process does. */
  readonly server: string | undefined;
  readonly failOn: readonly StudyGate[];
  readonly output: BenchForm;
  readonly options: EvaluationOptions;
}

/** A command that compares minors. */
export interface MatrixCommand extends RunSettings {
  readonly name: 'matrix';
  /** A folder in which definitions that objects lack are looked up. */
  readonly crds: string | undefined;
  readonly paths: readonly string[];
  readonly output: ReportForm;
  readonly options: EvaluationOptions;
}

/** A command about a cluster and another minor. */
export interface UpgradeCheckCommand extends RunSettings {
  readonly name: 'upgrade-check';
  readonly cluster: ClusterOption;
  readonly toVersion: Minor;
  readonly output: OutputForm;
  readonly options: EvaluationOptions;
}

/** A webhook that looks at changes of definitions and policies. */
export interface GuardCommand {
  readonly name: 'guard';
  readonly cluster: ClusterOption;
  readonly options: EvaluationOptions;
  readonly address: GuardAddress;
  readonly settings: GuardSettings;
  /** Files by which objects are judged, in the place of a webhook of their own. */
  readonly definitions: readonly string[];
}

/** A command that explains definitions and policies. */
export interface ExplainCommand extends RunSettings {
  readonly name: 'explain';
  /** The cluster whose definitions are explained, instead of those of files. */
  readonly cluster?: ClusterOption | undefined;
  readonly paths: readonly string[];
  readonly output: ReportForm;
  readonly options: EvaluationOptions;
  /** True to take each rule apart. */
  readonly verbose: boolean;
  /** The rule that alone is taken apart, from 1. */
  readonly rule: number | undefined;
  /** The form of the bounds that mend a definition; undefined if nobody wants them. */
  readonly fix: 'patch' | 'write' | undefined;
  readonly unwantedAdvice: UnwantedAdvice;
  /** The file that gets a page with pictures. */
  readonly html?: string | undefined;
}

/** A command that judges objects. */
export interface EvaluateCommand extends RunSettings {
  readonly name: 'evaluate';
  /** A folder in which definitions that objects lack are looked up. */
  readonly crds: string | undefined;
  /** The cluster that has the definitions, and the stored objects. */
  readonly cluster?: ClusterOption | undefined;
  readonly paths: readonly string[];
  readonly output: EvaluationForm;
  readonly options: EvaluationOptions;
  /** Paths of the older state of the objects; empty for none. */
  readonly old: readonly string[];
  /** The revision of the git repository in which the same paths hold the earlier objects. */
  readonly base: string | undefined;
  /** True if objects without a definition fail the evaluation. */
  readonly strictKinds: boolean;
  /** Findings that end with exit status 1. */
  readonly failOn: readonly Failure[];
  /** True if an accepted object is a failure. */
  readonly mustReject: boolean;
  /** True to print only problems and the summary. */
  readonly quiet: boolean;
  readonly unwantedAdvice: UnwantedAdvice;
  /** True to print the server's whole messages. */
  readonly asServer: boolean;
}

/** A command that evaluates an expression. */
export interface EvalCommand extends RunSettings {
  readonly name: 'eval';
  readonly expression: string;
  /** Path of the definition. */
  readonly schema: string;
  /** Default: the version that is stored. */
  readonly version: string | undefined;
  /** The path of `self` in the object; empty for the whole object. */
  readonly path: string;
  /** Paths of the objects. */
  readonly objects: readonly string[];
  readonly output: OutputForm;
  readonly options: EvaluationOptions;
}

/** A command about test suites. */
export interface TestCommand extends RunSettings {
  readonly name: 'test';
  readonly paths: readonly string[];
  readonly output: SuiteReport;
  readonly options: EvaluationOptions;
  readonly watch: boolean;
}

/** A command about a change of a definition. */
export interface WhatIfCommand extends RunSettings {
  readonly name: 'what-if';
  /** The cluster that has the present definition, and the objects. */
  readonly cluster?: ClusterOption | undefined;
  /** Files of the present and of the new definition. There is no first one with a cluster. */
  readonly from: string | undefined;
  readonly to: string;
  readonly paths: readonly string[];
  readonly output: ReportForm;
  readonly options: EvaluationOptions;
  /** Effects of which one object is enough for exit status 1. */
  readonly failOn: readonly Effect[];
}

/** A command about what changed since a revision of a git repository. */
export interface DiffCommand extends RunSettings {
  readonly name: 'diff';
  readonly base: string;
  /** The newer revision; undefined for the present files. */
  readonly head: string | undefined;
  readonly paths: readonly string[];
  readonly output: OutputForm | 'markdown';
  readonly options: EvaluationOptions;
  readonly failOn: readonly DiffFailure[];
}

/** The pace of a load: requests a second, or connections that send when their last request was answered. */
export type LoadPace = { readonly kind: 'open'; readonly rate: number } | { readonly kind: 'closed'; readonly connections: number };

/** A command that loads a deployment. */
export interface LoadCommand extends RunSettings {
  readonly name: 'load';
  /** The address of the deployment, without a slash at its end. */
  readonly url: string;
  readonly paths: readonly string[];
  readonly pace: LoadPace;
  readonly durationMs: number;
  /** Objects of a request. */
  readonly batch: number;
  /** Time of the search for the dearest writes, which are sent instead of objects, ms; undefined to send objects. */
  readonly worstBudgetMs: number | undefined;
  /** The address of Jaeger, without a slash at its end; undefined if traces are told by their ids. */
  readonly traces: string | undefined;
  readonly output: OutputForm;
  readonly options: EvaluationOptions;
}

/** A command that writes a file of settings. */
export interface InitCommand {
  readonly name: 'init';
}

/** A command that serves an editor. */
export interface LspCommand {
  readonly name: 'lsp';
  /** Files and folders that are known though no editor has them open. */
  readonly paths: readonly string[];
  readonly minors: readonly Minor[];
}

/** A request for help, or for the version. */
export interface HelpCommand {
  readonly name: 'help';
  readonly text: string;
}

/** A command line, understood. */
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
