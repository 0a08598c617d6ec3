// Results, callers, ports, and checks that all use cases share.
export { answered, declined, refused } from './outcome.ts';
export type { Declined, Outcome } from './outcome.ts';
export type { Caller, CallerLimits, ServiceLimits, ServicePorts } from './ports.ts';
export { checkDefinitions, checkDefinitionSize, checkItemCount, checkPolicyBytes, permittedOptions } from './check-request.ts';
export { deadlineOf, untilDeadline } from './deadline.ts';

// Use cases.
export { expandComposites, readDocuments, readEnvelope } from './read/read-documents.ts';
export type { Documents } from './read/read-documents.ts';
export { pairDefinitions, pairDocuments } from './diff/pair-documents.ts';
export { BatchEvaluation } from './evaluate/evaluate-batch.ts';
export type { BatchAnswer, EvaluationHead } from './evaluate/evaluate-batch.ts';
export { evaluateUnqueued, prepareUnqueued } from './evaluate/evaluate-unqueued.ts';
export type { PreparedUnqueuedEvaluation, UnqueuedEvaluation } from './evaluate/evaluate-unqueued.ts';
export { wholeBatch } from './evaluate/batch.ts';
export type { Batch, WholeBatch } from './evaluate/batch.ts';
export { sharePrices } from './evaluate/share-prices.ts';
export { asSingleBlock, prefetch } from './evaluate/cut-runs.ts';
export type { MayRead, StoredJob, StoredVerdicts } from './jobs/owned-jobs.ts';
export { EvaluationArchive, unknownEvaluation } from './jobs/owned-jobs.ts';
export { JobEvaluation, UnstoredResults } from './jobs/job-evaluation.ts';
export { KeptDefinitions } from './definitions/kept-definitions.ts';
export type { KeptDefinition } from './definitions/kept-definitions.ts';
export { RememberedDefinitions } from './definitions/remembered-definitions.ts';
export { DefinitionJudge } from './judge/definition-judge.ts';
export { answerExpression } from './expression/answer-expression.ts';
export type { Expression } from './expression/answer-expression.ts';
export { advise } from './explain/explain-text.ts';
export { explain } from './explain/explain.ts';
export { policyPrices } from './explain/policy-prices.ts';
export type { ItemAdmission } from './explain/policy-prices.ts';
export { findBounds, findCeilings } from './causes/find-bounds.ts';
export { judgeByMinors, versionMatrix } from './matrix/version-matrix.ts';
export { matchRules, nodeOf } from './diff/match-rules.ts';
export type { VersionMatrix } from './matrix/version-matrix.ts';
export { upgradeCheck, upgradedObjects } from './matrix/upgrade-check.ts';
export type { PolicyRow, UpgradeCheck, UpgradedObject } from './matrix/upgrade-check.ts';
export type { ByMinor, DefinitionRow, ObjectRow } from './matrix/compare-minors.ts';
export { judgeChange, whatIf } from './what-if/what-if.ts';
export type { DefinitionChange } from './what-if/what-if.ts';
export { reviewPolicies } from './judge/prepared-batch.ts';
export { countPolicyImpact, emptyPolicyImpact, POLICY_EFFECTS, policyEffects, preparePolicyChange } from './what-if/policy-effect.ts';
export type { PolicyChange, PolicyEffect, PolicyImpact, PolicyImpactSum, PreparedChange } from './what-if/policy-effect.ts';

// Work for the engine.
export { performOffered } from './fleet/perform-offered.ts';
export { runChunk } from './run/run-chunk.ts';
export { definitionDiffs } from './diff/definition-diff.ts';
export type { DefinitionDiff, RulePriceChange } from './diff/definition-diff.ts';
export { estimateChanges } from './diff/estimate-changes.ts';
export type { EstimateChange, EstimateChanges, RuleEstimates, TotalEstimates } from './diff/estimate-changes.ts';
export type { MatchedRule, RuleState } from './diff/match-rules.ts';
export {
  answeredReview,
  judgeReviewedDefinition,
  judgeReviewedObject,
  MAX_REVIEW_BYTES,
  MAX_REVIEW_MS,
  readReview,
  reviewTimeout,
} from './admission/admission-review.ts';
export type { AnsweredReview, ReviewAnswer, ReviewedRequest, ReviewOutcome } from './admission/admission-review.ts';
export { guardDefinition, guardPolicy, guardPolicyChange } from './guard/guard-write.ts';
export type { GuardedPolicyChange, GuardedWrite } from './guard/guard-write.ts';
export { GuardFindings } from './guard/guard-findings.ts';
export type { GuardLimits, GuardCheck } from './guard/guard-findings.ts';
export { describeEvaluations, describeWrites, ladderOf, predictRule, priceObject } from './study/costliest-writes.ts';
export type { DescribedRule, DescribedWrite, Pricing } from './study/costliest-writes.ts';
export { studyPolicies } from './study/study-policies.ts';
export type { PolicyStudyWatch } from './study/study-policies.ts';
export { studyDefinitions } from './study/study-definitions.ts';
export { Studies } from './study/studies.ts';
export type { StudiesPorts, StudyClient } from './study/studies.ts';
export { STUDY_PHASES } from './study/study-life.ts';
export type { StudiedFigures, StudyPhase, StudyRecord, StudyState } from './study/study-life.ts';
export { longestObjects, studyBody, wantedRule } from './study/study-order.ts';
export type {
  BaseRevision,
  ChoosableRule,
  StudiedText,
  StudyBody,
  StudyFindings,
  StudyOrder,
  StudyProgress,
  StudyRequest,
} from './study/study-order.ts';
export type { StudyPorts } from './study/study-definitions.ts';
