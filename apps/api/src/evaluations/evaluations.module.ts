import { Module } from '@nestjs/common';
import { EvaluationsController } from './evaluations.controller.ts';
import { EvaluationsService } from './evaluations.service.ts';
import { DefinitionJudge } from './judge-definitions.ts';

/** `/evaluate` and `/evaluations`, and the judge of definitions that other questions share. */
@Module({ controllers: [EvaluationsController], providers: [EvaluationsService, DefinitionJudge], exports: [DefinitionJudge] })
export class EvaluationsModule {}
