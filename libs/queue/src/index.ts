export { readContentKeys } from './at-rest/content-keys.ts';
export { EmbeddedQueue } from './embedded/embedded-queue.ts';
export { TakenJournal, UnusableJournal } from './embedded/open-journal.ts';
export { inTime } from './in-time.ts';
export { DEFAULT_QUEUE_LIMITS } from './limits.ts';
export type { QueueLimits } from './limits.ts';
export { retentionOf } from './retention.ts';
export { UnreadableContent } from './at-rest/sealing.ts';
export { isUnavailable } from './unavailable.ts';
export type {
  BegunJob,
  DefinitionHolder,
  DefinitionStore,
  EndedEvaluation,
  EvaluationRecord,
  JobPart,
  JobStore,
  PartResult,
  PerformJob,
  PriceStore,
  Progress,
  QueueAdapter,
  StoreAnswer,
  TokenGrant,
  TokenRequest,
  TokenStore,
} from './ports.ts';
export type { StoredStudy, StudyStore } from './study-store.ts';
export type { StudyFleet, TurnEnd } from './study-fleet.ts';
