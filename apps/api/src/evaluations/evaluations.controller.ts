import { HttpCode, Inject, Post, Query, Req, Res } from '@nestjs/common';
import { ApiHeader } from '@nestjs/swagger';
import type { FastifyReply, FastifyRequest } from 'fastify';
import Negotiator from 'negotiator';
import { badRequestStatus, notAcceptableStatus } from '#kube';
import { evaluationAnswer, splitEnvelope, steadyNow, verdictLine } from '#documents';
import { deadlineOf, readEnvelope, untilDeadline, wholeBatch } from '#service';
import type { Batch, Caller, WholeBatch } from '#service';
import { inSpan } from '#telemetry';
import { FLOW_HEADER } from '../access/flow.ts';
import { clientOf } from '../access/client.ts';
import { answerOrThrow, StatusFailure } from '../status.filter.ts';
import { auditEvaluation, auditResults } from '../audit/audit-requests.ts';
import { bodyNotation } from '../body-parsers.ts';
import { callerOf } from '../caller.ts';
import { Endpoints } from '../description/endpoints.ts';
import { DescribeAnswer, DescribeBackground, DescribeOptions, DescribeWithBody } from '../description/operations.ts';
import { memoizeHeaders } from '../memoize-headers.ts';
import { evaluationStateAnswer } from './evaluation-state.ts';
import { readStream } from './read-stream.ts';
import { DEFAULT_OPTIONS, overridden, readQuery } from './request-options.ts';
import { NDJSON, readable, wholeOrReadable, withFailureLine, shortAnswer, writeAnswer, writeVerdicts } from './write-answer.ts';
import { limitHeapGrowth } from '../heap-growth.ts';
import { SERVICE } from '../engine/service.ts';
import type { Service } from '../engine/service.ts';
import { setImmediate } from 'node:timers/promises';
import type { ChunkResult, CutDocument, DefinitionReport, DocumentOrigin, DocumentSlice, PolicyReport, Verdict } from '#documents';
import { findingsOf, SourceFile, UndefinedFields } from '#editing';
import type { EditorFinding, ReportedDocument } from '#editing';

/**
 * Maximum total size, in bytes, of the documents in which one answer locates fields. The total is limited because each of these documents
 * is parsed again on the event loop.
 */
const MAX_BYTES = 2 * 1024 * 1024;
/**
 * Maximum size, in bytes, of one document in which fields are located. For a larger document, only the location of its beginning is
 * reported, because the search would block other requests.
 */
const MAX_DOCUMENT_BYTES = 256 * 1024;

/** Location of a document in the request body. Line and column begin at 1; the column counts code points. */
interface BodyLocation {
  /** Index of the document among the definitions and objects of the body, from 0. */
  readonly document: number;
  readonly line: number;
  readonly column: number;
}

/** Location of a report's document in the request body, and the location of each problem that the report mentions. */
interface Located {
  readonly location?: BodyLocation;
  readonly findings?: readonly EditorFinding[];
}

/**
 * Finder of the source locations of definitions and objects in a request body. Its methods return the reports and verdicts of the response
 * with these locations added.
 */
class LocatedBody {
  readonly #file: SourceFile;
  readonly #body: Uint8Array;
  readonly #definitions: readonly DocumentSlice[];
  readonly #objects: readonly DocumentSlice[];
  /** Byte offsets at which the documents begin, in ascending order. */
  readonly #starts: readonly number[];
  #left = MAX_BYTES;

  constructor(body: Uint8Array, documents: { readonly definitions: readonly DocumentSlice[]; readonly objects: readonly DocumentSlice[] }) {
    this.#file = new SourceFile(body);
    this.#body = body;
    this.#definitions = documents.definitions;
    this.#objects = documents.objects;
    const starts = [...documents.definitions, ...documents.objects].flatMap((slice) => this.#originOf(slice)?.start ?? []);
    this.#starts = [...new Set(starts)].sort((a, b) => a - b);
  }

  /** Returns the reports on the definitions, in the same order, with their locations added. */
  definitions(reports: readonly DefinitionReport[]): readonly (DefinitionReport & Located)[] {
    return reports.map((report, i) => ({ ...report, ...this.#located(report, this.#definitions[i]) }));
  }

  /**
   * Yields the results as they arrive, with locations added. Locations of fields are added only to verdicts that have a status, warnings or
   * hints.
   *
   * @param policyReports reports on the policies of the batch, which name the misspelt fields of the policies
   */
  async *results(
    results: AsyncIterable<ChunkResult> | readonly ChunkResult[],
    policyReports: readonly PolicyReport[] = [],
  ): AsyncGenerator<ChunkResult> {
    const undefinedFields = new UndefinedFields(policyReports);
    for await (const result of results) {
      const verdicts: string[] = [];
      for (const text of result.verdicts) {
        const verdict = JSON.parse(text) as Verdict;
        const located = this.#located(verdict, this.#objects[verdict.index], undefinedFields);
        verdicts.push(JSON.stringify({ ...verdict, ...located }));
        // Lets other requests run before the next document.
        if (located.findings !== undefined) await setImmediate();
      }
      yield { ...result, verdicts, lines: undefined };
    }
  }

  #located(report: ReportedDocument, slice: DocumentSlice | undefined, undefinedFields?: UndefinedFields): Located {
    const origin = slice && this.#originOf(slice);
    if (origin === undefined) return {};
    const isSaid = report.status !== undefined || report.warnings.length > 0 || report.hints !== undefined;
    const length = origin.end - origin.start;
    const isRead = isSaid && length <= MAX_DOCUMENT_BYTES && length <= this.#left;
    const document = this.#starts.indexOf(origin.start);
    if (!isRead) return { location: { document, ...this.#file.lines.placeOf(origin.start) } };
    this.#left -= length;
    const source = this.#file.document(origin);
    const findings = findingsOf(report, source, undefinedFields);
    const { line, column } = source.beginning;
    return { location: { document, line, column }, ...(findings.length > 0 && { findings }) };
  }

  /**
   * Returns the byte range of a document in the body; undefined if the slice is not from the body. A JSON slice is a view of the body, so
   * its offset is the origin. A YAML slice stores its origin.
   */
  #originOf(slice: DocumentSlice & Partial<Pick<CutDocument, 'origin'>>): DocumentOrigin | undefined {
    if (slice.origin !== undefined) return slice.origin;
    if (slice.bytes.buffer !== this.#body.buffer) return undefined;
    const start = slice.bytes.byteOffset - this.#body.byteOffset;
    return { start, end: start + slice.bytes.length };
  }
}

const JSON_TYPE = 'application/json';

/** Controller for `POST /evaluate`. It handles media types and status codes; {@link BatchEvaluation} does the work. */
@Endpoints('evaluations', '')
export class EvaluationsController {
  readonly #service: Service;

  constructor(@Inject(SERVICE) service: Service) {
    this.#service = service;
  }

  @Post('evaluate')
  @HttpCode(200)
  @DescribeWithBody({
    summary: 'Judge objects against definitions',
    description:
      'The body is a JSON envelope, a stream of YAML documents, or NDJSON. The first line of NDJSON is the envelope without objects, and each further line is one item. The verdicts are in the order of the items. ' +
      'With `Prefer: respond-async` or `?wait=0`, the answer is a 202 with a Location.',
    bodies: ['batch', 'routes', 'stream'],
  })
  @DescribeOptions()
  @DescribeAnswer('Verdicts in input order', { json: evaluationAnswer, lines: verdictLine })
  @DescribeBackground()
  @ApiHeader({
    name: FLOW_HEADER,
    required: false,
    description: "Divides the client's flow into parts, which share its threads (docs/explanation/flow-control.md)",
  })
  async evaluate(@Req() request: FastifyRequest, @Res() reply: FastifyReply, @Query() query: unknown): Promise<void> {
    const started = performance.now();
    const elapsedMs = (): number => performance.now() - started;
    const arrivesInLines = bodyNotation(request) === 'ndjson';
    const asLines = wantsNdjson(request, arrivesInLines);
    const overrides = readQuery(query);
    const caller = callerOf(request, reply, 'evaluation', this.#service.dispatcher);
    if (arrivesInLines) limitHeapGrowth(this.#service.config.heapGrowthPercent, reply.raw);
    const { batch, located } = await inSpan('read batch', caller.span, {}, () => this.#read(request, caller, overrides));
    const later = batch.arrival === 'whole' && (overrides.wait === '0' || prefersAsync(request)) ? batch : undefined;
    if (batch.options.locations === true && (later || located === undefined)) throw new StatusFailure(badRequestStatus(NO_LOCATIONS));
    if (later) return this.#begin(later, caller, request, reply);
    const { evaluation, results: judged } = answerOrThrow(await this.#service.evaluations.evaluate(batch, caller));
    auditEvaluation(request, evaluation);
    const audited = auditResults(request, judged);
    const results = located?.results(audited, evaluation.policyReports) ?? audited;
    const answered = located === undefined ? evaluation : { ...evaluation, definitions: located.definitions(evaluation.definitions) };
    if (!asLines) {
      const { maxAnswerBytes } = this.#service.config;
      const whole = await inSpan('collect verdicts', caller.span, {}, () => {
        const short = isList(results) ? shortAnswer(answered, results, elapsedMs, maxAnswerBytes) : undefined;
        return short === undefined ? wholeOrReadable(writeAnswer(answered, results, elapsedMs, maxAnswerBytes)) : Promise.resolve(short);
      });
      return void reply.type('application/json').send(whole);
    }
    const verdicts = withFailureLine(writeVerdicts(evaluation, results, elapsedMs), request, this.#service.telemetry.log);
    return void reply.type(NDJSON).send(await readable(verdicts));
  }

  /** Starts an evaluation in the background and answers 202. The evaluation continues after this request has ended. */
  async #begin(batch: WholeBatch, caller: Caller, request: FastifyRequest, reply: FastifyReply): Promise<void> {
    const evaluation = answerOrThrow(await this.#service.evaluations.begin(batch, caller));
    const { record } = evaluation;
    auditEvaluation(request, record);
    void reply
      .code(202)
      .header('location', `/evaluations/${record.id}`)
      .header('preference-applied', 'respond-async')
      .send(evaluationStateAnswer(evaluation));
  }

  /**
   * Reads the batch from the body. For JSON and YAML with `options.locations`, also returns the finder of the documents' source locations.
   */
  async #read(
    request: FastifyRequest,
    caller: Caller,
    overrides: ReturnType<typeof readQuery>,
  ): Promise<{ readonly batch: Batch; readonly located?: LocatedBody | undefined }> {
    const notation = bodyNotation(request);
    if (notation === 'ndjson') {
      const { head, options, blocks, receivedAt } = await readStream(request, this.#service.config, overrides, splitEnvelope);
      const { definitions } = answerOrThrow(await this.#service.kept.resolve(head, caller));
      return { batch: { definitions, policies: head, options, blocks, arrival: 'arriving', receivedAt } };
    }
    const receivedAt = steadyNow();
    const readUntil = (): AbortSignal =>
      untilDeadline(caller.signal, deadlineOf(overridden(DEFAULT_OPTIONS, overrides), this.#service.config, receivedAt));
    const body = { bytes: request.body as Buffer, notation };
    const most = { definitions: this.#service.config.maxDefinitions, objects: clientOf(request).limits.maxItems };
    const reading = answerOrThrow(await readEnvelope(body, DEFAULT_OPTIONS, most, caller.engine, readUntil));
    const envelope = answerOrThrow(await this.#service.kept.resolve(reading, caller));
    if (envelope.definitions.length === 0 && envelope.objects.length === 0)
      throw new StatusFailure(badRequestStatus('the batch is empty: it holds neither definitions nor objects'));
    const options = overridden(envelope.options, overrides);
    const located = options.locations === true ? new LocatedBody(body.bytes, envelope) : undefined;
    return { batch: wholeBatch({ ...envelope, options }, receivedAt), located };
  }
}

const isList = <One>(values: AsyncIterable<One> | readonly One[]): values is readonly One[] => Array.isArray(values);

const NO_LOCATIONS =
  'locations: available only for JSON and YAML bodies that are answered at once, not for NDJSON bodies or asynchronous evaluations';

const prefersAsync = (request: FastifyRequest): boolean => /\brespond-async\b/.test(String(request.headers['prefer'] ?? ''));

/**
 * Returns a function that chooses one of two media types for the value of an `Accept` header. The function returns the first type unless
 * the header prefers the second. It returns undefined if the header accepts neither.
 */
const preferred = (forms: readonly [string, string]): ((accept: string) => string | undefined) =>
  memoizeHeaders((accept) => new Negotiator({ headers: { accept } }).mediaType([...forms]));
const preferredToJson = preferred([JSON_TYPE, NDJSON]);
const preferredToLines = preferred([NDJSON, JSON_TYPE]);

/** Returns true if the answer must be NDJSON. Throws the 406 failure if the client accepts neither JSON nor NDJSON. */
function wantsNdjson({ headers: { accept = '*/*' } }: FastifyRequest, byDefault: boolean): boolean {
  const wanted = (byDefault ? preferredToLines : preferredToJson)(accept);
  if (wanted === undefined) throw new StatusFailure(notAcceptableStatus(`only ${JSON_TYPE} and ${NDJSON} can be produced`));
  return wanted === NDJSON;
}
