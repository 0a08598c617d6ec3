import { HttpCode, Inject, Post, Query } from '@nestjs/common';
import { ApiQuery } from '@nestjs/swagger';
import type { Readable } from 'node:stream';
import { z } from 'zod';
import { badRequestStatus, featureGates, readFeatureGates, isMinor, LATEST_MINOR, MINORS, serviceUnavailableStatus } from '#kube';
import { checkOptions, definitionReportSchema, explainedDefinition, fieldValidation, problemsOf, NO_POLICIES } from '#documents';
import type { DocumentSlice, EvaluationOptions, ExplainedDefinition } from '#documents';
import { answered, declined, explain } from '#service';
import type { Outcome } from '#service';
import { HttpExchange } from '../answer-use-case.ts';
import type { Admission, Exchange } from '../answer-use-case.ts';
import { Endpoints } from '../description/endpoints.ts';
import { DescribeAnswer, DescribeWithBody } from '../description/operations.ts';
import { KUBERNETES_VERSION } from '../evaluations/request-options.ts';
import { StatusFailure } from '../status.filter.ts';
import { SERVICE } from '../engine/service.ts';
import type { Service } from '../engine/service.ts';

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
        maxCost: z.string().describe('Static maximum of one evaluation; the limit is 10,000,000 times its cardinality'),
        cardinality: z.string().nullable().describe('Maximum number of evaluations per object; null if a parent is unbounded'),
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
    summary: 'Judge one CustomResourceDefinition: errors, warnings, the cost estimate of every rule',
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
    description: 'true: Assay judges the definition with its resourceVersion. Otherwise Assay removes the resourceVersion first',
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
