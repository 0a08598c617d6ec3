import { comparePairs } from './compare-pairs.ts';
import type { PairComparison, TimedPair } from './compare-pairs.ts';

/** Rules of a comparison that may end early. */
export interface SequentialRules {
  /** The least effect that matters, as a share; 0.1 if it is not given. */
  readonly leastEffect?: number;
  /** Chance of a wrong verdict over all looks together; 0.05 if it is not given. */
  readonly error?: number;
  /** Pairs at the first look; 32 if it is not given. */
  readonly firstLook?: number;
  /** Pairs at the last look, after which the comparison is over; 2,000 if it is not given. */
  readonly mostPairs?: number;
}

/** State of a comparison. */
export type SequentialState =
  /** No look decided so far. `pairsToNextLook`: so many pairs are missing before the answer can change. */
  | { readonly kind: 'open'; readonly pairsToNextLook: number }
  /** A look decided, or the last look did not: then its verdict is `undecided`. Later pairs change nothing. */
  | { readonly kind: 'over'; readonly comparison: PairComparison };

/**
 * Compares two revisions while pairs come in, and can be asked at any time whether it is decided.
 *
 * Peeking is paid for in advance. Looks happen at fixed counts of pairs (32, 64, 128 … 2,000: seven) and nowhere else, whatever the batches. Each look has an equal share of the error (Bonferroni). So the chance that any look's interval misses is at most `error`, and asking more
 * often costs nothing. Intervals are about 1.4 times as wide as of a single look.
 */
export class SequentialComparison {
  readonly #looks: readonly number[];
  readonly #rules: { readonly leastEffect: number; readonly error: number };
  readonly #pairs: TimedPair[] = [];
  #nextLook = 0;
  #outcome: PairComparison | undefined;

  constructor({ leastEffect = 0.1, error = 0.05, firstLook = 32, mostPairs = 2000 }: SequentialRules = {}) {
    this.#looks = looksUpTo(Math.max(1, firstLook), mostPairs);
    this.#rules = { leastEffect, error: error / this.#looks.length };
  }

  /** Takes in pairs, in the order in which they were measured, and looks where a look is due. */
  add(pairs: readonly TimedPair[]): SequentialState {
    for (const pair of pairs) {
      if (this.#outcome !== undefined) break;
      this.#pairs.push(pair);
      if (this.#pairs.length === this.#looks[this.#nextLook]) this.#look();
    }
    return this.state;
  }

  /** The state so far. */
  get state(): SequentialState {
    return this.#outcome === undefined
      ? { kind: 'open', pairsToNextLook: (this.#looks[this.#nextLook] ?? 0) - this.#pairs.length }
      : { kind: 'over', comparison: this.#outcome };
  }

  /** The comparison that decided; before that, a comparison of all pairs so far by the rules of a look. */
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

/** Returns the counts at which to look: doubled from the first one, and the most. */
function looksUpTo(first: number, most: number): number[] {
  const looks: number[] = [];
  for (let count = first; count < most; count *= 2) looks.push(count);
  return [...looks, Math.max(1, most)];
}
