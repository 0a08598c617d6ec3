export { ADVICE_IDS } from './advice-ids.ts';
export { chunkBytes } from './chunk.ts';
export { chunkSettings, hasBudget, textDigests } from './chunk-settings.ts';
export type { Chunk, ChunkResult, ChunkSettings, DefinitionKey, DefinitionText, JudgingSettings, SpanRecord } from './chunk.ts';
export { compactJson, sentSlice } from './compact-json.ts';
export { definitionText, definitionTexts } from './definition-digest.ts';
export { definitionWrite } from './definition-write.ts';
export type { DefinitionWrite } from './definition-write.ts';
export { adviceAnswer, explainedDefinition, explanationAnswer, roomiestFirst } from './explanation.ts';
export { additionsSchema } from './additions.ts';
export type { Additions, FoundBounds, MendingBound, PlacedBound } from './additions.ts';
export { verdictCausesSchema } from './verdict-causes.ts';
export type { ConcernedRule, VerdictCause, VerdictCauses } from './verdict-causes.ts';
export type {
  AdviceAnswer,
  Advice,
  BoundSuggestion,
  CostBound,
  DearestRun,
  ExplainedDefinition,
  ExplainedRule,
  Explanation,
  ExpressionPrice,
  ListGrowth,
  MeasuredObject,
  PartPrice,
  PolicyPrice,
} from './explanation.ts';
export { plainText } from './plain-text.ts';
export { problemsOf } from './problems.ts';
export { MAX_ITEM_BYTES, NOTATIONS } from './item.ts';
export type { CutDocument, DefinitionSlice, DocumentOrigin, DocumentSlice, KeptSlice, Notation } from './item.ts';
export { checkRequestSettings, checkUserInfo, checkWriteSettings, evaluationEnvelope, requestSettings } from './item-schema.ts';
export type { RequestSettings, WriteSettings } from './item-schema.ts';
export { durationMs } from './duration.ts';
export { defaultOptions, inMinor, serverOf } from './options.ts';
export { admissionOptions, checkOptions, evaluationOptions, fieldValidation, userInfo } from './options-schema.ts';
export type { EvaluationOptions, FieldValidation } from './options-schema.ts';
export { readSlice } from './read-slice.ts';
export { documentJson, optionsJson } from './sent-json.ts';
export type { DocumentJson } from './sent-json.ts';
export { inSteps, STEP_BYTES } from './in-steps.ts';
export { withoutByteOrderMark } from './byte-order-mark.ts';
export { leadingType } from './leading-type.ts';
export type { LeadingType } from './leading-type.ts';
export { readParts } from './read-parts.ts';
export type { ReadParts, WantedParts } from './read-parts.ts';
export { scanElements, scanMembers, scanObjects } from './scan-members.ts';
export type { ByteSpan, MemberScan, MemberSpan } from './scan-members.ts';
export { CHUNK_LIMITS, ChunkCutter, JOB_PART_LIMITS, OFFERED_RUN_LIMITS, splitBatch } from './split-batch.ts';
export type { RunLimits } from './split-batch.ts';
export { tooLargeProblem, tooManyStatus } from './request-limits.ts';
export { splitChange, splitEnvelope, splitStudy } from './split-envelope.ts';
export type { ChangeEnvelope, Cut, DefinedObjects, DocumentLimits, Envelope, PolicySide, StudyEnvelope } from './split-envelope.ts';
export { isPolicyType, MAX_CLUSTER_OBJECTS, MAX_POLICY_BYTES, NO_POLICIES, policyTextOf } from './policy-documents.ts';
export type { PolicyDocuments } from './policy-documents.ts';
export { parsePolicyText } from './policy-text.ts';
export type { PolicyText } from './policy-text.ts';
export { areOwn } from './seen-texts.ts';
export { isSentDigest, SENT_DIGEST_FORM, sentDigest } from './sent-digest.ts';
export { epochNow, steadyNow } from './steady-now.ts';
export { sameNames, supersededDefinitions } from './same-names.ts';
export { settleNames } from './settle-names.ts';
export { LineTooLong, splitLines } from './split-lines.ts';
export { budgetSpentStatus, lostStatus, resultsTooLargeStatus, stoppedStatus, unjudgedVerdict } from './stopped-verdict.ts';
export { linedResult, linesOf, verdictBytes, withoutSpans } from './lined-result.ts';
export { joinResults } from './join-results.ts';
export { compositeNotice } from './composite-notice.ts';
export { addTally, countVerdict, emptyTally, noticeOf, takenOffNotice } from './tally.ts';
export type { Tally } from './tally.ts';
export {
  definitionReportSchema,
  evaluationAnswer,
  evaluationList,
  evaluationState,
  policyReportSchema,
  statusSchema,
  summarySchema,
  verdictLine,
} from './verdict.ts';
export type { AdmissionReport, DefinitionReport, ItemOutcome, Phases, PolicyReport, Summary, Verdict } from './verdict.ts';
export { countEffect, EFFECTS, emptyImpact, FOLLOWING_WRITES, refusedWrite, worstCauses } from './what-if.ts';
export type { Cause, CauseCount, Effect, FieldChange, Impact, ObjectEffect } from './what-if.ts';
