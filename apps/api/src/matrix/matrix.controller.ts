import { Controller, HttpCode, Inject, Post, Query, Req, Res } from '@nestjs/common';
import { ApiBody, ApiConsumes, ApiOperation, ApiQuery, ApiTags, ApiTooManyRequestsResponse } from '@nestjs/swagger';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { badRequestStatus, isMinor, MINORS } from '#kube';
import type { Minor } from '#kube';
import { evaluationEnvelope, statusSchema } from '#evaluation';
import { Dispatcher, versionMatrix } from '#service';
import type { VersionMatrix } from '#service';
import { MEDIA_TYPES } from '../body-parsers.ts';
import { callerOf } from '../caller.ts';
import { API_CONFIG } from '../config.ts';
import type { ApiConfig } from '../config.ts';
import { NO_ROOM } from '../no-room.ts';
import { readDocumentsRequest } from '../read-documents.ts';
import { jsonSchema } from '../json-schema.ts';
import { StatusFailure } from '../status.filter.ts';

/** The same definitions and objects against every minor. */
@ApiTags('matrix')
@Controller('matrix')
export class MatrixController {
  constructor(
    private readonly dispatcher: Dispatcher,
    @Inject(API_CONFIG) private readonly config: ApiConfig,
  ) {}

  @Post()
  @HttpCode(200)
  @ApiOperation({ summary: 'Where verdicts, texts and costs change between Kubernetes minors' })
  @ApiConsumes(MEDIA_TYPES.json[0] ?? '', MEDIA_TYPES.yaml[0] ?? '')
  @ApiBody({ schema: jsonSchema(evaluationEnvelope) })
  @ApiQuery({ name: 'minors', required: false, description: 'Comma-separated; default all' })
  @ApiTooManyRequestsResponse({ standardSchema: statusSchema, description: NO_ROOM })
  async evaluate(
    @Req() request: FastifyRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
    @Query('minors') minors?: string,
  ): Promise<VersionMatrix> {
    const wanted = wantedMinors(minors);
    const caller = callerOf(request, reply, 'request', this.dispatcher);
    const read = await readDocumentsRequest('matrix', request, caller, this.config);
    if (read.documents.definitions.length + read.documents.objects.length === 0)
      throw new StatusFailure(badRequestStatus('the batch is empty: it holds neither definitions nor objects'));
    return read.whole(versionMatrix(caller.engine, read.documents, wanted, read.signal));
  }
}

function wantedMinors(text: string | undefined): readonly Minor[] {
  if (text === undefined) return MINORS;
  const wanted = text.split(',').map((minor) => minor.trim());
  const unknown = wanted.filter((minor) => !isMinor(minor));
  if (unknown.length > 0) throw new StatusFailure(badRequestStatus(`minors: ${unknown.join(', ')}: must be among ${MINORS.join(', ')}`));
  return wanted.filter(isMinor);
}
