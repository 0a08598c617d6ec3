import { comparePairs } from '#benchmark';
import type { PairComparison, PairRules, TimedPair } from '#benchmark';

/** Pairs figures that the same rounds gave of two systems. */
export const pairsOf = (a: readonly number[], b: readonly number[]): TimedPair[] =>
  a.flatMap((one, i) => (b[i] === undefined ? [] : [{ a: one, b: b[i] }]));

/** A comparison that concludes: it has enough rounds for an interval. */
export type Concluded = Extract<PairComparison, { readonly kind: 'compared' }>;

/** Compares figures that the same rounds gave of two systems: b beside a, as {@link comparePairs} does. */
export const compareRounds = (a: readonly number[], b: readonly number[], rules?: PairRules): PairComparison =>
  comparePairs(pairsOf(a, b), rules);
