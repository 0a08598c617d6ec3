import type { ChunkResult } from './chunk.ts';
import { linedResult, linesOf } from './lined-result.ts';
import { addTally, emptyTally } from '../verdict/tally.ts';

/** Joins the results of consecutive items in order. Verdicts and trace spans are appended. Counts and charged cost units are added. */
export function joinResults(results: readonly ChunkResult[]): ChunkResult {
  const [only] = results;
  if (only && results.length === 1) return only;
  const tally = emptyTally();
  for (const result of results) addTally(tally, result.tally);
  const celCharge = results.reduce((sum, result) => sum + result.celCharge, 0);
  return linedResult(results.flatMap(linesOf), { tally, celCharge, spans: results.flatMap(({ spans }) => spans) });
}
