import type { EmbeddedQueue } from '#jobs';
import type { RedisQueue } from '#jobs/redis';
import type { EngineHost, Dispatcher } from '#runner';
import type { BatchEvaluation, DefinitionJudge, EvaluationArchive, KeptDefinitions, Studies } from '#service';
import type { Telemetry } from '#telemetry';
import type { AdmissionRules } from '../admission/admission-rules.ts';
import type { UseCaseAnswers } from '../answer-use-case.ts';
import type { AuditLog } from '../audit/audit-log.ts';
import type { ApiConfig } from '../config.ts';
import type { Drain } from '../drain.ts';
import type { StorageProbe } from '../health/storage-probe.ts';

/** Parts of a process of the service. Controllers and hooks use them; `composeService` says which part holds which. */
export interface Service {
  readonly config: ApiConfig;
  readonly telemetry: Telemetry;
  readonly host: EngineHost;
  readonly dispatcher: Dispatcher;
  /** Queue of detached evaluations, which continue after their request: in Redis, or in this process with a journal. */
  readonly durable: EmbeddedQueue | RedisQueue;
  readonly judge: DefinitionJudge;
  readonly kept: KeptDefinitions;
  readonly evaluations: BatchEvaluation;
  readonly archive: EvaluationArchive;
  readonly studies: Studies;
  readonly audit: AuditLog;
  readonly drain: Drain;
  readonly storage: StorageProbe;
  readonly answers: UseCaseAnswers;
  /** Definitions and policies for AdmissionReviews. */
  readonly rules: AdmissionRules;
  /** Starts the engine, the work on detached evaluations, and the studies. */
  start(): Promise<void>;
  /** Stops all work and closes the storage. Resolves when all unfinished work is returned to its queue, or after a short time. */
  stop(): Promise<void>;
}

/** Injection token of the {@link Service}. */
export const SERVICE = Symbol('Service');
