import { Module } from '@nestjs/common';
import { EvaluationsController } from './evaluations.controller.ts';
import { EvaluationsService } from '../../../../libs/service/src/evaluate/evaluate-batch.ts';
import { DefinitionJudge } from '../../../../libs/service/src/judge/definition-judge.ts';

/** `/evaluate` and `/evaluations`, and the judge of definitions that other questions share. */
@Module({ controllers: [EvaluationsController], providers: [EvaluationsService, DefinitionJudge], exports: [DefinitionJudge] })
export class EvaluationsModule {}
