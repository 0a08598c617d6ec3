import { Global, Module } from '@nestjs/common';
import type { DynamicModule, Provider } from '@nestjs/common';
import { EmbeddedQueue } from '#queue';
import type { QueueAdapter } from '#queue';
import { logRedis, openRedisQueue } from '#queue/redis';
import { EngineHost } from '#runner';
import { BatchEvaluation, DefinitionJudge, Dispatcher, EvaluationArchive, KeptDefinitions, Refusals } from '#service';
import type { ServicePorts } from '#service';
import type { Telemetry } from '#telemetry';
import { API_CONFIG } from '../config.ts';
import type { ApiConfig } from '../config.ts';
import { EngineLifecycle } from './engine-lifecycle.ts';
import { QUEUE, SERVICE_PORTS, TELEMETRY } from './tokens.ts';

/** What carries and runs work in this process, and the use cases over it. The libraries know nothing of Nest: here they are put together. */
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
  { provide: QUEUE, useFactory: queueOf, inject: [API_CONFIG, Dispatcher, TELEMETRY] },
  {
    provide: SERVICE_PORTS,
    useFactory: (queue: QueueAdapter, telemetry: Telemetry, config: ApiConfig): ServicePorts => ({
      queue,
      telemetry,
      limits: { ...config, sameNames: 'refused' },
    }),
    inject: [QUEUE, TELEMETRY, API_CONFIG],
  },
  {
    provide: DefinitionJudge,
    useFactory: (ports: ServicePorts, refusals: Refusals) => new DefinitionJudge(ports, refusals),
    inject: [SERVICE_PORTS, Refusals],
  },
  {
    provide: KeptDefinitions,
    useFactory: (ports: ServicePorts, refusals: Refusals, { definitionRetentionMs }: ApiConfig) =>
      new KeptDefinitions(ports, refusals, definitionRetentionMs),
    inject: [SERVICE_PORTS, Refusals, API_CONFIG],
  },
  { provide: EvaluationArchive, useFactory: (ports: ServicePorts) => new EvaluationArchive(ports), inject: [SERVICE_PORTS] },
  {
    provide: BatchEvaluation,
    useFactory: (ports: ServicePorts, judge: DefinitionJudge, refusals: Refusals) => new BatchEvaluation(ports, judge, refusals),
    inject: [SERVICE_PORTS, DefinitionJudge, Refusals],
  },
  EngineLifecycle,
];

/** Redis where one is named, else everything in this process, with chunks waiting where all other work for its engine waits. */
function queueOf({ redis, journalFile, queueLimits, contentKeys }: ApiConfig, dispatcher: Dispatcher, { log }: Telemetry): QueueAdapter {
  if (redis !== undefined) return openRedisQueue(redis, { limits: queueLimits, contentKeys, tell: logRedis(log).tell });
  return new EmbeddedQueue(journalFile, queueLimits, {
    contentKeys,
    shared: { fair: dispatcher.fair, onQueued: () => dispatcher.dispatch() },
  });
}

/** Provides the engine and the use cases to all controllers. */
@Global()
@Module({
  providers: PROVIDERS,
  exports: [API_CONFIG, TELEMETRY, QUEUE, EngineHost, Dispatcher, DefinitionJudge, KeptDefinitions, EvaluationArchive, BatchEvaluation],
})
export class EngineModule {
  /** The module with a configuration that was read and checked before anything started. */
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
