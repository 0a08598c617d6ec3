import { tooLargeStatus } from '#kube';
import { addTally, emptyTally, noticeOf } from '#evaluation';
import type { ChunkResult, DefinitionReport, PolicyReport, Tally } from '#evaluation';
import type { EvaluationRecord } from '#queue';

/** Characters that are collected before they are written. A longer verdict is written alone. */
const PIECE_CHARACTERS = 128 * 1024;

/**
 * Returns the JSON answer to `POST /evaluate`, piece by piece: verdicts are passed on as the threads wrote them. With the verdict that would make it
 * longer than `maxBytes` it ends, and says so: what follows is not evaluated.
 */
export async function* writeAnswer(
  record: EvaluationRecord,
  results: AsyncIterable<ChunkResult> | readonly ChunkResult[],
  elapsedMs: () => number,
  maxBytes: number,
): AsyncGenerator<string> {
  yield `{"id":${JSON.stringify(record.id)},"definitions":`;
  let bytes = 0;
  for (const piece of pieces(listed(record.definitions.map((report) => () => reportText(report))))) {
    bytes += Buffer.byteLength(piece);
    yield piece;
  }
  const { policyReports } = record;
  if (policyReports) {
    yield ',"policyReports":';
    for (const piece of pieces(listed(policyReports.map((report) => () => JSON.stringify(report))))) {
      bytes += Buffer.byteLength(piece);
      yield piece;
    }
  }
  yield `,"items":[`;
  const tally = emptyTally();
  let separator = '';
  for await (const { verdicts, tally: part } of results) {
    bytes += bytesOf(verdicts);
    if (bytes > maxBytes)
      return yield `],"summary":${summaryText(tally, elapsedMs(), record.policyReports ?? [])},"status":${JSON.stringify(tooLong(maxBytes))}}\n`;
    addTally(tally, part);
    for (const piece of pieces(separated(verdicts, separator))) yield piece;
    if (verdicts.length > 0) separator = ',';
  }
  yield `],"summary":${summaryText(tally, elapsedMs(), record.policyReports ?? [])}}\n`;
}

/** Returns the same text in one piece, where the results are there and it is short; undefined where it is not. */
export function shortAnswer(
  { id, definitions, policyReports }: EvaluationRecord,
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
  return `${text}],"summary":${summaryText(tally, elapsedMs(), policyReports ?? [])}}\n`;
}

/** Bytes of a character (a UTF-16 code unit), at most. */
const UTF_8_BYTES = 3;

/** Reports as JSON. A remembered definition always has the same report object. */
const texts = new WeakMap<DefinitionReport, string>();

function reportText(report: DefinitionReport): string {
  const known = texts.get(report);
  if (known !== undefined) return known;
  const text = JSON.stringify(report);
  texts.set(report, text);
  return text;
}

/** Returns the NDJSON answer: one verdict a line, and a last line with the summary. */
export async function* writeVerdicts(
  { policyReports = [] }: Pick<EvaluationRecord, 'policyReports'>,
  results: AsyncIterable<ChunkResult> | readonly ChunkResult[],
  elapsedMs: () => number,
): AsyncGenerator<string> {
  const tally = emptyTally();
  for await (const { verdicts, tally: part } of results) {
    addTally(tally, part);
    yield* verdictLines(verdicts);
  }
  yield `{"summary":${summaryText(tally, elapsedMs(), policyReports)}}\n`;
}

const tooLong = (maxBytes: number): ReturnType<typeof tooLargeStatus> =>
  tooLargeStatus(`the answer would be longer than ${maxBytes} bytes; application/x-ndjson has no such limit`);

function bytesOf(texts: readonly string[]): number {
  let bytes = texts.length;
  for (const text of texts) bytes += Buffer.byteLength(text);
  return bytes;
}

function* listed(texts: readonly (() => string)[]): Generator<string> {
  yield '[';
  for (const [i, text] of texts.entries()) yield i === 0 ? text() : `,${text()}`;
  yield ']';
}

function* separated(texts: readonly string[], before: string): Generator<string> {
  for (const [i, text] of texts.entries()) yield i === 0 ? before + text : `,${text}`;
}

/** Returns verdicts as lines, in pieces that are neither many nor long. */
export const verdictLines = (verdicts: readonly string[]): Generator<string> => pieces(lines(verdicts));

function* lines(texts: readonly string[]): Generator<string> {
  for (const text of texts) yield `${text}\n`;
}

/** Texts joined into pieces that are neither many nor long. */
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

function summaryText(tally: Tally, elapsedMs: number, policyReports: readonly PolicyReport[]): string {
  const notice = noticeOf(tally.takenOff, policyReports);
  return JSON.stringify({ ...tally, ...(notice !== undefined && { notice }), elapsedMs: Math.round(elapsedMs * 1000) / 1000 });
}
