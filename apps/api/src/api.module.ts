import { Module } from '@nestjs/common';
import { DefinitionsModule } from './definitions/definitions.module.ts';
import { EngineModule } from './engine/engine.module.ts';
import { EvaluationsModule } from './evaluations/evaluations.module.ts';
import { HealthController } from './health/health.controller.ts';

@Module({ imports: [EngineModule, EvaluationsModule, DefinitionsModule], controllers: [HealthController] })
export class ApiModule {}
