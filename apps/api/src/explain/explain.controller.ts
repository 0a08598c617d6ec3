import { Controller, HttpCode, Inject, Post, Query, Req, Res } from '@nestjs/common';
import { ApiBody, ApiConsumes, ApiOkResponse, ApiOperation, ApiQuery, ApiTags, ApiTooManyRequestsResponse } from '@nestjs/swagger';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { badRequestStatus, MINORS } from '#kube';
import { evaluationEnvelope, explanationAnswer, statusSchema } from '#evaluation';
import type { EvaluationOptions, Explanation } from '#evaluation';
import { explain } from '#runner';
import { MEDIA_TYPES } from '../body-parsers.ts';
import { API_CONFIG } from '../config.ts';
import type { ApiConfig } from '../config.ts';
import { EngineLine } from '../../../../libs/service/src/dispatch/dispatcher.ts';
import { FULL_LINE } from '../../../../libs/service/src/dispatch/refusals.ts';
import { Question } from '../evaluations/read-question.ts';
import { overridden, readQuery } from '../evaluations/request-options.ts';
import { jsonSchema } from '../json-schema.ts';
import { StatusFailure } from '../status.filter.ts';

/** Where the rules of definitions spend what they cost. */
@ApiTags('explain')
@Controller('explain')
export class ExplainController {
  constructor(
    private readonly line: EngineLine,
    @Inject(API_CONFIG) private readonly config: ApiConfig,
  ) {}

  @Post()
  @HttpCode(200)
  @ApiOperation({
    summary: 'What each part of each rule costs, by estimate and as measured in objects; bounds that would bring a rule under its limit',
  })
  @ApiConsumes(MEDIA_TYPES.json[0] ?? '', MEDIA_TYPES.yaml[0] ?? '')
  @ApiBody({ schema: jsonSchema(evaluationEnvelope) })
  @ApiQuery({ name: 'kubernetesVersion', required: false, enum: [...MINORS] })
  @ApiOkResponse({ standardSchema: explanationAnswer })
  @ApiTooManyRequestsResponse({ standardSchema: statusSchema, description: FULL_LINE })
  async evaluate(
    @Req() request: FastifyRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
    @Query() query: Record<string, unknown>,
  ): Promise<Explanation> {
    const wishes = readQuery(query);
    const reading = { line: this.line, config: this.config, override: (options: EvaluationOptions) => overridden(options, wishes) };
    const question = await Question.read('an explanation', { request, reply }, reading);
    const { definitions, objects, options, engine, signal } = question;
    if (definitions.length === 0) throw new StatusFailure(badRequestStatus('the batch holds no definition'));
    return question.answered(explain(engine, definitions, objects, options, signal));
  }
}
