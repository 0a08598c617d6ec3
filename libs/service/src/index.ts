// What a use case comes to, who asks, and what it reaches.
export type { Declined, Outcome } from './outcome.ts';
export type { Caller, CallerLimits } from './caller.ts';
export { ownEngine } from './ports.ts';
export type { AdmittedEngine, ServiceLimits, ServicePorts } from './ports.ts';
export { checkDefinitions, checkDefinitionSize, checkItemCount, checkPolicyBytes, permittedOptions } from './check-request.ts';
export { deadlineOf, untilDeadline } from './deadline.ts';

// Use cases, each one plot.
export { readDocuments, readEnvelope } from './read/read-documents.ts';
export type { Documents } from './read/read-documents.ts';
export { pairDocuments } from './read/pair-documents.ts';
export { BatchEvaluation } from './evaluate/evaluate-batch.ts';
export type { BatchAnswer } from './evaluate/evaluate-batch.ts';
export { evaluateUnqueued, prepareUnqueued } from './evaluate/evaluate-unqueued.ts';
export type { PreparedEvaluation, UnqueuedEvaluation } from './evaluate/evaluate-unqueued.ts';
export { wholeBatch } from './evaluate/batch.ts';
export type { Batch } from './evaluate/batch.ts';
export { readAhead } from './evaluate/read-ahead.ts';
export { oneBlock } from './evaluate/cut-runs.ts';
export { EvaluationArchive } from './evaluate/evaluation-archive.ts';
export { DefinitionJudge } from './judge/definition-judge.ts';
export { answerExpression } from './expression/answer-expression.ts';
export type { Expression } from './expression/answer-expression.ts';
export { explain } from './explain/explain.ts';
export { policyPrices } from './explain/policy-prices.ts';
export type { ItemAdmission } from './explain/policy-prices.ts';
export { versionMatrix } from './matrix/version-matrix.ts';
export type { VersionMatrix } from './matrix/version-matrix.ts';
export { upgradeCheck, upgradedObjects } from './matrix/upgrade-check.ts';
export type { PolicyRow, UpgradeCheck } from './matrix/upgrade-check.ts';
export type { ByMinor, DefinitionRow, ObjectRow } from './matrix/compare-minors.ts';
export { judgeChange, whatIf } from './what-if/what-if.ts';
export type { DefinitionChange } from './what-if/what-if.ts';
export { policyEffects, preparePolicyChange } from './what-if/policy-change.ts';
export type { PolicyChange, PreparedChange } from './what-if/policy-change.ts';
export { countPolicyImpact, emptyPolicyImpact, POLICY_EFFECTS } from './what-if/policy-effect.ts';
export type { PolicyEffect, PolicyImpact, PolicyImpactSum } from './what-if/policy-effect.ts';

// How work reaches the engine.
export { Dispatcher } from './dispatch/dispatcher.ts';
export type { DispatcherPorts } from './dispatch/dispatcher.ts';
export { Refusals } from './dispatch/refusals.ts';
export type { RequestKind } from './dispatch/refusals.ts';
export { ChunkConsumer } from './dispatch/chunk-consumer.ts';
export { pullChunks } from './dispatch/pull-chunks.ts';
export { runChunk } from './run/run-chunk.ts';
export { definitionDiffs } from './diff/definition-diff.ts';
export type { DefinitionDiff, RulePriceChange } from './diff/definition-diff.ts';
export type { SchemaChange } from './diff/schema-changes.ts';
export { guardDefinition } from './guard/guard-definition.ts';
export type { GuardedWrite } from './guard/guard-definition.ts';
export { GuardFindings } from './guard/guard-findings.ts';
export type { GuardLimits } from './guard/guard-findings.ts';
export { guardPolicy, guardPolicyChange } from './guard/guard-policy.ts';
export type { GuardedPolicyChange } from './guard/guard-policy.ts';
