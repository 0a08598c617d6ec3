import { comparePairs } from '#benchmark';
import type { PairComparison, PairRules, TimedPair } from '#benchmark';
import { countedText, shareText } from '#numbers';

/** Pairs the figures of two systems that were measured in the same rounds. Each pair contains the figures of one round. */
export const pairsOf = (a: readonly number[], b: readonly number[]): TimedPair[] =>
  a.flatMap((one, i) => (b[i] === undefined ? [] : [{ a: one, b: b[i] }]));

/** Comparison with enough rounds for a confidence interval and a conclusion. */
export type Concluded = Extract<PairComparison, { readonly kind: 'compared' }>;

/**
 * Compares the figures of two systems that were measured in the same rounds. The result is `b` relative to `a`, as in {@link comparePairs}.
 */
export const compareRounds = (a: readonly number[], b: readonly number[], rules?: PairRules): PairComparison =>
  comparePairs(pairsOf(a, b), rules);

/** Returns `b` as a share of `a` as text, with the confidence interval if there were enough rounds: `95 % [90 %, 101 %], 11 rounds`. */
export const comparisonText = (beside: PairComparison): string =>
  `${shareText(beside.ratio)}${beside.kind === 'tooFew' ? '' : ` [${shareText(beside.lo)}, ${shareText(beside.hi)}]`}, ${countedText(beside.pairs, 'round')}`;
