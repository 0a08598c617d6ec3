import { Controller, HttpCode, Inject, Post, Query, Req, Res } from '@nestjs/common';
import { ApiQuery, ApiTags } from '@nestjs/swagger';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Readable } from 'node:stream';
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
import { checkOptions, definitionReportSchema, explainedDefinition, problemsOf, NO_POLICIES } from '#evaluation';
import type { EvaluationOptions } from '#evaluation';
import { checkDefinitionSize, DefinitionJudge, Dispatcher, explain } from '#service';
import { answerOf, requirePassed } from '../answer-outcome.ts';
import { bodyNotation } from '../body-parsers.ts';
import { callerOf } from '../caller.ts';
import { API_CONFIG } from '../config.ts';
import type { ApiConfig } from '../config.ts';
import { DescribeAnswer, DescribeWithBody } from '../description/operations.ts';
import { StatusFailure } from '../status.filter.ts';
import { wholeAnswer } from '../whole-answer.ts';

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

const judgedOrExplained = z.union([definitionAnswer, explainedDefinition]).meta({ id: 'JudgedOrExplained' });

const flag = z.enum(['', 'true', 'false']).transform((text) => text !== 'false');
const definitionQuery = z.strictObject({
  kubernetesVersion: z.string().default(LATEST_MINOR),
  featureGates: z.string().default(''),
  explain: flag.default(false),
  asSent: flag.default(false),
});

/** Reads the query; throws the 400 that names an unknown or malformed parameter. */
function readDefinitionQuery(query: unknown): { readonly explain: boolean; readonly options: EvaluationOptions } {
  const result = definitionQuery.safeParse(query);
  if (!result.success) throw new StatusFailure(badRequestStatus(problemsOf(result.error, 'query').join('; ')));
  const { kubernetesVersion, featureGates: chosen, explain, asSent } = result.data;
  if (!isMinor(kubernetesVersion)) throw new StatusFailure(badRequestStatus(`kubernetesVersion: must be one of ${MINORS.join(', ')}`));
  const read = readFeatureGates(chosen);
  if (!read.ok) throw new StatusFailure(badRequestStatus(`featureGates: ${read.error}`));
  const found = featureGates(kubernetesVersion, read.gates);
  if (!found.ok) throw new StatusFailure(badRequestStatus(`featureGates: ${found.error}`));
  const options = checkOptions({ kubernetesVersion, featureGates: read.gates, asSent });
  if (!options.ok) throw new StatusFailure(options.status);
  return { explain, options: options.value };
}

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
  @DescribeWithBody({
    summary: 'Judge one CustomResourceDefinition: errors, warnings, the static cost of every rule',
    bodies: ['definition'],
  })
  @ApiQuery({ name: 'kubernetesVersion', required: false, enum: [...MINORS] })
  @ApiQuery({ name: 'featureGates', required: false, description: 'As the flag of kube-apiserver: CRDValidationRatcheting=false,…' })
  @ApiQuery({ name: 'asSent', required: false, enum: ['', 'true', 'false'], description: 'Judge it with the resourceVersion that it has' })
  @ApiQuery({ name: 'explain', required: false, enum: ['', 'true', 'false'], description: 'Answer as POST /explain does of a definition' })
  @DescribeAnswer('The report and the price of each rule, or the explanation that was asked for', { json: judgedOrExplained })
  async evaluate(
    @Req() request: FastifyRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
    @Query() query: unknown,
  ): Promise<string | Readable> {
    const { explain: isPriced, options } = readDefinitionQuery(query);
    const notation = bodyNotation(request);
    if (notation === 'ndjson') throw new StatusFailure(unsupportedMediaTypeStatus('a definition is JSON or YAML'));
    const caller = callerOf(request, reply, 'request', this.dispatcher);
    const signal = AbortSignal.any([caller.signal, AbortSignal.timeout(this.config.deadlineMs)]);
    const slice = { bytes: request.body as Buffer, notation };
    requirePassed(checkDefinitionSize('the definition', slice));
    requirePassed(caller.engine.admit());
    if (!isPriced) return this.#whole(reply, answerOf(await this.judge.judge(slice, options, caller.engine, signal)));
    const documents = { definitions: [slice], objects: [], ...NO_POLICIES, options };
    const { definitions } = await explain(caller.engine, documents, signal);
    const [explained] = definitions;
    if (explained === undefined || signal.aborted)
      throw new StatusFailure(serviceUnavailableStatus('the definition was not explained in time'));
    return this.#whole(reply, explained);
  }

  #whole(reply: FastifyReply, answer: unknown): Promise<string | Readable> {
    return wholeAnswer(reply, answer, this.config.maxAnswerBytes);
  }
}
