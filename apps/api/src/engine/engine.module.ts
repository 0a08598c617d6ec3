import { Global, Module } from '@nestjs/common';
import type { DynamicModule, Provider } from '@nestjs/common';
import { cpus } from 'node:os';
import { EmbeddedQueue } from '#queue';
import type { QueueAdapter } from '#queue';
import { logRedis, RedisQueue } from '#queue/redis';
import { EngineHost } from '#runner';
import {
  BatchEvaluation,
  DefinitionJudge,
  Dispatcher,
  EvaluationArchive,
  KeptDefinitions,
  Overflow,
  FleetStudies,
  Refusals,
  RememberedDefinitions,
  Studies,
  StudyService,
} from '#service';
import type { ServicePorts, StudiesPorts, WaitingWork } from '#service';
import type { Telemetry } from '#telemetry';
import { AuditedEnds } from '../audit/audit-ends.ts';
import { auditStudyEnd } from '../audit/audit-study-end.ts';
import { AuditLog } from '../audit/audit-log.ts';
import { API_CONFIG } from '../config.ts';
import type { ApiConfig } from '../config.ts';
import { EngineGauges } from './engine-gauges.ts';
import { EngineLifecycle } from './engine-lifecycle.ts';
import { EngineWork } from './engine-work.ts';
import { DURABLE_QUEUE, QUEUE, SERVICE_PORTS, SHARED_QUEUE, STUDY_PORTS, TELEMETRY } from './tokens.ts';

/** Providers of the queues, the engine, the use cases and the audit log. The libraries do not use Nest, so this file connects them. */
const PROVIDERS: Provider[] = [
  {
    provide: EngineHost,
    useFactory: ({ threads, threadHeapMb }: ApiConfig, telemetry: Telemetry) => new EngineHost({ threads, threadHeapMb, telemetry }),
    inject: [API_CONFIG, TELEMETRY],
  },
  { provide: Refusals, useFactory: (telemetry: Telemetry) => new Refusals(telemetry), inject: [TELEMETRY] },
  {
    provide: Dispatcher,
    useFactory: (engine: EngineHost, refusals: Refusals, telemetry: Telemetry, { queueLimits: limits }: ApiConfig) =>
      new Dispatcher({ engine, limits, refusals, telemetry }),
    inject: [EngineHost, Refusals, TELEMETRY, API_CONFIG],
  },
  { provide: QUEUE, useFactory: ownQueue, inject: [API_CONFIG, Dispatcher] },
  { provide: SHARED_QUEUE, useFactory: sharedQueue, inject: [API_CONFIG, TELEMETRY] },
  {
    provide: DURABLE_QUEUE,
    useFactory: (own: QueueAdapter, shared: QueueAdapter | undefined): QueueAdapter => shared ?? own,
    inject: [QUEUE, SHARED_QUEUE],
  },
  {
    provide: SERVICE_PORTS,
    useFactory: (queue: QueueAdapter, durable: QueueAdapter, telemetry: Telemetry, config: ApiConfig): ServicePorts => ({
      queue,
      durable,
      overflow: durable === queue ? undefined : new Overflow({ shared: durable, definitions: queue.definitions }),
      telemetry,
      limits: config,
    }),
    inject: [QUEUE, DURABLE_QUEUE, TELEMETRY, API_CONFIG],
  },
  {
    provide: DefinitionJudge,
    useFactory: (ports: ServicePorts, refusals: Refusals) => new DefinitionJudge(ports, refusals),
    inject: [SERVICE_PORTS, Refusals],
  },
  {
    provide: KeptDefinitions,
    useFactory: ({ queue, durable }: ServicePorts, refusals: Refusals, { definitionRetentionMs: keptMs, maxDefinitions }: ApiConfig) => {
      const store = durable === queue ? queue.definitions : new RememberedDefinitions(durable.definitions);
      return new KeptDefinitions({ store, refusals, maxDefinitions, keptMs });
    },
    inject: [SERVICE_PORTS, Refusals, API_CONFIG],
  },
  {
    provide: EvaluationArchive,
    useFactory: (queue: QueueAdapter) => new EvaluationArchive({ queue }),
    inject: [DURABLE_QUEUE],
  },
  {
    provide: BatchEvaluation,
    useFactory: (ports: ServicePorts, judge: DefinitionJudge, refusals: Refusals) => new BatchEvaluation(ports, judge, refusals),
    inject: [SERVICE_PORTS, DefinitionJudge, Refusals],
  },
  { provide: STUDY_PORTS, useFactory: studyPorts, inject: [EngineHost, TELEMETRY, AuditLog, API_CONFIG] },
  { provide: StudyService, useFactory: studyService, inject: [QUEUE, SHARED_QUEUE, STUDY_PORTS, API_CONFIG] },
  {
    provide: AuditLog,
    useFactory: ({ audit }: ApiConfig, { log }: Telemetry) => new AuditLog(audit, log),
    inject: [API_CONFIG, TELEMETRY],
  },
  {
    provide: AuditedEnds,
    useFactory: (queue: QueueAdapter, audit: AuditLog) => new AuditedEnds(queue, audit),
    inject: [DURABLE_QUEUE, AuditLog],
  },
  EngineGauges,
  EngineWork,
  EngineLifecycle,
];

/**
 * Returns the queue of this process. Its chunks share one fair queue with all other work for the engine. The queue uses the journal file,
 * unless Redis stores the data that must outlive the process.
 */
function ownQueue({ redis, journalFile, queueLimits, contentKeys }: ApiConfig, dispatcher: Dispatcher): EmbeddedQueue<WaitingWork> {
  return new EmbeddedQueue(redis === undefined ? journalFile : ':memory:', queueLimits, {
    contentKeys,
    shared: { fair: dispatcher.fair, onQueued: () => dispatcher.dispatch() },
  });
}

/** Returns the queue in Redis; undefined if no Redis is configured. */
function sharedQueue({ redis, queueLimits: limits, contentKeys }: ApiConfig, { log }: Telemetry): RedisQueue | undefined {
  const { report, repaired } = logRedis(log);
  return redis && new RedisQueue(redis, { limits, contentKeys, report, repaired });
}

/**
 * Ports (engine, queue limits, telemetry, callbacks) that studies (benchmarks) need, whether studies are stored in this process or in
 * Redis.
 */
type StudyPorts = Omit<StudiesPorts, 'store'>;

function studyPorts(engine: EngineHost, telemetry: Telemetry, audit: AuditLog, { queueLimits: limits }: ApiConfig): StudyPorts {
  return {
    engine,
    limits,
    telemetry,
    onEnd: (ended) => auditStudyEnd(ended, audit),
    machine: { node: process.version, cpu: cpus()[0]?.model ?? 'unknown' },
  };
}

/**
 * Returns the service for studies (benchmarks). Without Redis, it manages the studies of this process; with Redis, the studies of all
 * processes.
 */
function studyService(
  own: EmbeddedQueue<WaitingWork>,
  shared: RedisQueue | undefined,
  ports: StudyPorts,
  { role }: ApiConfig,
): StudyService {
  if (shared === undefined) return new Studies({ ...ports, store: own.studies() });
  return new FleetStudies({ ...ports, fleet: shared.studies(), performs: role !== 'api' });
}

/** Module that provides the engine and the use cases to all controllers. */
@Global()
@Module({
  providers: PROVIDERS,
  exports: [
    API_CONFIG,
    TELEMETRY,
    DURABLE_QUEUE,
    AuditLog,
    EngineHost,
    Dispatcher,
    DefinitionJudge,
    KeptDefinitions,
    EvaluationArchive,
    BatchEvaluation,
    StudyService,
  ],
})
export class EngineModule {
  /** Returns the module for a configuration. The configuration must have been read and checked before anything starts. */
  static with(config: ApiConfig, telemetry: Telemetry): DynamicModule {
    return {
      module: EngineModule,
      providers: [
        { provide: API_CONFIG, useValue: config },
        { provide: TELEMETRY, useValue: telemetry },
      ],
    };
  }
}
