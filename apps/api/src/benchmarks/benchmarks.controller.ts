import { Delete, Get, HttpCode, Inject, Param, Post, Query, Req, Res } from '@nestjs/common';
import { ApiNoContentResponse, ApiOkResponse, ApiOperation, ApiProduces, ApiQuery } from '@nestjs/swagger';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { z } from 'zod';
import { traceAddress } from '#report';
import { wantedRule, checkDefinitions, longestObjects, permittedOptions } from '#service';
import type { StudyState, Caller, KeptDefinitions, StudyOrder, Studies, StudyProgress } from '#service';
import { clientOf, readableBy } from '../access/client.ts';
import { answerOrThrow, throwIfDeclined, StatusFailure } from '../status.filter.ts';
import { callerOf } from '../caller.ts';
import { Endpoints } from '../description/endpoints.ts';
import { DescribeAnswer, DescribeFailures, DescribeWithBody } from '../description/operations.ts';
import { JobsController } from '../jobs/jobs.controller.ts';
import { listQuery, readQueryOf } from '../read-query.ts';
import { wholeAnswer } from '../whole-answer.ts';
import { studyList, studyReport, studyState } from './study-answer.ts';
import { SERVICE } from '../engine/service.ts';
import type { Service } from '../engine/service.ts';
import { badRequestStatus, unsupportedMediaTypeStatus, notFoundStatus, notAcceptableStatus, tooLargeStatus } from '#kube';
import { durationMs, problemsOf, splitStudy } from '#documents';
import { bodyNotation } from '../body-parsers.ts';
import type { ApiConfig } from '../config.ts';
import { documentLimits } from '../read-documents.ts';
import { baseSettings, studySettings } from './study-envelope.ts';
import type { Status } from '#kube';
import { traceOf } from '#telemetry';
import type { ShownJobs } from '../jobs/jobs.controller.ts';
import Negotiator from 'negotiator';
import type { StudyReport } from '#benchmark';

/** Media types of a report. The first type is sent if the client accepts every type. */
const REPORT_TYPES = ['application/json', 'text/html', 'image/svg+xml'] as const;

/** OpenAPI schemas of the two graphical forms of a study report, by media type: an HTML page, and a chart. */
const PICTURES = {
  'text/html': { schema: { type: 'string', description: 'A page without script' } },
  'image/svg+xml': { schema: { type: 'string', description: 'A chart; 404 if the study found no cost that grows with a size' } },
} as const;

/** Maximum number of rules on an HTML page. Rendering a page blocks the process that serves all clients; 178 rules take 0.1 s. */
const MAX_RULES = 1000;

/** Content security policy of a chart. A chart contains a style sheet and loads nothing. */
const CHART_POLICY = "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'";

/**
 * Sends a report in the media type that the client prefers. Throws the 406 failure if the client accepts none of the media types. Throws
 * the 404 failure if the report has no data for a chart, and the 413 failure if the answer is too long.
 */
async function sendReport(
  report: StudyReport,
  { headers: { accept = '*/*' } }: FastifyRequest,
  reply: FastifyReply,
  maxBytes: number,
): Promise<void> {
  const type = new Negotiator({ headers: { accept } }).mediaType([...REPORT_TYPES]);
  switch (type) {
    case 'application/json':
      return void reply.send(await wholeAnswer(reply, report, maxBytes));
    case 'text/html':
      return sendPage(report, reply);
    case 'image/svg+xml':
      return void shown(reply, CHART_POLICY)
        .type('image/svg+xml')
        .send(await chartOf(report));
    case undefined:
      throw new StatusFailure(notAcceptableStatus(`only ${REPORT_TYPES.join(', ')} can be produced`));
  }
}

/** Sets the content security policy of an answer that a browser displays. No other page may show the answer in a frame. */
const shown = (reply: FastifyReply, policy: string): FastifyReply =>
  reply.header('content-security-policy', `${policy}; frame-ancestors 'none'`);

async function sendPage(report: StudyReport, reply: FastifyReply): Promise<void> {
  if (report.rules.length > MAX_RULES)
    throw new StatusFailure(tooLargeStatus(`a page has at most ${MAX_RULES} rules: choose some of them with ?rule=`));
  const { STUDY_PAGE_POLICY, studyPage } = await drawing();
  shown(reply, STUDY_PAGE_POLICY).type('text/html; charset=utf-8').send(studyPage(report));
}

async function chartOf(report: StudyReport): Promise<string> {
  const { costliestChart } = await drawing();
  const chart = costliestChart(report);
  if (chart !== undefined) return chart;
  throw new StatusFailure(notFoundStatus({ group: 'assay', resource: 'charts' }, 'cost'));
}

/** Loads the module that draws reports. Its libraries have 400 files, so a service loads them with the first report in such a form. */
const drawing = () => import('#report/study-page');

/** Findings of a study about one rule. */
type Findings = StudyProgress['latest'];

/** Returns the state of a study in the form of the answer to `GET /benchmarks/{id}`. */
function studyStateAnswer({
  record,
  phase,
  restarts,
  progress,
  latest,
  threadMs,
  status,
  definitions,
}: StudyState): Record<string, unknown> {
  return {
    id: record.id,
    state: phase,
    createdAt: new Date(record.createdAt).toISOString(),
    budgetMs: record.budgetMs,
    seed: record.seed,
    restarts,
    threadMs: Math.round(threadMs),
    ...(progress && { progress: { ...progress, leftMs: Math.round(progress.leftMs) } }),
    ...(latest && { latest: inShort(latest) }),
    ...(definitions && { definitions }),
    ...(status && { status }),
    ...traceOf(record.traceparent),
  };
}

/**
 * Returns the short form of a study's findings about one rule: its location, the field with which its cost grows most, and its highest
 * cost.
 */
function inShort({ definition, version, path, growsWith: [steepest], worst, isPartial, notStudied }: Findings): object {
  return {
    definition,
    version,
    path,
    ...(steepest && { growsWith: steepest.field, costExponent: steepest.costExponent }),
    ...(worst && { cost: worst.cost }),
    isPartial,
    ...(notStudied !== undefined && { notStudied }),
  };
}

/** Returns studies as clients see them. */
export const shownStudies = (jobs: Pick<Studies, 'find' | 'changed' | 'remove'>): ShownJobs<StudyState> => ({
  jobs,
  phaseOf: ({ phase }) => phase,
  stateOf: studyStateAnswer,
  unknown: unknownStudy,
});

/**
 * Returns Status 404 for a study that does not exist, or that the client may not read. The two cases have the same answer, so that the
 * client cannot find out if the study exists.
 */
function unknownStudy(id: string): Status {
  return notFoundStatus({ group: 'assay', resource: 'benchmarks' }, id.slice(0, 64));
}

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
    summary: 'Start a study, which searches for the objects for which rules cost most, and finds how the costs grow',
    description:
      'The answer is a 202 with a Location. The service runs one study of a client at a time, and evaluations before it (docs/how-to/benchmark-rules.md).',
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
  @ApiQuery({
    name: 'definition',
    required: false,
    description: 'Name of a definition, such as widgets.example.com. The list then has only ended studies of this definition',
  })
  async list(@Req() request: FastifyRequest, @Query() query: unknown): Promise<unknown> {
    const { limit, definition } = readQueryOf(studyListQuery, query);
    const states = await this.#service.studies.list(limit, readableBy(request), definition);
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
  @DescribeAnswer('The report. The header Accept can request a page, or a chart of the cost of the most expensive rule', {
    json: studyReport,
    also: PICTURES,
  })
  @DescribeFailures()
  @ApiQuery({
    name: 'rule',
    required: false,
    description: 'Only rules with this path in the schema, or with this part of their text. A version may be in front of the path',
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

const studyListQuery = listQuery.extend({ definition: z.string().min(1).max(1024).optional() });
const reportQuery = z.strictObject({ rule: z.string().optional() });

/** Reads a request for a study from the body: the rules to study, and the settings. Throws a `StatusFailure` if the request is refused. */
async function readStudy(request: FastifyRequest, caller: Caller, kept: KeptDefinitions, config: ApiConfig): Promise<StudyOrder> {
  if (bodyNotation(request) !== 'json') throw new StatusFailure(unsupportedMediaTypeStatus('a request for a study takes JSON'));
  const cut = await splitStudy(request.body as Buffer, documentLimits('study', clientOf(request).limits, config));
  if (!cut.ok) throw new StatusFailure(cut.status);
  const { base, objects, settings: sent, ...rest } = cut.value;
  const settings = read(studySettings, sent, 'body');
  const { definitions, options } = answerOrThrow(await kept.resolve(rest, caller));
  if (definitions.length === 0) throw new StatusFailure(badRequestStatus('the body holds no definition'));
  throwIfDeclined(checkDefinitions(definitions, config));
  const { definitions: older } = answerOrThrow(await kept.resolve({ definitions: base?.definitions ?? [] }, caller));
  throwIfDeclined(checkDefinitions(older, config));
  return {
    definitions: definitions.map((slice, i) => ({ source: `definitions[${i}]`, slice })),
    objects: longestObjects(objects),
    options: answerOrThrow(permittedOptions(options, caller.limits)),
    budgetMs: budgetOf(settings.budget, config),
    seed: settings.seed,
    base: base && { ...read(baseSettings, base.settings, 'base'), definitions: older },
    isTimed: settings.times,
    rule: settings.rule,
  };
}

function budgetOf(text: string, { maxDeadlineMs }: ApiConfig): number {
  const budgetMs = durationMs(text) ?? 0;
  if (budgetMs <= maxDeadlineMs) return budgetMs;
  throw new StatusFailure(badRequestStatus(`budget: ${text}: the operator permits at most ${maxDeadlineMs}ms (ASSAY_MAX_DEADLINE_MS)`));
}

function read<Schema extends z.ZodType>(schema: Schema, value: unknown, where: string): z.infer<Schema> {
  const result = schema.safeParse(value);
  if (result.success) return result.data;
  throw new StatusFailure(badRequestStatus(problemsOf(result.error, where).join('; ')));
}
