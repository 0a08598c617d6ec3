import { Controller, HttpCode, Inject, Post, Query, Req, Res } from '@nestjs/common';
import { ApiBody, ApiConsumes, ApiOkResponse, ApiOperation, ApiQuery, ApiTags, ApiTooManyRequestsResponse } from '@nestjs/swagger';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { z } from 'zod';
import {
  badRequestStatus,
  featureGates,
  readFeatureGates,
  isMinor,
  LATEST_MINOR,
  MINORS,
  serviceUnavailableStatus,
  unsupportedMediaTypeStatus,
} from '#kube';
import { checkOptions, definitionReportSchema, explainedDefinition, statusSchema } from '#evaluation';
import { checkDefinitionSize, DefinitionJudge, Dispatcher, explain } from '#service';
import { answerOf, requirePassed } from '../answer-outcome.ts';
import { bodyNotation, MEDIA_TYPES } from '../body-parsers.ts';
import { callerOf } from '../caller.ts';
import { API_CONFIG } from '../config.ts';
import type { ApiConfig } from '../config.ts';
import { NO_ROOM } from '../no-room.ts';
import { StatusFailure } from '../status.filter.ts';

/** The answer to `POST /definitions`: the report, and the static price of every rule. Costs are uint64 as decimal strings. */
const definitionAnswer = z
  .object({
    report: definitionReportSchema,
    rules: z.array(
      z.object({
        version: z.string(),
        path: z.string(),
        rule: z.string(),
        maxCost: z.string().describe('Static maximum of one evaluation; the limit is 10,000,000 times its cardinality'),
        cardinality: z.string().nullable().describe('How often it may run per object; null when a parent is unbounded'),
        totalCost: z.string(),
        usesOldSelf: z.boolean(),
        error: z.string().optional(),
      }),
    ),
    schemaCost: z.record(z.string(), z.string()).describe('Sum per version, compared with 100,000,000'),
  })
  .meta({ id: 'DefinitionAnswer' });

/** A definition judged alone, as the server would its creation. */
@ApiTags('definitions')
@Controller('definitions')
export class DefinitionsController {
  constructor(
    private readonly judge: DefinitionJudge,
    private readonly dispatcher: Dispatcher,
    @Inject(API_CONFIG) private readonly config: ApiConfig,
  ) {}

  @Post()
  @HttpCode(200)
  @ApiOperation({ summary: 'Judge one CustomResourceDefinition: errors, warnings, the static cost of every rule' })
  @ApiConsumes(MEDIA_TYPES.json[0] ?? '', MEDIA_TYPES.yaml[0] ?? '')
  @ApiBody({ schema: { type: 'object', description: 'A CustomResourceDefinition (apiextensions.k8s.io/v1)' } })
  @ApiQuery({ name: 'kubernetesVersion', required: false, enum: [...MINORS] })
  @ApiQuery({ name: 'featureGates', required: false, description: 'As the flag of kube-apiserver: CRDValidationRatcheting=false,…' })
  @ApiQuery({ name: 'explain', required: false, enum: ['', 'true', 'false'], description: 'Answer as POST /explain does of a definition' })
  @ApiOkResponse({ standardSchema: z.union([definitionAnswer, explainedDefinition]) })
  @ApiTooManyRequestsResponse({ standardSchema: statusSchema, description: NO_ROOM })
  async evaluate(
    @Req() request: FastifyRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
    @Query('kubernetesVersion') minor: string = LATEST_MINOR,
    @Query('featureGates') chosen = '',
    @Query('explain') priced?: string,
  ): Promise<unknown> {
    if (!isMinor(minor)) throw new StatusFailure(badRequestStatus(`kubernetesVersion: must be one of ${MINORS.join(', ')}`));
    const read = readFeatureGates(chosen);
    if (!read.ok) throw new StatusFailure(badRequestStatus(`featureGates: ${read.error}`));
    const found = featureGates(minor, read.gates);
    if (!found.ok) throw new StatusFailure(badRequestStatus(`featureGates: ${found.error}`));
    const options = checkOptions({ kubernetesVersion: minor, featureGates: read.gates });
    if (!options.ok) throw new StatusFailure(options.status);
    const notation = bodyNotation(request);
    if (notation === 'ndjson') throw new StatusFailure(unsupportedMediaTypeStatus('a definition is JSON or YAML'));
    const caller = callerOf(request, reply, 'request', this.dispatcher);
    const signal = AbortSignal.any([caller.signal, AbortSignal.timeout(this.config.deadlineMs)]);
    const slice = { bytes: request.body as Buffer, notation };
    requirePassed(checkDefinitionSize('the definition', slice));
    requirePassed(caller.engine.admit());
    if (priced !== '' && priced !== 'true')
      return answerOf(await this.judge.judge(slice, { minor, gates: found.gates }, caller.engine, signal));
    const documents = { definitions: [slice], objects: [], options: options.value };
    const { definitions } = await explain(caller.engine, documents, signal);
    const [explained] = definitions;
    if (explained === undefined || signal.aborted)
      throw new StatusFailure(serviceUnavailableStatus('the definition was not explained in time'));
    return explained;
  }
}
