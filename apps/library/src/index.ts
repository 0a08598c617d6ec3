// The kube-apiserver's verdict on custom resources, as a library for Node, pages and other runtimes. Arguments and results are plain
// values.
export { compileDefinition, CompiledDefinition, judgeDefinition } from './definition.ts';
export type { Compilation, DefinitionOptions } from './definition.ts';
export { validateObject } from './validate-object.ts';
export { benchmark, explain, versionMatrix, whatIf } from './analyses.ts';
export type { MatrixOptions } from './analyses.ts';
export type {
  Document,
  Explanation,
  JudgedDefinition,
  KubernetesVersion,
  ObjectOptions,
  ServerOptions,
  StudyOptions,
  Verdict,
  WhatIf,
  WriteOptions,
} from './types.ts';
export type {
  BaseComparison,
  BudgetEnd,
  FieldChoice,
  CostliestWrite,
  EngineLabel,
  ExponentFigure,
  Filling,
  GrowsTogether,
  GrowsWith,
  MeasuredTime,
  PlacedFindings,
  PredictedTime,
  RuleFindings,
  RuleKey,
  SizeUnit,
  StudiedDefinitionReport as StudiedDefinition,
  Study,
  StudyClaim,
  SuggestedBound,
  TimeSeries,
  WritePlan,
} from '#benchmark';
export type {
  Additions,
  Advice,
  BoundSuggestion,
  CostBound,
  CostRange,
  DefinitionReport,
  Effect,
  ExplainedDefinition,
  ExplainedRule,
  FieldChange,
  MatrixAnswer as VersionMatrix,
  ItemOutcome as Outcome,
  MendingBound,
  ObjectEffect,
  PricedPart,
  RulePrice,
  VerdictCauses,
} from '#documents';
export type { Status, StatusCause } from '#kube';
