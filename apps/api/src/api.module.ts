import { Module } from '@nestjs/common';
import { DefinitionsModule } from './definitions/definitions.module.ts';
import { EngineModule } from './engine/engine.module.ts';
import { EvaluationsModule } from './evaluations/evaluations.module.ts';
import { ExplainController } from './explain/explain.controller.ts';
import { MatrixController } from './matrix/matrix.controller.ts';
import { WhatIfController } from './what-if/what-if.controller.ts';
import { HealthController } from './health/health.controller.ts';

@Module({
  imports: [EngineModule, EvaluationsModule, DefinitionsModule],
  controllers: [HealthController, ExplainController, MatrixController, WhatIfController],
})
export class ApiModule {}
