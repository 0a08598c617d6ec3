export { ADVICE_IDS } from './explanation/advice-ids.ts';
export { chunkBytes, definitionWrite } from './chunk/chunk.ts';
export { chunkSettings, hasBudget, textDigests } from './chunk/chunk-settings.ts';
export type {
  Chunk,
  ChunkResult,
  ChunkSettings,
  DefinitionKey,
  DefinitionText,
  JudgingSettings,
  SpanRecord,
  DefinitionWrite,
} from './chunk/chunk.ts';
export { compactJson, sentSlice } from './item/compact-json.ts';
export { definitionText, definitionTexts } from './chunk/definition-digest.ts';
export { adviceAnswer, explainedDefinition, explanationAnswer } from './explanation/explanation.ts';
export { additionsSchema, additionsOf } from './explanation/bounds.ts';
export type { BoundCeiling, FoundBounds, PlacedBound } from './explanation/bounds.ts';
export { matrixAnswer } from './explanation/version-matrix.ts';
export { verdictCausesSchema } from './verdict/verdict-causes.ts';
export type { AdviceAnswer, Explanation, RulePrice } from './explanation/explanation.ts';
export type {
  Additions,
  AdmissionReport,
  Advice,
  BoundSuggestion,
  ConcernedRule,
  CostBound,
  CostRange,
  CostliestRun,
  DefinitionReport,
  DefinitionRow,
  ExplainedDefinition,
  ExplainedRule,
  ExpressionPrice,
  ItemOutcome,
  ListGrowth,
  MatrixAnswer,
  MeasuredObject,
  MendingBound,
  ObjectRow,
  Phases,
  PolicyPrice,
  PolicyReport,
  PolicyRow,
  PricedPart,
  Summary,
  Verdict,
  VerdictCause,
  VerdictCauses,
} from './answer-types.ts';
export { unescapedText } from './scan/plain-text.ts';
export { problemsOf, durationMs, acceptingMinors, defaultOptions, inMinor, serverOf } from './options/options.ts';
export { MAX_ITEM_BYTES, NOTATIONS, readSlice } from './item/item.ts';
export type { CutDocument, DefinitionSlice, DocumentOrigin, DocumentSlice, KeptSlice, Notation } from './item/item.ts';
export { checkRequestSettings, checkUserInfo, checkWriteSettings, evaluationEnvelope, requestSettings } from './item/item-schema.ts';
export type { RequestSettings, WriteSettings } from './item/item-schema.ts';
export { admissionOptions, checkOptions, evaluationOptions, fieldValidation, userInfo } from './options/options-schema.ts';
export type { EvaluationOptions, FieldValidation, CutResult } from './options/options-schema.ts';
export { documentJson, optionsJson, isSentDigest, SENT_DIGEST_FORM, sentDigest } from './request/sent-json.ts';
export type { DocumentJson } from './request/sent-json.ts';
export { runInSteps, STEP_BYTES } from './scan/run-in-steps.ts';
export { withoutByteOrderMark, LineTooLong, splitLines } from './scan/split-lines.ts';
export { leadingType } from './scan/leading-type.ts';
export type { LeadingType } from './scan/leading-type.ts';
export { readParts } from './scan/read-parts.ts';
export type { ReadParts, WantedParts } from './scan/read-parts.ts';
export { scanElements, scanMembers, scanObjects } from './scan/scan-members.ts';
export type { ByteSpan, MemberScan, MemberSpan } from './scan/scan-members.ts';
export { CHUNK_LIMITS, ChunkCutter, JOB_PART_LIMITS, OFFERED_RUN_LIMITS, splitBatch } from './chunk/split-batch.ts';
export type { RunLimits } from './chunk/split-batch.ts';
export { tooLargeProblem, tooManyStatus } from './request/request-limits.ts';
export { splitChange, splitEnvelope, splitStudy } from './request/split-envelope.ts';
export type { ChangeEnvelope, DefinedObjects, DocumentLimits, Envelope, PolicySide, StudyEnvelope } from './request/split-envelope.ts';
export { isPolicyType, MAX_CLUSTER_OBJECTS, MAX_POLICY_BYTES, NO_POLICIES, policyTextOf } from './policies/policy-documents.ts';
export type { PolicyDocuments } from './policies/policy-documents.ts';
export { parsePolicyText } from './policies/policy-text.ts';
export type { PolicyText } from './policies/policy-text.ts';
export { ownsBuffer } from './scan/seen-texts.ts';
export { epochNow, steadyNow } from './steady-now.ts';
export { sameNames, supersededDefinitions, settleNames } from './verdict/same-names.ts';
export { budgetSpentStatus, lostStatus, resultsTooLargeStatus, stoppedStatus, unjudgedVerdict } from './chunk/stopped-verdict.ts';
export { linedResult, linesOf, verdictBytes, withoutSpans, joinResults } from './chunk/lined-result.ts';
export { compositeNotice, addTally, countVerdict, emptyTally, noticeOf, takenOffNotice } from './verdict/tally.ts';
export type { Tally } from './verdict/tally.ts';
export {
  definitionReportSchema,
  evaluationAnswer,
  evaluationList,
  evaluationState,
  policyReportSchema,
  statusSchema,
  summarySchema,
  verdictLine,
} from './verdict/verdict.ts';
export { countEffect, EFFECTS, emptyImpact, FOLLOWING_WRITES, refusedWrite, worstCauses } from './verdict/what-if.ts';
export type { Cause, CauseCount, Effect, FieldChange, Impact, ObjectEffect } from './verdict/what-if.ts';
