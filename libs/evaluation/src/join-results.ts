import type { ChunkResult } from './chunk.ts';
import { addTally, emptyTally } from './tally.ts';

/** Joins results of consecutive items in their order: verdicts and spans are appended, and counts and charges are added. */
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
