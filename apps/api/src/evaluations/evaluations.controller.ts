import { Controller, Delete, Get, HttpCode, Param, Post, Query, Req, Res } from '@nestjs/common';
import {
  ApiAcceptedResponse,
  ApiBody,
  ApiConsumes,
  ApiHeader,
  ApiNoContentResponse,
  ApiOkResponse,
  ApiOperation,
  ApiQuery,
  ApiTags,
  ApiTooManyRequestsResponse,
} from '@nestjs/swagger';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { Readable } from 'node:stream';
import { badRequestStatus, notAcceptableStatus, notFoundStatus } from '#kube';
import { evaluationAnswer, evaluationEnvelope, evaluationState, LineTooLong, statusSchema } from '#evaluation';
import type { EvaluationOptions } from '#evaluation';
import type { EvaluationRecord } from '#queue';
import { logger } from '#telemetry';
import { bodyBytes, bodyNotation, MEDIA_TYPES } from '../body-parsers.ts';
import { clientOf } from '../access/client.ts';
import { FLOW_HEADER } from '../access/flow.ts';
import { clientGone } from '../client-gone.ts';
import { EngineLine } from '../engine/engine-line.ts';
import { logFields, requestSpan } from '../request-span.ts';
import { StatusFailure, statusOf } from '../status.filter.ts';
import { deadlineFailure, EvaluationsService } from './evaluations.service.ts';
import { progressEvents, stateOf } from './evaluation-state.ts';
import { jsonSchema } from '../json-schema.ts';
import { readBatch } from './read-batch.ts';
import { readStream } from './read-stream.ts';
import { optionsQuery, overridden, readQuery, refuseTooMany } from './request-options.ts';
import { writeAnswer, writeLines } from './write-answer.ts';

const NDJSON = 'application/x-ndjson';
/** Up to here an answer is put together before it is sent. */
const WHOLE_ANSWER_CHARACTERS = 64 * 1024;

/** Evaluations over HTTP: shapes, media types and status codes; the work is the service's. */
@ApiTags('evaluations')
@Controller()
export class EvaluationsController {
  constructor(
    private readonly evaluations: EvaluationsService,
    private readonly line: EngineLine,
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
    const notation = bodyNotation(request);
    const lines = wantsLines(request, notation === 'ndjson');
    const wishes = readQuery(query);
    const signal = clientGone(reply);
    const client = clientOf(request);
    const engine = this.line.open(client.flow, 'evaluation', bodyBytes(request));
    const caller = { client, engine, span: requestSpan(request), signal };
    if (notation === 'ndjson') {
      const { head, blocks } = await readStream(request.body as AsyncIterable<Buffer>, client.limits);
      const results = this.evaluations.stream({ ...head, options: overridden(head.options, wishes) }, blocks, caller);
      return void reply.type(NDJSON).send(await readable(withFailureLine(writeLines(results, elapsedMs), request)));
    }
    const until = (options: EvaluationOptions): AbortSignal => this.evaluations.until(signal, overridden(options, wishes));
    const batch = await readBatch(notation, request.body as Buffer, engine, until);
    const options = overridden(batch.options, wishes);
    if (batch.definitions.length === 0 && batch.objects.length === 0)
      throw new StatusFailure(badRequestStatus('the batch is empty: it holds neither definitions nor objects'));
    refuseTooMany(batch.objects.length, client.limits);
    const detached = wishes.wait === '0' || /\brespond-async\b/.test(String(request.headers['prefer'] ?? ''));
    const record = await this.evaluations.begin({ ...batch, options }, detached, caller);
    if (detached) {
      const location = `/evaluations/${record.id}`;
      return void reply
        .code(202)
        .header('location', location)
        .header('preference-applied', 'respond-async')
        .send(await this.#stateOf(record));
    }
    const results = await refusingWhenAllTooLate(this.evaluations.results(record, batch.objects, signal));
    if (lines) return void reply.type(NDJSON).send(await readable(writeLines(results, elapsedMs)));
    return void reply.type('application/json').send(await wholeOrReadable(writeAnswer(record, results, elapsedMs)));
  }

  @Get('evaluations/:id')
  @ApiOperation({ summary: 'State and progress of an asynchronous evaluation' })
  @ApiOkResponse({ standardSchema: evaluationState })
  async state(@Req() request: FastifyRequest, @Param('id') id: string): Promise<unknown> {
    return this.#stateOf(await this.#owned(request, id));
  }

  @Get('evaluations/:id/results')
  @ApiOperation({ summary: 'Verdicts as NDJSON in input order; those not ready yet are waited for' })
  @ApiQuery({ name: 'from', required: false, description: 'Index of the first item wanted; default 0' })
  @ApiQuery({ name: 'limit', required: false, description: 'At most so many items' })
  async results(
    @Req() request: FastifyRequest,
    @Param('id') id: string,
    @Query('from') from: string | undefined,
    @Query('limit') limit: string | undefined,
    @Res() reply: FastifyReply,
  ): Promise<void> {
    await this.#owned(request, id);
    const page = { from: naturalNumber('from', from, 0), limit: naturalNumber('limit', limit, Number.MAX_SAFE_INTEGER) };
    const lines = this.evaluations.lines(id, page.from, clientGone(reply));
    void reply.type(NDJSON).send(await readable(withFailureLine(firstLines(lines, page.limit), request)));
  }

  @Get('evaluations/:id/events')
  @ApiOperation({ summary: 'Progress as server-sent events: `progress`, then one of `complete`, `cancelled`, `failed`' })
  async events(@Req() request: FastifyRequest, @Param('id') id: string, @Res() reply: FastifyReply): Promise<void> {
    await this.#owned(request, id);
    void reply.type('text/event-stream').send(await readable(progressEvents(this.evaluations, id, clientOf(request), clientGone(reply))));
  }

  @Delete('evaluations/:id')
  @HttpCode(204)
  @ApiOperation({ summary: 'Cancel: waiting work is dropped, running work is stopped' })
  @ApiNoContentResponse()
  async cancel(@Req() request: FastifyRequest, @Param('id') id: string): Promise<void> {
    await this.#owned(request, id);
    await this.evaluations.cancel(id);
  }

  async #stateOf(record: EvaluationRecord): Promise<unknown> {
    const progress = await this.evaluations.progress(record.id);
    if (!progress) throw unknownEvaluation(record.id);
    return stateOf(record, progress);
  }

  /** The evaluation, if it is there and the client's own; both failures are the same 404. */
  async #owned(request: FastifyRequest, id: string): Promise<EvaluationRecord> {
    const record = await this.evaluations.find(id, clientOf(request));
    if (!record) throw unknownEvaluation(id);
    return record;
  }
}

function unknownEvaluation(id: string): StatusFailure {
  return new StatusFailure(notFoundStatus({ group: 'assay', resource: 'evaluations' }, id.slice(0, 64)));
}

/** True when the answer should be NDJSON; throws the 406 of a client that takes neither form. */
function wantsLines(request: FastifyRequest, byDefault: boolean): boolean {
  const accept = request.headers.accept ?? '*/*';
  const takes = (type: string): boolean => accept.includes(type);
  if (takes(NDJSON)) return true;
  if (takes('application/json') || takes('*/*') || takes('application/*')) return byDefault && !takes('application/json');
  throw new StatusFailure(notAcceptableStatus(`only application/json and ${NDJSON} can be produced`));
}

function naturalNumber(name: string, text: string | undefined, otherwise: number): number {
  if (text === undefined) return otherwise;
  if (!/^\d{1,15}$/.test(text)) throw new StatusFailure(badRequestStatus(`${name}: must be a number from 0 on`));
  return Number(text);
}

/** Looks at the first result before any header is sent: a deadline that left nothing judged is the request's own failure. */
async function refusingWhenAllTooLate<T extends { readonly tally: { readonly items: number; readonly cancelled: number } }>(
  results: AsyncGenerator<T>,
): Promise<AsyncGenerator<T>> {
  const first = await results.next();
  if (!first.done && first.value.tally.cancelled > 0 && first.value.tally.cancelled === first.value.tally.items) {
    await results.return(undefined);
    throw deadlineFailure();
  }
  return (async function* () {
    if (!first.done) yield first.value;
    yield* results;
  })();
}

async function* firstLines(lines: AsyncIterable<string>, limit: number): AsyncGenerator<string> {
  let left = limit;
  if (left === 0) return;
  for await (const line of lines) {
    yield `${line}\n`;
    if (--left === 0) return;
  }
}

/** An answer of which no part is of use alone: text where it is short, which is sent in one piece, else a stream. */
async function wholeOrReadable(pieces: AsyncGenerator<string>): Promise<string | Readable> {
  let text = '';
  for (;;) {
    const { done, value } = await pieces.next();
    if (done) return text;
    text += value;
    if (text.length > WHOLE_ANSWER_CHARACTERS) break;
  }
  return continued(text, pieces);
}

/** A stream whose first piece exists: what fails before that still becomes an ordinary error answer. */
async function readable(pieces: AsyncGenerator<string>): Promise<Readable> {
  const { done, value } = await pieces.next();
  return continued(done ? '' : value, pieces);
}

/** A stream of what is there, and of what follows. */
function continued(text: string, rest: AsyncGenerator<string>): Readable {
  return Readable.from(
    (async function* () {
      if (text !== '') yield text;
      yield* rest;
    })(),
    { objectMode: false },
  );
}

/** Once lines are on their way, a failure can only be told as a last line: its Status. */
async function* withFailureLine(lines: AsyncGenerator<string>, request: FastifyRequest): AsyncGenerator<string> {
  let begun = false;
  try {
    for await (const line of lines) {
      begun = true;
      yield line;
    }
  } catch (error) {
    if (!begun && !(error instanceof LineTooLong)) throw error;
    const status = statusOf(error instanceof LineTooLong ? Object.assign(error, { statusCode: 413 }) : error);
    if (status.code >= 500) logger.error({ err: error, ...logFields(request) }, 'a stream failed');
    yield `${JSON.stringify(status)}\n`;
  }
}
