import { comparePairs } from '#benchmark';
import type { PairComparison, TimedPair } from '#benchmark';
import { shuffled } from '../../../../testing/seeded-random.ts';

/** Function that measures one figure of one revision once. Returns µs of CPU time; undefined if the revision cannot produce the figure. */
export type Measure = (figure: string) => Promise<number | undefined>;

/** Comparison of one figure between this revision and another revision. */
export interface ComparedFigure {
  readonly figure: string;
  /** Comparison of the measured pairs. The verdict `slower` means that the whole confidence interval of the time ratio is above `bound`. */
  readonly beside: PairComparison;
}

/** Settings of a comparison of two revisions. */
export interface Comparison {
  readonly figures: readonly string[];
  readonly rounds: number;
  /** Highest allowed ratio of this revision's time to the other revision's time, such as 1.05. */
  readonly bound: number;
  readonly random: () => number;
}

/**
 * Measures two revisions in rounds. Each round measures every figure of both revisions, one after another in random order. A slow phase of
 * the machine therefore affects both revisions.
 */
export async function compareFigures(ours: Measure, other: Measure, given: Comparison): Promise<readonly ComparedFigure[]> {
  const { figures, rounds, bound, random } = given;
  const taken = figures.map((figure) => ({ figure, pairs: [] as TimedPair[] }));
  for (let round = 0; round < rounds; round++)
    for (const { figure, pairs } of shuffled(taken, random)) {
      const pair: { a?: number | undefined; b?: number | undefined } = {};
      for (const side of shuffled(['a', 'b'] as const, random)) pair[side] = await (side === 'b' ? ours : other)(figure);
      if (pair.a !== undefined && pair.b !== undefined) pairs.push({ a: pair.a, b: pair.b });
    }
  return taken.map(({ figure, pairs }) => ({ figure, beside: comparePairs(pairs, { minEffect: bound - 1 }) }));
}
