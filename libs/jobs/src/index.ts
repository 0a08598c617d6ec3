export { parseSecrets, readContentKeys } from './at-rest/read-secrets.ts';
export type { ParsedSecrets } from './at-rest/read-secrets.ts';
export { EmbeddedQueue } from './embedded/embedded-queue.ts';
export { TakenJournal, UnusableJournal } from './embedded/open-journal.ts';
export { JobRunner } from './job-runner.ts';
export type { JobRunnerPorts } from './job-runner.ts';
export { inTime, isUnavailable } from './unavailable.ts';
export { DEFAULT_QUEUE_LIMITS } from './limits.ts';
export type { QueueLimits } from './limits.ts';
export { UnreadableContent } from './at-rest/sealing.ts';
export type {
  BegunJob,
  DefinitionHolder,
  DefinitionStore,
  EndedJob,
  EvaluationForms,
  EvaluationRecord,
  JobForms,
  JobPart,
  JobQueue,
  JobRecord,
  JobStore,
  PartResult,
  PerformJob,
  PriceStore,
  Progress,
  QueueAdapter,
  StoreAnswer,
  ThreadTimeStore,
  TokenGrant,
  TokenRequest,
  TokenStore,
} from './ports.ts';
export type { JobKind } from './life/job-kind.ts';
