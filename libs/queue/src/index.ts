export { contentKeySettings, readContentKeys } from './at-rest/content-keys.ts';
export type { ContentKey } from './at-rest/content-keys.ts';
export { EmbeddedQueue } from './embedded/embedded-queue.ts';
export type { EmbeddedOptions } from './embedded/embedded-queue.ts';
export { TakenJournal, UnusableJournal } from './embedded/open-journal.ts';
export { FairQueue } from './flow/fair-queue.ts';
export type { Picked, Sized } from './flow/fair-queue.ts';
export { FlowLoad, isRefusal } from './flow/flow-load.ts';
export type { BatchSize, Refusal } from './flow/flow-load.ts';
export { PriceBook } from './flow/price-book.ts';
export type { PriceNews } from './flow/price-book.ts';
export { MS_PER_BYTE } from './flow/chunk-cost.ts';
export { queueKeyOf } from './flow/flow.ts';
export { flowPath, pathOfFlow } from './flow/flow.ts';
export type { Flow, FlowLimits, QueueKey } from './flow/flow.ts';
export { byLevel, LEVELS } from './flow/level.ts';
export type { Level } from './flow/level.ts';
export { RetryAfter } from './flow/retry-after.ts';
export { seatsPerFlow } from './flow/seats.ts';
export { inTime } from './in-time.ts';
export { DEFAULT_FLOW_LIMITS, DEFAULT_QUEUE_LIMITS } from './limits.ts';
export type { QueueLimits } from './limits.ts';
export { retentionOf } from './retention.ts';
export { UnreadableContent } from './at-rest/sealing.ts';
export { isUnavailable } from './unavailable.ts';
export type {
  CancellationChannel,
  Claim,
  CommitAnswer,
  DefinitionHolder,
  DefinitionStore,
  Depth,
  DetachedEnd,
  EndedEvaluation,
  EvaluationEnds,
  EvaluationPhase,
  EvaluationRecord,
  PriceStore,
  Progress,
  QueueAdapter,
  ResultStore,
  TokenGrant,
  TokenRequest,
  TokenStore,
  WorkQueue,
} from './ports.ts';
export type { StoredStudy, StudyForms, StudyStore } from './study-store.ts';
export type { CellAnswer, SharedCell, SharedStudyStore, StudyFleet, StudyTurns, TurnEnd } from './study-fleet.ts';
