import { addTally, emptyTally } from '#evaluation';
import type { ChunkResult, Tally } from '#evaluation';
import type { EvaluationRecord } from '#queue';

/** The JSON answer to `POST /evaluate`, piece by piece: verdicts are passed on as the threads wrote them. */
export async function* writeAnswer(
  record: EvaluationRecord,
  results: AsyncIterable<ChunkResult>,
  elapsedMs: () => number,
): AsyncGenerator<string> {
  yield `{"id":${JSON.stringify(record.id)},"definitions":${JSON.stringify(record.definitions)},"items":[`;
  const tally = emptyTally();
  let separator = '';
  for await (const { verdicts, tally: part } of results) {
    addTally(tally, part);
    if (verdicts.length === 0) continue;
    yield `${separator}${verdicts.join(',')}`;
    separator = ',';
  }
  yield `],"summary":${summaryText(tally, elapsedMs())}}\n`;
}

/** The NDJSON answer: one verdict a line, and a last line with the summary. */
export async function* writeVerdicts(results: AsyncIterable<ChunkResult>, elapsedMs: () => number): AsyncGenerator<string> {
  const tally = emptyTally();
  for await (const { verdicts, tally: part } of results) {
    addTally(tally, part);
    if (verdicts.length > 0) yield `${verdicts.join('\n')}\n`;
  }
  yield `{"summary":${summaryText(tally, elapsedMs())}}\n`;
}

function summaryText(tally: Tally, elapsedMs: number): string {
  return JSON.stringify({ ...tally, elapsedMs: Math.round(elapsedMs * 1000) / 1000 });
}
