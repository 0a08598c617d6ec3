import { Controller, HttpCode, Inject, Post, Query, Req, Res } from '@nestjs/common';
import { ApiBody, ApiConsumes, ApiOkResponse, ApiOperation, ApiQuery, ApiTags, ApiTooManyRequestsResponse } from '@nestjs/swagger';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { badRequestStatus, MINORS } from '#kube';
import { evaluationEnvelope, explanationAnswer, statusSchema } from '#evaluation';
import type { Explanation } from '#evaluation';
import { Dispatcher, explain } from '#service';
import { MEDIA_TYPES } from '../body-parsers.ts';
import { callerOf } from '../caller.ts';
import { API_CONFIG } from '../config.ts';
import type { ApiConfig } from '../config.ts';
import { overridden, readQuery } from '../evaluations/request-options.ts';
import { jsonSchema } from '../json-schema.ts';
import { NO_ROOM } from '../no-room.ts';
import { readDocumentsRequest } from '../read-documents.ts';
import { StatusFailure } from '../status.filter.ts';

/** Where the rules of definitions spend what they cost. */
@ApiTags('explain')
@Controller('explain')
export class ExplainController {
  constructor(
    private readonly dispatcher: Dispatcher,
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
  @ApiTooManyRequestsResponse({ standardSchema: statusSchema, description: NO_ROOM })
  async evaluate(
    @Req() request: FastifyRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
    @Query() query: Record<string, unknown>,
  ): Promise<Explanation> {
    const wishes = readQuery(query);
    const caller = callerOf(request, reply, 'request', this.dispatcher);
    const read = await readDocumentsRequest('explanation', request, caller, this.config, (options) => overridden(options, wishes));
    if (read.documents.definitions.length === 0) throw new StatusFailure(badRequestStatus('the batch holds no definition'));
    return read.whole(explain(caller.engine, read.documents, read.signal));
  }
}
