import { Controller, HttpCode, Inject, Post, Query, Req, Res } from '@nestjs/common';
import {
  ApiAcceptedResponse,
  ApiBody,
  ApiConsumes,
  ApiHeader,
  ApiOkResponse,
  ApiOperation,
  ApiQuery,
  ApiTags,
  ApiTooManyRequestsResponse,
} from '@nestjs/swagger';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { badRequestStatus, notAcceptableStatus } from '#kube';
import { evaluationAnswer, evaluationEnvelope, evaluationState, statusSchema } from '#evaluation';
import {
  BatchEvaluation,
  checkItemCount,
  deadlineOf,
  Dispatcher,
  EvaluationArchive,
  readEnvelope,
  untilDeadline,
  wholeBatch,
} from '#service';
import type { Batch, Caller } from '#service';
import type { Telemetry } from '#telemetry';
import { FLOW_HEADER } from '../access/flow.ts';
import { clientOf } from '../access/client.ts';
import { answerOf, requirePassed } from '../answer-outcome.ts';
import { bodyNotation, MEDIA_TYPES } from '../body-parsers.ts';
import { callerOf } from '../caller.ts';
import { API_CONFIG } from '../config.ts';
import type { ApiConfig } from '../config.ts';
import { TELEMETRY } from '../engine/tokens.ts';
import { jsonSchema } from '../json-schema.ts';
import { StatusFailure } from '../status.filter.ts';
import { stateOf } from './evaluation-state.ts';
import { readStream } from './read-stream.ts';
import { DEFAULT_OPTIONS, optionsQuery, overridden, readQuery } from './request-options.ts';
import { NDJSON, readable, wholeOrReadable, withFailureLine } from './stream-answer.ts';
import { writeAnswer, writeVerdicts } from './write-answer.ts';

/** `POST /evaluate`: media types and status codes of an evaluation; the work is {@link BatchEvaluation}'s. */
@ApiTags('evaluations')
@Controller()
export class EvaluationsController {
  constructor(
    private readonly evaluations: BatchEvaluation,
    private readonly archive: EvaluationArchive,
    private readonly dispatcher: Dispatcher,
    @Inject(API_CONFIG) private readonly config: ApiConfig,
    @Inject(TELEMETRY) private readonly telemetry: Telemetry,
  ) {}

  @Post('evaluate')
  @HttpCode(200)
  @ApiOperation({
    summary: 'Judge objects against definitions',
    description:
      'JSON envelope, multi-document YAML (definitions and objects mixed), or NDJSON (first line the envelope without objects, then one item a line; verdicts stream back in input order). ' +
      '`Prefer: respond-async` or `?wait=0` answers 202 with a Location.',
  })
  @ApiConsumes(MEDIA_TYPES.json[0] ?? '', MEDIA_TYPES.yaml[0] ?? '', MEDIA_TYPES.ndjson[0] ?? '')
  @ApiBody({ schema: jsonSchema(evaluationEnvelope) })
  @ApiOkResponse({ standardSchema: evaluationAnswer })
  @ApiAcceptedResponse({ standardSchema: evaluationState })
  @ApiTooManyRequestsResponse({
    standardSchema: statusSchema,
    description: 'The queue, or what the client may keep waiting, is full; Retry-After says when to come back',
  })
  @ApiHeader({
    name: FLOW_HEADER,
    required: false,
    description: "Divides the client's flow: its parts share what the flow gets (docs/flow-control.md)",
  })
  @ApiQuery({
    name: 'wait',
    required: false,
    enum: ['0', '1'],
    description: `Any option may be given as a query parameter: ${Object.keys(optionsQuery.shape).join(', ')}`,
  })
  async evaluate(@Req() request: FastifyRequest, @Res() reply: FastifyReply, @Query() query: unknown): Promise<void> {
    const started = performance.now();
    const elapsedMs = (): number => performance.now() - started;
    const asLines = wantsNdjson(request, bodyNotation(request) === 'ndjson');
    const wishes = readQuery(query);
    const caller = callerOf(request, reply, 'evaluation', this.dispatcher);
    const batch = await this.#read(request, caller, wishes);
    if (batch.arrival === 'whole' && (wishes.wait === '0' || prefersAsync(request))) return this.#begin(batch, caller, reply);
    const { record, results } = answerOf(await this.evaluations.evaluate(batch, caller));
    if (!asLines) return void reply.type('application/json').send(await wholeOrReadable(writeAnswer(record, results, elapsedMs)));
    const verdicts = withFailureLine(writeVerdicts(results, elapsedMs), request, this.telemetry.log);
    return void reply.type(NDJSON).send(await readable(verdicts));
  }

  /** Answers 202: the evaluation lives on without this request. */
  async #begin(batch: Batch, caller: Caller, reply: FastifyReply): Promise<void> {
    const record = answerOf(await this.evaluations.begin(batch, caller));
    const progress = await this.archive.progress(record.id);
    const state = progress && stateOf(record, progress);
    void reply.code(202).header('location', `/evaluations/${record.id}`).header('preference-applied', 'respond-async').send(state);
  }

  async #read(request: FastifyRequest, caller: Caller, wishes: ReturnType<typeof readQuery>): Promise<Batch> {
    const receivedAt = Date.now();
    const notation = bodyNotation(request);
    if (notation === 'ndjson') {
      const { head, blocks } = await readStream(request.body as AsyncIterable<Buffer>, clientOf(request).limits);
      return { definitions: head.definitions, options: overridden(head.options, wishes), blocks, arrival: 'arriving', receivedAt };
    }
    const readUntil = untilDeadline(caller.signal, deadlineOf(overridden(DEFAULT_OPTIONS, wishes), this.config, receivedAt));
    const body = { bytes: request.body as Buffer, notation };
    const { definitions, objects, options } = answerOf(await readEnvelope(body, DEFAULT_OPTIONS, caller.engine, readUntil));
    const chosen = overridden(options, wishes);
    if (definitions.length === 0 && objects.length === 0)
      throw new StatusFailure(badRequestStatus('the batch is empty: it holds neither definitions nor objects'));
    requirePassed(checkItemCount(objects.length, caller.limits));
    return wholeBatch({ definitions, objects, options: chosen }, receivedAt);
  }
}

const prefersAsync = (request: FastifyRequest): boolean => /\brespond-async\b/.test(String(request.headers['prefer'] ?? ''));

/** True when the answer should be NDJSON; throws the 406 of a client that takes neither form. */
function wantsNdjson(request: FastifyRequest, byDefault: boolean): boolean {
  const accept = request.headers.accept ?? '*/*';
  const takes = (type: string): boolean => accept.includes(type);
  if (takes(NDJSON)) return true;
  if (takes('application/json') || takes('*/*') || takes('application/*')) return byDefault && !takes('application/json');
  throw new StatusFailure(notAcceptableStatus(`only application/json and ${NDJSON} can be produced`));
}
