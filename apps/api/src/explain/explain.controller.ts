import { Controller, HttpCode, Inject, Post, Query, Req, Res } from '@nestjs/common';
import { ApiBody, ApiConsumes, ApiOkResponse, ApiOperation, ApiQuery, ApiTags } from '@nestjs/swagger';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { badRequestStatus, MINORS, timeoutStatus, tooLargeStatus, unsupportedMediaTypeStatus } from '#kube';
import { evaluationEnvelope, explanationAnswer, tooLargeProblem } from '#evaluation';
import type { Explanation } from '#evaluation';
import { EngineHost, explain } from '#runner';
import { bodyNotation, MEDIA_TYPES } from '../body-parsers.ts';
import { clientOf } from '../access/client.ts';
import { clientGone } from '../client-gone.ts';
import { API_CONFIG } from '../config.ts';
import type { ApiConfig } from '../config.ts';
import { readBatch } from '../evaluations/read-batch.ts';
import { deadlineAt, overridden, readQuery, refuseTooMany, refuseUnpermitted } from '../evaluations/request-options.ts';
import { jsonSchema } from '../json-schema.ts';
import { StatusFailure } from '../status.filter.ts';

/** An explanation is answered whole, and its rules run slower than in `POST /evaluate`, where larger batches belong. */
const MAX_OBJECTS = 1000;

/** Where the rules of definitions spend what they cost. */
@ApiTags('explain')
@Controller('explain')
export class ExplainController {
  constructor(
    private readonly host: EngineHost,
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
  async evaluate(
    @Req() request: FastifyRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
    @Query() query: Record<string, unknown>,
  ): Promise<Explanation> {
    const notation = bodyNotation(request);
    if (notation === 'ndjson') throw new StatusFailure(unsupportedMediaTypeStatus('an explanation takes JSON or YAML'));
    const wishes = readQuery(query);
    const signal = clientGone(reply);
    const batch = await readBatch(notation, request.body as Buffer, this.host, signal);
    const { definitions, objects } = batch;
    const options = overridden(batch.options, wishes);
    const { limits } = clientOf(request);
    refuseUnpermitted(options, limits);
    refuseTooMany(objects.length, limits);
    if (definitions.length === 0) throw new StatusFailure(badRequestStatus('the batch holds no definition'));
    if (definitions.length > this.config.maxDefinitions)
      throw new StatusFailure(tooLargeStatus(`at most ${this.config.maxDefinitions} definitions a request`));
    if (objects.length > MAX_OBJECTS) throw new StatusFailure(tooLargeStatus(`at most ${MAX_OBJECTS} objects an explanation`));
    for (const [i, { bytes }] of definitions.entries()) {
      const tooLarge = tooLargeProblem(`definitions[${i}]`, bytes.length);
      if (tooLarge) throw new StatusFailure(tooLarge);
    }
    const timely = AbortSignal.any([signal, AbortSignal.timeout(Math.max(1, deadlineAt(options, this.config) - Date.now()))]);
    const explanation = await explain(this.host, definitions, objects, options, timely);
    if (timely.aborted) throw new StatusFailure(timeoutStatus('the deadline of the explanation passed', 0, 408));
    return explanation;
  }
}
