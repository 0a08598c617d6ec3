import type { PairComparison, TimedPair } from './compare-pairs.ts';
import { SequentialComparison } from './sequential-comparison.ts';

/** Share of the time that must be over before a comparison can be the last one. */
const LEAST_SHARE = 0.5;
/** Largest factor between the ratios of two comparisons that agree. */
const AGREEING = 1.1;

/**
 * Compares new pairs again and again until two comparisons in a row agree, and returns the last comparison. The JavaScript engine optimizes
 * one rule earlier than the other rule, and on a busy machine much later than in the first rounds. Until both rules are optimized, the
 * ratio compares two states of optimization. The ratio can be 6 and still appear certain.
 *
 * @param rounds Pairs in the order in which they were measured, until the time is over.
 * @param ms Time limit in ms for the whole comparison.
 * @param now Returns the time of a monotonic clock, in ms.
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
