export { chunkSource } from './chunk-source.ts';
export type { AdapterSource } from './chunk-source.ts';
export { RedisQueue } from './bullmq/redis-queue.ts';
export { EmbeddedQueue } from './embedded/embedded-queue.ts';
export { DEFAULT_QUEUE_LIMITS } from './limits.ts';
export type { QueueLimits } from './limits.ts';
export type {
  CancellationChannel,
  Claim,
  DefinitionStore,
  EvaluationPhase,
  EvaluationRecord,
  Progress,
  QueueAdapter,
  ResultStore,
  WorkQueue,
} from './ports.ts';
