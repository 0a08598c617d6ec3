import { Module } from '@nestjs/common';
import { EvaluationsController } from './evaluations.controller.ts';
import { EvaluationsService } from './evaluations.service.ts';
import { DefinitionJudge } from './judge-definitions.ts';

@Module({ controllers: [EvaluationsController], providers: [EvaluationsService, DefinitionJudge], exports: [DefinitionJudge] })
export class EvaluationsModule {}
