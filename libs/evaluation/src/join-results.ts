import type { ChunkResult } from './chunk.ts';
import { addTally, emptyTally } from './tally.ts';

/** Joins the results of consecutive items in order. Verdicts and trace spans are appended. Counts and charged cost units are added. */
export function joinResults(results: readonly ChunkResult[]): ChunkResult {
  const [only] = results;
  if (only && results.length === 1) return only;
  const tally = emptyTally();
  for (const result of results) addTally(tally, result.tally);
  return {
    verdicts: results.flatMap(({ verdicts }) => verdicts),
    tally,
    celCharge: results.reduce((sum, { celCharge }) => sum + celCharge, 0),
    spans: results.flatMap(({ spans }) => spans),
  };
}
