import { comparePairs } from '#benchmark';
import { countedText, shareText } from '#charts';
import type { PairComparison, PairRules, TimedPair } from '#benchmark';

/** Pairs figures that the same rounds gave of two systems. */
export const pairsOf = (a: readonly number[], b: readonly number[]): TimedPair[] =>
  a.flatMap((one, i) => (b[i] === undefined ? [] : [{ a: one, b: b[i] }]));

/** A comparison that concludes: it has enough rounds for an interval. */
export type Concluded = Extract<PairComparison, { readonly kind: 'compared' }>;

/** Compares figures that the same rounds gave of two systems: b beside a, as {@link comparePairs} does. */
export const compareRounds = (a: readonly number[], b: readonly number[], rules?: PairRules): PairComparison =>
  comparePairs(pairsOf(a, b), rules);

/** Says the share that b is of a, with its interval where there are rounds enough for one: `95 % [90 %, 101 %], 11 rounds`. */
export const comparisonText = (beside: PairComparison): string =>
  `${shareText(beside.ratio)}${beside.kind === 'tooFew' ? '' : ` [${shareText(beside.lo)}, ${shareText(beside.hi)}]`}, ${countedText(beside.pairs, 'round')}`;
