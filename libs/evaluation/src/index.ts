export { chunkBytes } from './chunk.ts';
export { chunkSettings } from './chunk-settings.ts';
export type { Chunk, ChunkResult, ChunkSettings, DefinitionKey, DefinitionText, SpanRecord } from './chunk.ts';
export { definitionText } from './definition-digest.ts';
export { explainedDefinition, explanationAnswer } from './explanation.ts';
export type {
  BoundSuggestion,
  CostBound,
  ExplainedDefinition,
  ExplainedRule,
  Explanation,
  MeasuredObject,
  PartPrice,
} from './explanation.ts';
export { problemsOf } from './problems.ts';
export { evaluationEnvelope, writeSettings } from './item.ts';
export type { DocumentSlice, Notation, WriteSettings } from './item.ts';
export { defaultOptions, durationMs, inMinor, serverOf } from './options.ts';
export type { EvaluationOptions, FieldValidation } from './options.ts';
export { readSlice } from './read-slice.ts';
export { scanMembers } from './scan-json.ts';
export type { MemberSpan, ScanResult, ByteSpan } from './scan-json.ts';
export { CHUNK_LIMITS, ChunkCutter, splitBatch } from './split-batch.ts';
export { checkOptions, splitEnvelope, tooLargeProblem } from './split-envelope.ts';
export type { Cut, Envelope } from './split-envelope.ts';
export { settleNames } from './settle-names.ts';
export { LineTooLong, splitLines } from './split-lines.ts';
export { budgetSpentStatus, lostStatus, stoppedStatus, unjudgedVerdict } from './stopped-verdict.ts';
export { addTally, countVerdict, emptyTally } from './tally.ts';
export type { Tally } from './tally.ts';
export { definitionReportSchema, evaluationAnswer, evaluationState, statusSchema, summarySchema } from './verdict.ts';
export type { DefinitionReport, ItemOutcome, Phases, Summary, Verdict } from './verdict.ts';
export { countEffect, emptyImpact, worstCauses } from './what-if.ts';
export type { Cause, Effect, FieldChange, Impact, ObjectEffect } from './what-if.ts';
