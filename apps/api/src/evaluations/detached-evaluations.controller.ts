import { Delete, Get, HttpCode, Inject, Param, Query, Req, Res } from '@nestjs/common';
import { ApiNoContentResponse, ApiOkResponse, ApiOperation, ApiProduces, ApiQuery } from '@nestjs/swagger';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { z } from 'zod';
import { evaluationList, evaluationState, verdictLine } from '#documents';
import type { EvaluationForms } from '#jobs';
import type { Outcome, StoredJob, StoredVerdicts } from '#service';
import { readableBy } from '../access/client.ts';
import { answerOrThrow } from '../status.filter.ts';
import { clientGone } from '../caller.ts';
import { Endpoints } from '../description/endpoints.ts';
import { DescribeAnswer, DescribeFailures } from '../description/operations.ts';
import { listQuery, natural, readQueryOf } from '../read-query.ts';
import { JobsController } from '../jobs/jobs.controller.ts';
import { shownEvaluations, evaluationStateAnswer } from './evaluation-state.ts';
import { NDJSON, readable, withFailureLine, verdictLines } from './write-answer.ts';
import type { Piece } from './write-answer.ts';
import { SERVICE } from '../engine/service.ts';
import type { Service } from '../engine/service.ts';

/** Controller for evaluations that continue after the request that started them: state, results, progress and cancellation. */
@Endpoints('evaluations', 'evaluations')
export class DetachedEvaluationsController extends JobsController<StoredJob<EvaluationForms>> {
  readonly #service: Service;

  constructor(@Inject(SERVICE) service: Service) {
    super(shownEvaluations(service.archive));
    this.#service = service;
  }

  @Get()
  @ApiOperation({ summary: 'Asynchronous evaluations of the client, newest first. A client with the role `operate` sees all evaluations' })
  @DescribeAnswer('The list', { json: evaluationList })
  @DescribeFailures()
  @ApiQuery({
    name: 'limit',
    required: false,
    description: 'Largest number of entries in the list. The default is 100, which is also the largest allowed value',
  })
  async list(@Req() request: FastifyRequest, @Query() query: unknown): Promise<unknown> {
    const { limit } = readQueryOf(listQuery, query);
    const evaluations = await this.#service.archive.list(limit, readableBy(request));
    return {
      evaluations: evaluations.map((evaluation) => {
        const { definitions: _, policyReports: __, ...state } = evaluationStateAnswer(evaluation);
        return state;
      }),
    };
  }

  @Get(':id')
  @ApiOperation({ summary: 'State and progress of an asynchronous evaluation' })
  @DescribeAnswer('The state', { json: evaluationState })
  @DescribeFailures()
  async state(@Req() request: FastifyRequest, @Param('id') id: string): Promise<unknown> {
    return evaluationStateAnswer(await this.owned(request, id));
  }

  @Get(':id/results')
  @ApiOperation({ summary: 'Verdicts as NDJSON, in the order of the objects. The answer waits for verdicts that are not ready' })
  @DescribeAnswer('Verdicts, one on each line', { lines: verdictLine })
  @DescribeFailures()
  @ApiQuery({ name: 'from', required: false, description: 'Index of the first item in the answer. The default is 0' })
  @ApiQuery({ name: 'limit', required: false, description: 'Largest number of items in the answer' })
  async results(
    @Req() request: FastifyRequest,
    @Param('id') id: string,
    @Query() query: unknown,
    @Res() reply: FastifyReply,
  ): Promise<void> {
    await this.owned(request, id);
    const page = readQueryOf(pageQuery, query);
    const verdicts = firstVerdicts(this.#service.archive.verdicts(id, page.from, clientGone(reply)), page.limit);
    void reply.type(NDJSON).send(await readable(withFailureLine(verdicts, request, this.#service.telemetry.log)));
  }

  @Get(':id/events')
  @ApiOperation({ summary: 'Progress as server-sent events: `progress`, then one of `complete`, `cancelled`, `failed`, `tooLarge`' })
  @ApiProduces('text/event-stream')
  @ApiOkResponse({ description: 'Server-sent events, each with the state as its data', schema: { type: 'string' } })
  @DescribeFailures()
  async events(@Req() request: FastifyRequest, @Param('id') id: string, @Res() reply: FastifyReply): Promise<void> {
    await this.sendEvents(request, id, reply);
  }

  @Delete(':id')
  @HttpCode(204)
  @ApiOperation({
    summary:
      'Cancel an evaluation: the service removes its waiting work and stops its running work. If the evaluation is over, delete it with its results',
  })
  @ApiNoContentResponse({ description: 'The evaluation is cancelled, or deleted' })
  @DescribeFailures()
  async remove(@Req() request: FastifyRequest, @Param('id') id: string): Promise<void> {
    await this.removeOwned(request, id);
  }
}

const pageQuery = z.strictObject({ from: natural.default(0), limit: natural.default(Number.MAX_SAFE_INTEGER) });

/** Yields at most `limit` verdicts, one per line. Throws the Status failure of the first part whose results cannot be returned. */
async function* firstVerdicts(parts: AsyncIterable<Outcome<StoredVerdicts>>, limit: number): AsyncGenerator<Piece> {
  let left = limit;
  if (left === 0) return;
  for await (const part of parts) {
    const { count, result } = answerOrThrow(part);
    yield* verdictLines(count <= left ? result : { verdicts: result.verdicts.slice(0, left) });
    left -= Math.min(left, count);
    if (left === 0) return;
  }
}
