import { Delete, Get, HttpCode, Inject, Param, Post, Query, Req, Res } from '@nestjs/common';
import { ApiNoContentResponse, ApiOkResponse, ApiOperation, ApiProduces, ApiQuery } from '@nestjs/swagger';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { z } from 'zod';
import { traceAddress } from '#report';
import { wantedRule } from '#service';
import type { StudyState } from '#service';
import { clientOf, readableBy } from '../access/client.ts';
import { answerOrThrow } from '../answer-outcome.ts';
import { callerOf } from '../caller.ts';
import { Endpoints } from '../description/endpoints.ts';
import { DescribeAnswer, DescribeFailures, DescribeWithBody } from '../description/operations.ts';
import { JobsController } from '../jobs/jobs.controller.ts';
import { listQuery, readQueryOf } from '../read-query.ts';
import { StatusFailure } from '../status.filter.ts';
import { wholeAnswer } from '../whole-answer.ts';
import { readStudy } from './read-study.ts';
import { PICTURES, sendReport } from './report-forms.ts';
import { studyList, studyReport, studyState } from './study-answer.ts';
import { inShort, shownStudies, studyStateAnswer, unknownStudy } from './study-state.ts';
import { SERVICE } from '../engine/service.ts';
import type { Service } from '../engine/service.ts';

/** Controller for studies of rules. A study continues after the request that started it has ended. */
@Endpoints('benchmarks', 'benchmarks')
export class BenchmarksController extends JobsController<StudyState> {
  readonly #service: Service;

  constructor(@Inject(SERVICE) service: Service) {
    super(shownStudies(service.studies));
    this.#service = service;
  }

  @Post()
  @HttpCode(202)
  @DescribeWithBody({
    summary: 'Start a study: a search for the objects for which rules cost most, which also finds how the costs grow',
    description:
      'Answers 202 with a Location. One study of a client runs at a time, behind evaluations; others wait (docs/how-to/benchmark-rules.md).',
    bodies: ['study'],
  })
  @DescribeAnswer('The state of the study, as GET of the Location answers it', { json: studyState }, 202)
  async submit(@Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    const caller = callerOf(request, reply, 'request', this.#service.dispatcher);
    const order = await readStudy(request, caller, this.#service.kept, this.#service.config);
    const { owner, flow, span } = caller;
    const dayMs = clientOf(request).limits.benchmarkMs;
    const state = answerOrThrow(await this.#service.studies.submit(order, { owner, flow, span, dayMs }));
    void reply.code(202).header('location', `/benchmarks/${state.record.id}`).send(studyStateAnswer(state));
  }

  @Get()
  @ApiOperation({ summary: 'Studies of the client, newest first. A client with the role `operate` sees all studies' })
  @DescribeAnswer('The list', { json: studyList })
  @DescribeFailures()
  @ApiQuery({
    name: 'limit',
    required: false,
    description: 'Largest number of entries in the list. The default is 100, which is also the largest allowed value',
  })
  async list(@Req() request: FastifyRequest, @Query() query: unknown): Promise<unknown> {
    const { limit } = readQueryOf(listQuery, query);
    const states = await this.#service.studies.list(limit, readableBy(request));
    return { benchmarks: states.map((state) => studyStateAnswer({ ...state, latest: undefined })) };
  }

  @Get(':id')
  @ApiOperation({ summary: 'State, progress and findings so far of a study' })
  @DescribeAnswer('The state', { json: studyState })
  @DescribeFailures()
  async state(@Req() request: FastifyRequest, @Param('id') id: string, @Res() reply: FastifyReply): Promise<void> {
    const state = await this.owned(request, id);
    const report = await this.#service.studies.report(id);
    const answer = { ...studyStateAnswer(state), rules: report?.rules.map(inShort) ?? [] };
    void reply.send(await wholeAnswer(reply, answer, this.#service.config.maxAnswerBytes));
  }

  @Get(':id/report')
  @ApiOperation({ summary: 'The report of a study. If the study still runs, the report has the results so far' })
  @DescribeAnswer('The report. With Accept a page, or a chart of the cost of the most expensive rule', {
    json: studyReport,
    also: PICTURES,
  })
  @DescribeFailures()
  @ApiQuery({
    name: 'rule',
    required: false,
    description:
      'Reports only some rules. The value is the path of a rule in the schema, or a part of its text. A version may be in front of the path',
  })
  async report(
    @Req() request: FastifyRequest,
    @Param('id') id: string,
    @Query() query: unknown,
    @Res() reply: FastifyReply,
  ): Promise<void> {
    await this.owned(request, id);
    const { rule } = readQueryOf(reportQuery, query);
    const report = await this.#service.studies.report(id);
    if (report === undefined) throw new StatusFailure(unknownStudy(id));
    const { tracePage } = this.#service.config;
    const trace = report.traceId !== undefined && tracePage !== undefined && { trace: traceAddress(tracePage, report.traceId) };
    const shown = { ...report, ...trace, rules: report.rules.filter(wantedRule(rule)) };
    await sendReport(shown, request, reply, this.#service.config.maxAnswerBytes);
  }

  @Get(':id/events')
  @ApiOperation({ summary: 'Progress as server-sent events: `progress`, then one of `complete`, `cancelled`, `failed`' })
  @ApiProduces('text/event-stream')
  @ApiOkResponse({ description: 'Server-sent events, each with the state as its data', schema: { type: 'string' } })
  @DescribeFailures()
  async events(@Req() request: FastifyRequest, @Param('id') id: string, @Res() reply: FastifyReply): Promise<void> {
    await this.sendEvents(request, id, reply);
  }

  @Delete(':id')
  @HttpCode(204)
  @ApiOperation({ summary: 'Stop a study and keep its results so far. If the study is over, delete it with its report' })
  @ApiNoContentResponse({ description: 'The study is stopped, or deleted' })
  @DescribeFailures()
  async remove(@Req() request: FastifyRequest, @Param('id') id: string): Promise<void> {
    await this.removeOwned(request, id);
  }
}

const reportQuery = z.strictObject({ rule: z.string().optional() });
