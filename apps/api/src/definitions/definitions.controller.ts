import type { Readable } from 'node:stream';
import { HttpCode, Inject, Post, Query, Get, Param, Put, Req, Res } from '@nestjs/common';
import { ApiQuery, ApiOperation, ApiParam, ApiResponse } from '@nestjs/swagger';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { z } from 'zod';
import { checkOptions, definitionReportSchema, explainedDefinition, fieldValidation, problemsOf, NO_POLICIES } from '#documents';
import type { DocumentSlice, EvaluationOptions, ExplainedDefinition } from '#documents';
import { badRequestStatus, featureGates, readFeatureGates, isMinor, LATEST_MINOR, MINORS, serviceUnavailableStatus } from '#kube';
import { answered, declined, explain } from '#service';
import type { Outcome } from '#service';
import { clientOf } from '../access/client.ts';
import { HttpExchange } from '../answer-use-case.ts';
import type { Admission, Exchange } from '../answer-use-case.ts';
import { MEDIA_TYPES } from '../body-parsers.ts';
import { callerOf } from '../caller.ts';
import { Endpoints } from '../description/endpoints.ts';
import { DescribeAnswer, DescribeWithBody, DescribeFailures } from '../description/operations.ts';
import { SERVICE } from '../engine/service.ts';
import type { Service } from '../engine/service.ts';
import { KUBERNETES_VERSION } from '../evaluations/request-options.ts';
import { definitionOfRequest } from '../read-documents.ts';
import { answerOrThrow, StatusFailure } from '../status.filter.ts';

/**
 * Schema of the answer to `POST /definitions`: the report on the definition, and the cost estimate of every rule. Costs are uint64 numbers as
 * decimal strings.
 */
const definitionAnswer = z
  .object({
    report: definitionReportSchema,
    rules: z.array(
      z.object({
        version: z.string(),
        path: z.string(),
        rule: z.string(),
        maxCost: z.string().describe('Estimated maximum cost of one evaluation. The limit for maxCost × cardinality is 10,000,000'),
        cardinality: z.string().nullable().describe('Maximum number of evaluations per object; null if a parent is unbounded'),
        totalCost: z.string(),
        usesOldSelf: z.boolean(),
        error: z.string().optional(),
      }),
    ),
    schemaCost: z.record(z.string(), z.string()).describe('Estimated cost of all rules of each version. The limit is 100,000,000'),
  })
  .meta({ id: 'DefinitionAnswer' });

const judgedOrExplained = z.union([definitionAnswer, explainedDefinition]).meta({ id: 'JudgedOrExplained' });

const flag = z.enum(['', 'true', 'false']).transform((text) => text !== 'false');
const definitionQuery = z.strictObject({
  kubernetesVersion: z.string().default(LATEST_MINOR),
  featureGates: z.string().default(''),
  explain: flag.default(false),
  asSent: flag.default(false),
  fieldValidation: fieldValidation.default('Warn'),
});

/** Reads the query parameters. Throws the 400 failure that names an unknown or malformed parameter. */
function readDefinitionQuery(query: unknown): { readonly explain: boolean; readonly options: EvaluationOptions } {
  const result = definitionQuery.safeParse(query);
  if (!result.success) throw new StatusFailure(badRequestStatus(problemsOf(result.error, 'query').join('; ')));
  const { kubernetesVersion, featureGates: chosen, explain, ...write } = result.data;
  if (!isMinor(kubernetesVersion)) throw new StatusFailure(badRequestStatus(`kubernetesVersion: must be one of ${MINORS.join(', ')}`));
  const read = readFeatureGates(chosen);
  if (!read.ok) throw new StatusFailure(badRequestStatus(`featureGates: ${read.error}`));
  const found = featureGates(kubernetesVersion, read.gates);
  if (!found.ok) throw new StatusFailure(badRequestStatus(`featureGates: ${found.error}`));
  const options = checkOptions({ kubernetesVersion, featureGates: read.gates, ...write });
  if (!options.ok) throw new StatusFailure(options.status);
  return { explain, options: options.value };
}

/** Controller that returns the verdict on a definition alone, as the API server would give it when the definition is created. */
@Endpoints('definitions', 'definitions')
export class DefinitionsController {
  readonly #service: Service;

  constructor(@Inject(SERVICE) service: Service) {
    this.#service = service;
  }

  @Post()
  @HttpCode(200)
  @DescribeWithBody({
    summary: 'Judge one CustomResourceDefinition: errors, warnings and the cost estimate of each rule',
    bodies: ['definition'],
  })
  @ApiQuery({ name: 'kubernetesVersion', required: false, enum: [...MINORS], description: KUBERNETES_VERSION })
  @ApiQuery({
    name: 'featureGates',
    required: false,
    description: 'Feature gates of the server, written as in the flag of kube-apiserver: CRDValidationRatcheting=false,…',
  })
  @ApiQuery({
    name: 'asSent',
    required: false,
    enum: ['', 'true', 'false'],
    description: 'true: Assay judges the definition with its resourceVersion. Otherwise Assay removes it first',
  })
  @ApiQuery({
    name: 'fieldValidation',
    required: false,
    enum: fieldValidation.options,
    description: 'Treatment of unknown and duplicate fields: `Strict` rejects them, `Warn` warns, `Ignore` accepts them silently',
  })
  @ApiQuery({
    name: 'explain',
    required: false,
    enum: ['', 'true', 'false'],
    description: 'true: the answer has the form of POST /explain',
  })
  @DescribeAnswer('The report on the definition with the cost estimate of each rule, or the explanation if `explain` is true', {
    json: judgedOrExplained,
  })
  async evaluate(@HttpExchange() exchange: Exchange, @Query() query: unknown): Promise<string | Readable> {
    const { explain: isPriced, options } = readDefinitionQuery(query);
    return this.#service.answers.ofDefinition(exchange, (definition, { engine, signal }) =>
      isPriced ? explained(definition, options, { engine, signal }) : this.#service.judge.judge(definition, options, engine, signal),
    );
  }
}

async function explained(
  definition: DocumentSlice,
  options: EvaluationOptions,
  { engine, signal }: Admission,
): Promise<Outcome<ExplainedDefinition>> {
  const { definitions } = await explain(engine, { definitions: [definition], objects: [], ...NO_POLICIES, options }, signal);
  const [first] = definitions;
  return first === undefined || signal.aborted
    ? declined('late', serviceUnavailableStatus('the definition was not explained in time'))
    : answered(first);
}

/** Schema of the answer to `PUT /definitions/{digest}`. */
const keptDefinition = z
  .object({
    digest: z.string().describe('Digest by which definitionRefs names the definition'),
    bytes: z.int(),
    keptSeconds: z.int().describe('Seconds for which the definition is stored after its last use'),
  })
  .meta({ id: 'KeptDefinition' });

const DIGEST = { name: 'digest', description: '`sha256:` and the SHA-256 of the bytes of the definition as sent, in hexadecimal' } as const;

/**
 * Controller for stored definitions. A client uploads a definition once, and then refers to it by its digest (`definitionRefs` of an
 * envelope).
 */
@Endpoints('definitions', 'definitions')
export class KeptDefinitionsController {
  readonly #service: Service;

  constructor(@Inject(SERVICE) service: Service) {
    this.#service = service;
  }

  @Put(':digest')
  @DescribeWithBody({
    summary: 'Store a definition, which evaluations can then name by its digest in `definitionRefs`',
    description:
      'The body is one CustomResourceDefinition, as JSON or YAML. Only the client that sent the definition can name it. Each evaluation that names it also judges it.',
    bodies: ['definition'],
  })
  @ApiParam(DIGEST)
  @DescribeAnswer('The service already stored the definition, and now keeps it for longer', { json: keptDefinition })
  @DescribeAnswer('The service now stores the definition', { json: keptDefinition }, 201)
  async keep(@Req() request: FastifyRequest, @Res() reply: FastifyReply, @Param('digest') digest: string): Promise<void> {
    const definition = definitionOfRequest(request);
    const caller = callerOf(request, reply, 'request', this.#service.dispatcher);
    const { isNew, ...answer } = answerOrThrow(await this.#service.kept.keep(digest, definition, caller));
    void reply.code(isNew ? 201 : 200).send(answer satisfies z.infer<typeof keptDefinition>);
  }

  @Get(':digest')
  @ApiOperation({ summary: 'A stored definition, byte for byte. A HEAD request gets the headers only' })
  @ApiParam(DIGEST)
  @ApiResponse({ status: 200, description: 'The bytes of the definition' })
  @DescribeFailures()
  async find(@Req() request: FastifyRequest, @Res() reply: FastifyReply, @Param('digest') digest: string): Promise<void> {
    const { name: owner } = clientOf(request);
    const { bytes, notation } = answerOrThrow(await this.#service.kept.find(digest, { owner }));
    const [type = ''] = MEDIA_TYPES[notation === 'json' ? 'json' : 'yaml'];
    void reply
      .type(type)
      .header('etag', `"${digest}"`)
      .send(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length));
  }
}
