import { Module } from '@nestjs/common';
import type { DynamicModule } from '@nestjs/common';
import type { QueueAdapter } from '#queue';
import type { Telemetry } from '#telemetry';
import { AdmissionController } from './admission/admission.controller.ts';
import { AdviseController } from './advise/advise.controller.ts';
import { AdmissionRules } from './admission/admission-rules.ts';
import { UseCaseAnswers } from './answer-use-case.ts';
import { BenchmarksController } from './benchmarks/benchmarks.controller.ts';
import { API_CONFIG } from './config.ts';
import type { ApiConfig } from './config.ts';
import { KeptDefinitionsController } from './definitions/kept-definitions.controller.ts';
import { DefinitionsController } from './definitions/definitions.controller.ts';
import { Drain } from './drain.ts';
import { EngineModule } from './engine/engine.module.ts';
import { EvaluationsController } from './evaluations/evaluations.controller.ts';
import { DetachedEvaluationsController } from './evaluations/detached-evaluations.controller.ts';
import { ExplainController } from './explain/explain.controller.ts';
import { DURABLE_QUEUE, TELEMETRY } from './engine/tokens.ts';
import { HealthController } from './health/health.controller.ts';
import { StorageProbe } from './health/storage-probe.ts';
import { MatrixController } from './matrix/matrix.controller.ts';
import { WhatIfController } from './what-if/what-if.controller.ts';

/** Module for health and metrics, with the services that these endpoints query. */
@Module({
  controllers: [HealthController],
  providers: [
    Drain,
    {
      provide: StorageProbe,
      useFactory: (queue: QueueAdapter, { redis }: ApiConfig) => new StorageProbe(queue, redis !== undefined),
      inject: [DURABLE_QUEUE, API_CONFIG],
    },
  ],
})
class WatchingModule {}

/** Module with all controllers that answer requests of clients. */
@Module({
  controllers: [
    EvaluationsController,
    DetachedEvaluationsController,
    DefinitionsController,
    KeptDefinitionsController,
    ExplainController,
    AdviseController,
    BenchmarksController,
    MatrixController,
    WhatIfController,
    AdmissionController,
  ],
  providers: [
    UseCaseAnswers,
    {
      provide: AdmissionRules,
      useFactory: (config: ApiConfig, telemetry: Telemetry) => new AdmissionRules(config, telemetry),
      inject: [API_CONFIG, TELEMETRY],
    },
  ],
})
class AnsweringModule {}

/** Root module of a process. A process in the role `worker` answers health and metrics only. */
@Module({})
export class ApiModule {
  /** Returns the root module for a configuration. */
  static with(config: ApiConfig, telemetry: Telemetry): DynamicModule {
    const imports = [EngineModule.with(config, telemetry), WatchingModule];
    return { module: ApiModule, imports: config.role === 'worker' ? imports : [...imports, AnsweringModule] };
  }
}
