import { shuffled } from '../../../../testing/seeded-random.ts';
import { FEWEST_ROUNDS, pairedRatio } from '../../measure/paired-ratio.ts';
import type { Ratio } from '../../measure/paired-ratio.ts';

/** Takes one figure of one revision once: µs of CPU; undefined where that revision cannot. */
export type Measure = (figure: string) => Promise<number | undefined>;

/** A figure of this revision, divided by that of the other. */
export interface ComparedFigure {
  readonly figure: string;
  /** Undefined where one of the two gave none. */
  readonly ratio: Ratio | undefined;
  /** The whole interval lies above the bound: slower, and by more than is allowed. */
  readonly regressed: boolean;
}

/** How two revisions are compared. */
export interface Comparison {
  readonly figures: readonly string[];
  readonly rounds: number;
  /** A ratio up to which a slowdown is allowed, such as 1.05. */
  readonly bound: number;
  readonly random: () => number;
  readonly seed: number;
}

/**
 * Measures both in rounds, in each round every figure of both one after the other, in an order of chance: what slows the machine slows both. The
 * interval is that of `pairedRatio`: rounds resampled.
 */
export async function compareFigures(ours: Measure, other: Measure, given: Comparison): Promise<readonly ComparedFigure[]> {
  const { figures, rounds, random } = given;
  const taken = figures.map((figure) => ({ figure, ours: [] as number[], other: [] as number[] }));
  for (let round = 0; round < rounds; round++)
    for (const one of shuffled(taken, random)) {
      const pair: { ours?: number | undefined; other?: number | undefined } = {};
      for (const side of shuffled(['ours', 'other'] as const, random)) pair[side] = await (side === 'ours' ? ours : other)(one.figure);
      if (pair.ours === undefined || pair.other === undefined) continue;
      one.ours.push(pair.ours);
      one.other.push(pair.other);
    }
  return taken.map((one) => {
    const ratio = pairedRatio(one.ours, one.other, given.seed);
    return { figure: one.figure, ratio, regressed: ratio !== undefined && ratio.rounds >= FEWEST_ROUNDS && ratio.lo > given.bound };
  });
}
