// The kube-apiserver's verdict on custom resources, as a library for Node, pages and other runtimes. Arguments and results are plain
// values.
export { compileDefinition, CompiledDefinition, judgeDefinition } from './definition.ts';
export type { Compilation, DefinitionOptions } from './definition.ts';
export { validateObject } from './validate-object.ts';
export { benchmark, explain, versionMatrix, whatIf } from './analyses.ts';
export type { MatrixOptions } from './analyses.ts';
export type {
  BoundSuggestion,
  ByVersion,
  CostBound,
  CostRange,
  DefinitionReport,
  Document,
  Additions,
  MendingBound,
  Advice,
  ExplainedDefinition,
  ExplainedRule,
  Explanation,
  JudgedDefinition,
  KubernetesVersion,
  ObjectEffect,
  ObjectOptions,
  Outcome,
  PricedPart,
  RulePrice,
  ServerOptions,
  StudyOptions,
  Verdict,
  VerdictCauses,
  VersionMatrix,
  WhatIf,
  WriteOptions,
} from './types.ts';
export type {
  BaseComparison,
  BudgetEnd,
  Choice,
  DearestWrite,
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
export type { Effect, FieldChange } from '#documents';
export type { Status, StatusCause } from '#kube';
