import type { PairComparison, TimedPair } from './compare-pairs.ts';
import { SequentialComparison } from './sequential-comparison.ts';

/** No comparison is the last one before this share of the time is over. */
const LEAST_SHARE = 0.5;
/** Ratios of two comparisons that agree are no farther apart than by this factor. */
const AGREEING = 1.1;

/**
 * Compares pairs anew until two comparisons in a row agree, and returns the last one. The run time optimizes one rule before the other, on a busy machine
 * much later than in the first rounds. Until then a ratio is that of two states of the code: it may be 6 and pass for certain.
 *
 * @param rounds pairs in the order in which they were measured, until the time is over
 * @param ms the time for all of it
 * @param now a monotonic clock, ms
 */
export function settledComparison(rounds: Iterable<readonly TimedPair[]>, ms: number, now: () => number): PairComparison {
  const begun = now();
  let before: PairComparison | undefined;
  let comparison = new SequentialComparison();
  for (const two of rounds) {
    const state = comparison.add(two);
    if (state.kind === 'open') continue;
    if (before !== undefined && agree(before, state.comparison) && now() - begun >= LEAST_SHARE * ms) return state.comparison;
    before = state.comparison;
    comparison = new SequentialComparison();
  }
  const last = comparison.soFar;
  return last.kind === 'compared' && last.verdict !== 'undecided' ? last : (before ?? last);
}

function agree(a: PairComparison, b: PairComparison): boolean {
  if (a.kind !== 'compared' || b.kind !== 'compared') return false;
  return a.verdict === b.verdict && Math.max(a.ratio / b.ratio, b.ratio / a.ratio) <= AGREEING;
}
