import { Controller, HttpCode, Inject, Post, Query, Req, Res } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Readable } from 'node:stream';
import { badRequestStatus } from '#kube';
import { explanationAnswer } from '#evaluation';
import { Dispatcher, explain, KeptDefinitions } from '#service';
import { callerOf } from '../caller.ts';
import { API_CONFIG } from '../config.ts';
import type { ApiConfig } from '../config.ts';
import { DescribeAnswer, DescribeOptions, DescribeWithBody } from '../description/operations.ts';
import { overridden, readQuery } from '../evaluations/request-options.ts';
import { readDocumentsRequest } from '../read-documents.ts';
import { StatusFailure } from '../status.filter.ts';
import { wholeAnswer } from '../whole-answer.ts';

/** Where the rules of definitions, and admission policies, spend what they cost. */
@ApiTags('explain')
@Controller('explain')
export class ExplainController {
  constructor(
    private readonly dispatcher: Dispatcher,
    private readonly kept: KeptDefinitions,
    @Inject(API_CONFIG) private readonly config: ApiConfig,
  ) {}

  @Post()
  @HttpCode(200)
  @DescribeWithBody({
    summary: 'What each part of each rule costs, by estimate and as measured in objects; bounds that would bring a rule under its limit',
    description: 'Admission policies of the batch are priced by what they cost in the writes of its objects.',
    bodies: ['batch'],
  })
  @DescribeOptions('wait')
  @DescribeAnswer('Each rule taken apart, and each policy priced', { json: explanationAnswer })
  async evaluate(
    @Req() request: FastifyRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
    @Query() query: Record<string, unknown>,
  ): Promise<string | Readable> {
    const wishes = readQuery(query);
    const caller = callerOf(request, reply, 'request', this.dispatcher);
    const read = await readDocumentsRequest('explanation', request, caller, { limits: this.config, kept: this.kept }, (options) =>
      overridden(options, wishes),
    );
    if (read.documents.definitions.length + read.documents.policies.length === 0)
      throw new StatusFailure(badRequestStatus('the batch holds no definition and no admission policy'));
    const explanation = await read.whole(explain(caller.engine, read.documents, read.signal));
    return wholeAnswer(reply, explanation, this.config.maxAnswerBytes);
  }
}
