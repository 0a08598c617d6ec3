import { Readable } from 'node:stream';
import type { FastifyRequest } from 'fastify';
import { addTally, emptyTally, noticeOf, verdictBytes } from '#documents';
import type { ChunkResult, DefinitionReport, Tally } from '#documents';
import { memoizeWeak } from '#go';
import { tooLargeStatus } from '#kube';
import type { EvaluationHead } from '#service';
import type { Log } from '#telemetry';
import { logFields } from '../request-span.ts';
import { statusOf } from '../status.filter.ts';

const [LINE_FEED, COMMA] = [0x0a, 0x2c] as const;
/** Minimum number of characters that are collected before they are written as one piece. */
const PIECE_CHARACTERS = 128 * 1024;

/**
 * Yields the JSON answer to `POST /evaluate`, piece by piece. The verdicts are JSON texts from the threads, which are passed on unchanged.
 * If the next verdicts would make the answer longer than `maxBytes`, the answer ends with a Status that reports this limit. The remaining
 * objects are not evaluated.
 */
export async function* writeAnswer(
  record: EvaluationHead,
  results: AsyncIterable<ChunkResult> | readonly ChunkResult[],
  elapsedMs: () => number,
  maxBytes: number,
): AsyncGenerator<Piece> {
  yield `{"id":${JSON.stringify(record.id)},"definitions":`;
  let bytes = 0;
  for (const piece of pieces(jsonListPieces(record.definitions.map((report) => () => reportText(report))))) {
    bytes += Buffer.byteLength(piece);
    yield piece;
  }
  const { policyReports } = record;
  if (policyReports) {
    yield ',"policyReports":';
    for (const piece of pieces(jsonListPieces(policyReports.map((report) => () => JSON.stringify(report))))) {
      bytes += Buffer.byteLength(piece);
      yield piece;
    }
  }
  yield `,"items":[`;
  const tally = emptyTally();
  let separator = '';
  for await (const result of results) {
    bytes += verdictBytes(result) + result.tally.items;
    if (bytes > maxBytes)
      return yield `],"summary":${summaryText(tally, elapsedMs(), record)},"status":${JSON.stringify(tooLong(maxBytes))}}\n`;
    addTally(tally, result.tally);
    yield* commaSeparated(result, separator);
    if (result.tally.items > 0) separator = ',';
  }
  yield `],"summary":${summaryText(tally, elapsedMs(), record)}}\n`;
}

/**
 * Returns the whole text that `writeAnswer` would yield in pieces: the JSON answer to `POST /evaluate`. Returns undefined if the text would
 * be longer than `PIECE_CHARACTERS`, or could be longer than `maxBytes` bytes.
 */
export function shortAnswer(
  { id, definitions, policyReports }: EvaluationHead,
  results: readonly ChunkResult[],
  elapsedMs: () => number,
  maxBytes: number,
): string | undefined {
  const reports = policyReports ? `,"policyReports":${JSON.stringify(policyReports)}` : '';
  let text = `{"id":"${id}","definitions":[${definitions.map(reportText).join(',')}]${reports},"items":[`;
  const tally = emptyTally();
  let separator = '';
  for (const { verdicts, tally: part } of results) {
    addTally(tally, part);
    for (const verdict of verdicts) {
      text += separator + verdict;
      separator = ',';
    }
    if (text.length > PIECE_CHARACTERS) return undefined;
  }
  if (text.length * UTF_8_BYTES > maxBytes) return undefined;
  return `${text}],"summary":${summaryText(tally, elapsedMs(), { definitions, policyReports })}}\n`;
}

/** Maximum number of UTF-8 bytes for one UTF-16 code unit. */
const UTF_8_BYTES = 3;

/**
 * Returns the JSON text of a report. The text is cached per report object. The service keeps the report object of a cached definition, so
 * each report is serialized only once.
 */
const reportText = memoizeWeak((report: DefinitionReport) => JSON.stringify(report));

/** Yields the NDJSON answer: one verdict per line, and a last line with the summary (counts of outcomes, CEL cost, times). */
export async function* writeVerdicts(
  record: SummarizedRecord,
  results: AsyncIterable<ChunkResult> | readonly ChunkResult[],
  elapsedMs: () => number,
): AsyncGenerator<Piece> {
  const tally = emptyTally();
  for await (const result of results) {
    addTally(tally, result.tally);
    yield* verdictLines(result);
  }
  yield `{"summary":${summaryText(tally, elapsedMs(), record)}}\n`;
}

const tooLong = (maxBytes: number): ReturnType<typeof tooLargeStatus> =>
  tooLargeStatus(`the answer would be longer than ${maxBytes} bytes; application/x-ndjson has no such limit`);

function* jsonListPieces(texts: readonly (() => string)[]): Generator<string> {
  yield '[';
  for (const [i, text] of texts.entries()) yield i === 0 ? text() : `,${text()}`;
  yield ']';
}

/** Yields the verdicts of a result as elements of a JSON list, in pieces. `before` is the separator from the elements before them. */
function* commaSeparated(result: ChunkResult, before: string): Generator<Piece> {
  if (result.lines === undefined) return yield* pieces(separated(result.verdicts, before));
  let isFirst = before === '';
  for (const lines of result.lines) {
    if (lines.length === 0) continue;
    // Each line feed becomes the comma before the next verdict. JSON texts contain no raw line feeds, so each line feed ends a verdict.
    const elements = Buffer.allocUnsafe(lines.length);
    elements[0] = COMMA;
    elements.set(lines.subarray(0, -1), 1);
    for (let at = elements.indexOf(LINE_FEED); at >= 0; at = elements.indexOf(LINE_FEED, at + 1)) elements[at] = COMMA;
    yield* inPieces(isFirst ? elements.subarray(1) : elements);
    isFirst = false;
  }
}

function* separated(texts: readonly string[], before: string): Generator<string> {
  for (const [i, text] of texts.entries()) yield i === 0 ? before + text : `,${text}`;
}

function* inPieces(bytes: Uint8Array): Generator<Uint8Array> {
  for (let at = 0; at < bytes.length; at += PIECE_CHARACTERS) yield bytes.subarray(at, at + PIECE_CHARACTERS);
}

/** Yields the verdicts of a result as lines, in pieces. Verdicts that came as bytes from a thread or a storage are passed on unchanged. */
export function* verdictLines(result: Pick<ChunkResult, 'verdicts' | 'lines'>): Generator<Piece> {
  if (result.lines === undefined) return yield* pieces(withLineFeeds(result.verdicts));
  for (const lines of result.lines) yield* inPieces(lines);
}

function* withLineFeeds(texts: readonly string[]): Generator<string> {
  for (const text of texts) yield `${text}\n`;
}

/**
 * Yields the texts joined into pieces. A piece ends when it has at least `PIECE_CHARACTERS` characters. Only the last piece may be shorter.
 */
function* pieces(texts: Iterable<string>): Generator<string> {
  let piece = '';
  for (const text of texts) {
    piece += text;
    if (piece.length < PIECE_CHARACTERS) continue;
    yield piece;
    piece = '';
  }
  if (piece !== '') yield piece;
}

/** Reports of an evaluation that its summary mentions. */
type SummarizedRecord = Pick<EvaluationHead, 'definitions' | 'policyReports'>;

function summaryText(tally: Tally, elapsedMs: number, { definitions, policyReports = [] }: SummarizedRecord): string {
  const notice = noticeOf(tally.takenOff, definitions, policyReports);
  return JSON.stringify({ ...tally, ...(notice !== undefined && { notice }), elapsedMs: Math.round(elapsedMs * 1000) / 1000 });
}

/** Media type of answers that have one verdict per line. */
export const NDJSON = 'application/x-ndjson';
/** Piece of an answer: a text, or its UTF-8 bytes. */
export type Piece = string | Uint8Array;

/** Maximum number of characters of an answer that is collected completely before it is sent. */
const WHOLE_ANSWER_CHARACTERS = 64 * 1024;

/**
 * Returns an answer that a client can use only as a whole. A short answer (at most `WHOLE_ANSWER_CHARACTERS` characters) is returned as
 * text and sent in one piece; a long answer is returned as a stream.
 */
export async function wholeOrReadable(pieces: AsyncGenerator<Piece>): Promise<string | Readable> {
  const begun: Piece[] = [];
  for (let length = 0; length <= WHOLE_ANSWER_CHARACTERS;) {
    const { done, value } = await pieces.next();
    if (done) return begun.map(textOf).join('');
    begun.push(value);
    length += value.length;
  }
  return continued(begun, pieces);
}

const textOf = (piece: Piece): string => (typeof piece === 'string' ? piece : Buffer.from(piece).toString());

/**
 * Returns a stream after its first piece has been produced. Rejects if a failure occurs before the first piece, so that the service can
 * still send an ordinary error answer.
 */
export async function readable(pieces: AsyncGenerator<Piece>): Promise<Readable> {
  const { done, value } = await pieces.next();
  return continued(done ? [] : [value], pieces);
}

/** Returns a stream that begins with `begun` and continues with `rest`. */
function continued(begun: readonly Piece[], rest: AsyncGenerator<Piece>): Readable {
  return Readable.from(
    (async function* () {
      yield* begun.filter(({ length }) => length > 0);
      yield* rest;
    })(),
    { objectMode: false },
  );
}

/**
 * Yields the lines of an answer. After the first line was sent, a failure cannot change the status code, so the Status of the failure is
 * yielded as the last line.
 */
export async function* withFailureLine(lines: AsyncGenerator<Piece>, request: FastifyRequest, log: Log): AsyncGenerator<Piece> {
  let begun = false;
  try {
    for await (const line of lines) {
      begun = true;
      yield line;
    }
  } catch (error) {
    if (!begun) throw error;
    const status = statusOf(error);
    if (status.code >= 500) log.error({ err: error, ...logFields(request) }, 'a stream failed');
    yield `${JSON.stringify(status)}\n`;
  }
}
