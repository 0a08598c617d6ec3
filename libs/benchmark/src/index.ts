export { estimatePercentile, median, percentile } from './figures/quantiles.ts';
export type { PercentileEstimate, WantedPercentile } from './figures/quantiles.ts';
export { costGrowth } from './figures/cost-growth.ts';
export type { CostGrowth, CostPoint, GrowthName } from './figures/cost-growth.ts';
export { firstOver, firstOverLater } from './figures/bending-point.ts';
export type { BendingPoint, SearchRange } from './figures/bending-point.ts';
export { addedTime, biasShare, MIN_DECIDED_MS } from './figures/added-time.ts';
export type { AddedMs, AddedTime, UndecidedWhy } from './figures/added-time.ts';
export { compareCosts, comparePairs } from './figures/compare-pairs.ts';
export type { CostComparison, PairComparison, PairRules, PairVerdict, TimedPair } from './figures/compare-pairs.ts';
export { samplePairs, sampleRounds, seededRandom } from './figures/sample-rounds.ts';
export type { SamplingRules } from './figures/sample-rounds.ts';
export { SequentialComparison } from './figures/sequential-comparison.ts';
export type { SequentialRules, SequentialState } from './figures/sequential-comparison.ts';
export { MIN_REPORTED_MS, SLOPE_TOLERANCE, timeGrowth } from './figures/time-growth.ts';
export type { CostSlope, TimeGrowth, TimePoint } from './figures/time-growth.ts';
export type { CellPorts, CellSubjects, StudyEngine } from './cells/studied-definition.ts';
export { evaluationOf } from './cells/rule-work.ts';
export type { RuleWork } from './cells/rule-work.ts';
export { candidateOf } from './cells/write-plan.ts';
export { performCell } from './cells/perform-cell.ts';
export { StudiedDefinition } from './cells/studied-definition.ts';
export type {
  CellFindings,
  CompareCell,
  CompileCell,
  CompileFindings,
  CostFindings,
  CostsCell,
  EvaluationText,
  StudyCell,
  TimeFindings,
  TimesCell,
} from './cells/study-cell.ts';
export type { PredictedWriteTime, PricedWrite, WriteTerms } from './cells/price-write.ts';
export type { LadderRung, SizeLadder } from './cells/size-ladder.ts';
export { evaluationLine, schemaOfNode, costliestValue } from './cells/describe-evaluation.ts';
export type { FieldChoice, Filling } from './values/choice.ts';
export type {
  AssayEngine,
  BaseComparison,
  BudgetEnd,
  CostliestWrite,
  EngineLabel,
  ExponentFigure,
  GrowsTogether,
  GrowsWith,
  MeasuredTime,
  PlacedFindings,
  PredictedTime,
  RuleChange,
  RuleFindings,
  RuleGrowth,
  RuleKey,
  SizeUnit,
  StudiedDefinitionReport,
  Study,
  StudyClaim,
  SlowCell,
  StudyReport,
  SuggestedBound,
  TimeSeries,
  WritePlan,
} from './study/study-report.ts';
export { predictServerTime, workTime } from './prediction/predict-server-time.ts';
export type { ServerModel, ServerTime } from './prediction/predict-server-time.ts';
export type { RuleFamily } from './prediction/rule-family.ts';
export { serverWork } from './prediction/server-work.ts';
export type { ServerWork } from './prediction/server-work.ts';
export type { NodeValue } from './cells/describe-evaluation.ts';
export { RULE_FAMILIES, ruleFamily } from './prediction/rule-family.ts';
export { MEASURED_MODEL, MEASURED_POLICY_MODEL } from './prediction/measured-models.ts';
export { seriesFigures, POLICY_CELLS } from './study/policy-study.ts';
export type {
  PolicyCell,
  PolicyCellFindings,
  PolicyHelp,
  PolicyPoint,
  PolicyPrice as RequestPrice,
  PolicySeries,
  StoppingLimit,
  PolicyStudyReport,
  StudiedPolicy,
  TimePassed,
} from './study/policy-study.ts';
export { POLICY_STEPS, policyWork, predictPolicyTime } from './prediction/policy-work.ts';
export type { MeasuredEvaluation, PolicyModel, PolicyRequestFacts, PolicyStep, PolicyWork } from './prediction/policy-work.ts';
