import { Controller, HttpCode, Inject, Post, Query, Req, Res } from '@nestjs/common';
import { ApiQuery, ApiTags } from '@nestjs/swagger';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Readable } from 'node:stream';
import { badRequestStatus, isMinor, MINORS } from '#kube';
import type { Minor } from '#kube';
import { Dispatcher, KeptDefinitions, versionMatrix } from '#service';
import { callerOf } from '../caller.ts';
import { API_CONFIG } from '../config.ts';
import type { ApiConfig } from '../config.ts';
import { DescribeAnswer, DescribeWithBody } from '../description/operations.ts';
import { overridden, readQuery } from '../evaluations/request-options.ts';
import { readDocumentsRequest } from '../read-documents.ts';
import { StatusFailure } from '../status.filter.ts';
import { wholeAnswer } from '../whole-answer.ts';
import { matrixAnswer } from './matrix-answer.ts';

/** The same definitions, policies and objects against every minor. */
@ApiTags('matrix')
@Controller('matrix')
export class MatrixController {
  constructor(
    private readonly dispatcher: Dispatcher,
    private readonly kept: KeptDefinitions,
    @Inject(API_CONFIG) private readonly config: ApiConfig,
  ) {}

  @Post()
  @HttpCode(200)
  @DescribeWithBody({ summary: 'Where verdicts, texts and costs change between Kubernetes minors', bodies: ['batch'] })
  @ApiQuery({
    name: 'minors',
    required: false,
    description: 'Comma-separated; default all. Any option of `POST /evaluate` may be given as well',
  })
  @DescribeAnswer('A row for each definition and each object', { json: matrixAnswer })
  async evaluate(
    @Req() request: FastifyRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
    @Query() query: Record<string, unknown>,
  ): Promise<string | Readable> {
    const { minors, ...options } = query;
    const wanted = wantedMinors(minors);
    const wishes = readQuery(options);
    const caller = callerOf(request, reply, 'request', this.dispatcher);
    const read = await readDocumentsRequest('matrix', request, caller, { limits: this.config, kept: this.kept }, (given) =>
      overridden(given, wishes),
    );
    if (read.documents.definitions.length + read.documents.objects.length === 0)
      throw new StatusFailure(badRequestStatus('the batch is empty: it holds neither definitions nor objects'));
    const matrix = await read.whole(versionMatrix(caller.engine, read.documents, wanted, { signal: read.signal }));
    return wholeAnswer(reply, matrix, this.config.maxAnswerBytes);
  }
}

function wantedMinors(text: unknown): readonly Minor[] {
  if (text === undefined) return MINORS;
  if (typeof text !== 'string') throw new StatusFailure(badRequestStatus('minors: must be given once'));
  const wanted = text.split(',').map((minor) => minor.trim());
  const unknown = wanted.filter((minor) => !isMinor(minor));
  if (unknown.length > 0) throw new StatusFailure(badRequestStatus(`minors: ${unknown.join(', ')}: must be among ${MINORS.join(', ')}`));
  return wanted.filter(isMinor);
}
