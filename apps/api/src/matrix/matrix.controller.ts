import { Controller, HttpCode, Inject, Post, Query, Req, Res } from '@nestjs/common';
import { ApiBody, ApiConsumes, ApiOperation, ApiQuery, ApiTags } from '@nestjs/swagger';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { badRequestStatus, isMinor, MINORS, timeoutStatus, tooLargeStatus, unsupportedMediaTypeStatus } from '#kube';
import type { Minor } from '#kube';
import { evaluationEnvelope, tooLargeProblem } from '#evaluation';
import { EngineHost, versionMatrix } from '#runner';
import type { VersionMatrix } from '#runner';
import { bodyNotation, MEDIA_TYPES } from '../body-parsers.ts';
import { clientOf } from '../access/client.ts';
import { clientGone } from '../client-gone.ts';
import { API_CONFIG } from '../config.ts';
import type { ApiConfig } from '../config.ts';
import { readBatch } from '../evaluations/read-batch.ts';
import { deadlineAt, refuseTooMany, refuseUnpermitted } from '../evaluations/request-options.ts';
import { jsonSchema } from '../json-schema.ts';
import { StatusFailure } from '../status.filter.ts';

/** A matrix is judged once per minor and answered whole: larger batches belong to `POST /evaluate`. */
const MAX_OBJECTS = 1000;

/** The same definitions and objects against every minor. */
@ApiTags('matrix')
@Controller('matrix')
export class MatrixController {
  constructor(
    private readonly host: EngineHost,
    @Inject(API_CONFIG) private readonly config: ApiConfig,
  ) {}

  @Post()
  @HttpCode(200)
  @ApiOperation({ summary: 'Where verdicts, texts and costs change between Kubernetes minors' })
  @ApiConsumes(MEDIA_TYPES.json[0] ?? '', MEDIA_TYPES.yaml[0] ?? '')
  @ApiBody({ schema: jsonSchema(evaluationEnvelope) })
  @ApiQuery({ name: 'minors', required: false, description: 'Comma-separated; default all' })
  async evaluate(
    @Req() request: FastifyRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
    @Query('minors') minors?: string,
  ): Promise<VersionMatrix> {
    const notation = bodyNotation(request);
    if (notation === 'ndjson') throw new StatusFailure(unsupportedMediaTypeStatus('a matrix takes JSON or YAML'));
    const signal = clientGone(reply);
    const { definitions, objects, options } = await readBatch(notation, request.body as Buffer, this.host, signal);
    const { limits } = clientOf(request);
    refuseUnpermitted(options, limits);
    refuseTooMany(objects.length, limits);
    if (definitions.length + objects.length === 0)
      throw new StatusFailure(badRequestStatus('the batch is empty: it holds neither definitions nor objects'));
    if (objects.length > MAX_OBJECTS) throw new StatusFailure(tooLargeStatus(`at most ${MAX_OBJECTS} objects a matrix`));
    for (const [i, { bytes }] of definitions.entries()) {
      const tooLarge = tooLargeProblem(`definitions[${i}]`, bytes.length);
      if (tooLarge) throw new StatusFailure(tooLarge);
    }
    const timely = AbortSignal.any([signal, AbortSignal.timeout(Math.max(1, deadlineAt(options, this.config) - Date.now()))]);
    const matrix = await versionMatrix(this.host, definitions, objects, options, wantedMinors(minors), timely);
    if (timely.aborted) throw new StatusFailure(timeoutStatus('the deadline of the matrix passed', 0, 408));
    return matrix;
  }
}

function wantedMinors(text: string | undefined): readonly Minor[] {
  if (text === undefined) return MINORS;
  const wanted = text.split(',').map((minor) => minor.trim());
  const unknown = wanted.filter((minor) => !isMinor(minor));
  if (unknown.length > 0) throw new StatusFailure(badRequestStatus(`minors: ${unknown.join(', ')}: must be among ${MINORS.join(', ')}`));
  return wanted.filter(isMinor);
}
