import { Inject, Module } from '@nestjs/common';
import type { DynamicModule, OnApplicationBootstrap, OnApplicationShutdown } from '@nestjs/common';
import type { Telemetry } from '#telemetry';
import { AdmissionController } from './admission/admission.controller.ts';
import { AdviseController } from './advise/advise.controller.ts';
import { BenchmarksController } from './benchmarks/benchmarks.controller.ts';
import type { ApiConfig } from './config.ts';
import { KeptDefinitionsController } from './definitions/kept-definitions.controller.ts';
import { DefinitionsController } from './definitions/definitions.controller.ts';
import { composeService } from './engine/compose-service.ts';
import { SERVICE } from './engine/service.ts';
import type { Service } from './engine/service.ts';
import { EvaluationsController } from './evaluations/evaluations.controller.ts';
import { DetachedEvaluationsController } from './evaluations/detached-evaluations.controller.ts';
import { ExplainController } from './explain/explain.controller.ts';
import { HealthController } from './health/health.controller.ts';
import { MatrixController } from './matrix/matrix.controller.ts';
import { WhatIfController } from './what-if/what-if.controller.ts';

/** Controllers that answer requests of clients. */
const ANSWERING = [
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
];

/** Root module of a process. It starts and stops the service. A process in the role `worker` answers health and metrics only. */
@Module({})
export class ApiModule implements OnApplicationBootstrap, OnApplicationShutdown {
  readonly #service: Service;

  constructor(@Inject(SERVICE) service: Service) {
    this.#service = service;
  }

  /** Returns the root module for a configuration, which was read and checked before anything starts. */
  static with(config: ApiConfig, telemetry: Telemetry): DynamicModule {
    const controllers = config.role === 'worker' ? [HealthController] : [HealthController, ...ANSWERING];
    return { module: ApiModule, controllers, providers: [{ provide: SERVICE, useValue: composeService(config, telemetry) }] };
  }

  onApplicationBootstrap(): Promise<void> {
    return this.#service.start();
  }

  onApplicationShutdown(): Promise<void> {
    return this.#service.stop();
  }
}
