import { Module } from '@nestjs/common';
import { EvaluationsModule } from '../evaluations/evaluations.module.ts';
import { DefinitionsController } from './definitions.controller.ts';

/** `/definitions`: one definition judged alone. */
@Module({ imports: [EvaluationsModule], controllers: [DefinitionsController] })
export class DefinitionsModule {}
