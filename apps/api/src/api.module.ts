import { Module } from '@nestjs/common';
import type { DynamicModule } from '@nestjs/common';
import type { ApiConfig } from './config.ts';
import { DefinitionsModule } from './definitions/definitions.module.ts';
import { Drain } from './drain.ts';
import { EngineModule } from './engine/engine.module.ts';
import { EvaluationsModule } from './evaluations/evaluations.module.ts';
import { ExplainController } from './explain/explain.controller.ts';
import { MatrixController } from './matrix/matrix.controller.ts';
import { WhatIfController } from './what-if/what-if.controller.ts';
import { HealthController } from './health/health.controller.ts';

/** Everything that the API answers. */
@Module({
  imports: [EvaluationsModule, DefinitionsModule],
  controllers: [HealthController, ExplainController, MatrixController, WhatIfController],
  providers: [Drain],
})
export class ApiModule {
  /** The API as configured. */
  static with(config: ApiConfig): DynamicModule {
    return { module: ApiModule, imports: [EngineModule.with(config)] };
  }
}
