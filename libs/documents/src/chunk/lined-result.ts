import { addTally, emptyTally } from '../verdict/tally.ts';
import type { ChunkResult } from './chunk.ts';

/** Result of a chunk whose verdicts came as bytes. */
type LinedParts = Omit<ChunkResult, 'verdicts' | 'lines'>;

const LINE_FEED = 0x0a;
const decoder = new TextDecoder();
const encoder = new TextEncoder();

/**
 * Returns a result whose verdicts came as UTF-8 bytes, each verdict with a line feed behind it. The bytes are decoded when `verdicts` is
 * first read. Most results are only passed on, as bytes.
 */
export function linedResult(lines: readonly Uint8Array[], { tally, celCharge, spans }: LinedParts): ChunkResult {
  let decoded: readonly string[] | undefined;
  return {
    get verdicts() {
      return (decoded ??= lines.flatMap(decodedLines));
    },
    tally,
    celCharge,
    spans,
    lines,
  };
}

/** Returns a result without the spans of its objects. */
export function withoutSpans(result: ChunkResult): ChunkResult {
  const { tally, celCharge, spans } = result;
  return spans.length === 0 ? result : linedResult(linesOf(result), { tally, celCharge, spans: [] });
}

/** Returns the bytes of a result's verdicts, each with a line feed behind it. */
export function linesOf(result: ChunkResult): readonly Uint8Array[] {
  return result.lines ?? [encoder.encode(result.verdicts.map((verdict) => `${verdict}\n`).join(''))];
}

/** Returns the size of a result's verdicts in bytes. */
export function verdictBytes(result: ChunkResult): number {
  if (result.lines) return result.lines.reduce((sum, lines) => sum + lines.length, -result.tally.items);
  return result.verdicts.reduce((sum, verdict) => sum + encoder.encode(verdict).length, 0);
}

function decodedLines(lines: Uint8Array): readonly string[] {
  if (lines.length === 0) return [];
  const end = lines.at(-1) === LINE_FEED ? lines.length - 1 : lines.length;
  return decoder.decode(lines.subarray(0, end)).split('\n');
}

/** Joins the results of consecutive items in order. Verdicts and trace spans are appended. Counts and charged cost units are added. */
export function joinResults(results: readonly ChunkResult[]): ChunkResult {
  const [only] = results;
  if (only && results.length === 1) return only;
  const tally = emptyTally();
  for (const result of results) addTally(tally, result.tally);
  const celCharge = results.reduce((sum, result) => sum + result.celCharge, 0);
  return linedResult(results.flatMap(linesOf), { tally, celCharge, spans: results.flatMap(({ spans }) => spans) });
}
