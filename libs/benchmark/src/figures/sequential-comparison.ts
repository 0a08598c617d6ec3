import { comparePairs } from './compare-pairs.ts';
import type { PairComparison, TimedPair } from './compare-pairs.ts';

/**
 * Options of a statistical comparison of pairs of measured times that may end early. The comparison is evaluated only at fixed numbers of
 * pairs; each such evaluation is called a look.
 */
export interface SequentialRules {
  /** Smallest effect that matters, as a share. Default: 0.1. */
  readonly minEffect?: number;
  /** Probability of a wrong verdict over all looks (evaluations of the comparison) together. Default: 0.05. */
  readonly error?: number;
  /** Number of pairs at the first look (evaluation of the comparison). Default: 32. */
  readonly firstLook?: number;
  /** Number of pairs at the last look, after which the comparison is over. Default: 2,000. */
  readonly maxPairs?: number;
}

/**
 * State of a comparison of the measured times of two revisions. The comparison is open until enough pairs of times are measured, or over
 * with a result.
 */
export type SequentialState =
  /** No look has led to a decision so far. `pairsToNextLook`: number of pairs that are still missing before the next look. */
  | { readonly kind: 'open'; readonly pairsToNextLook: number }
  /** A look led to a decision, or the last look did not. In the second case, the verdict is `undecided`. Later pairs change nothing. */
  | { readonly kind: 'over'; readonly comparison: PairComparison };

/**
 * Comparison of the measured times of two revisions, which may end before all times are measured. Callers add pairs of times, one time of
 * each revision, and may check at any time if the comparison is decided. A look is an evaluation of the comparison.
 *
 * Looks happen only at fixed counts of pairs (32, 64, 128 … 2,000: seven looks), regardless of the batches in which pairs are added. Each
 * look has an equal share of the error (Bonferroni). The probability that the interval of any look misses the true ratio is therefore at
 * most `error`, however often a caller checks. Intervals are about 1.4 times as wide as the intervals of a single look.
 */
export class SequentialComparison {
  readonly #looks: readonly number[];
  readonly #rules: { readonly minEffect: number; readonly error: number };
  readonly #pairs: TimedPair[] = [];
  #nextLook = 0;
  #outcome: PairComparison | undefined;

  constructor({ minEffect = 0.1, error = 0.05, firstLook = 32, maxPairs = 2000 }: SequentialRules = {}) {
    this.#looks = looksUpTo(Math.max(1, firstLook), maxPairs);
    this.#rules = { minEffect, error: error / this.#looks.length };
  }

  /**
   * Adds pairs in the order in which they were measured. Evaluates the comparison at each count of pairs for which an evaluation (a look)
   * is planned.
   */
  add(pairs: readonly TimedPair[]): SequentialState {
    for (const pair of pairs) {
      if (this.#outcome !== undefined) break;
      this.#pairs.push(pair);
      if (this.#pairs.length === this.#looks[this.#nextLook]) this.#look();
    }
    return this.state;
  }

  /** Current state of the comparison. */
  get state(): SequentialState {
    return this.#outcome === undefined
      ? { kind: 'open', pairsToNextLook: (this.#looks[this.#nextLook] ?? 0) - this.#pairs.length }
      : { kind: 'over', comparison: this.#outcome };
  }

  /**
   * Comparison that led to the decision. Before a decision, it is a comparison of all pairs that were added until now, with the error of
   * one look (one evaluation).
   */
  get soFar(): PairComparison {
    return this.#outcome ?? comparePairs(this.#pairs, this.#rules);
  }

  #look(): void {
    this.#nextLook += 1;
    const comparison = comparePairs(this.#pairs, this.#rules);
    const isDecided = comparison.kind === 'compared' && comparison.verdict !== 'undecided';
    if (isDecided || this.#nextLook === this.#looks.length) this.#outcome = comparison;
  }
}

/** Returns the counts of pairs at which the comparison is evaluated: `first`, then always twice the previous count, and finally `most`. */
function looksUpTo(first: number, most: number): number[] {
  const looks: number[] = [];
  for (let count = first; count < most; count *= 2) looks.push(count);
  return [...looks, Math.max(1, most)];
}
