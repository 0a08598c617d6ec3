import { comparePairs, median } from '#benchmark';
import type { PairComparison, TimedPair } from '#benchmark';
import { shuffled } from '../../../../testing/seeded-random.ts';

/** Function that measures one figure of one revision once. Returns µs of CPU time; undefined if the revision cannot produce the figure. */
export type Measure = (figure: string) => Promise<number | undefined>;

/** Process that measures the build of one revision, one figure at a time. */
export interface RevisionProcess {
  readonly measure: Measure;
  readonly stop: () => Promise<void>;
}

/** Comparison of one figure between this revision and another revision. */
export interface ComparedFigure {
  readonly figure: string;
  /** Comparison of the measured pairs. The verdict `slower` means that the whole confidence interval of the time ratio is above `bound`. */
  readonly beside: PairComparison;
}

/** Settings of a comparison of two revisions. */
export interface Comparison {
  readonly figures: readonly string[];
  /** Number of processes of each revision. Each pair of processes counts as one pair of times. */
  readonly processes: number;
  /** Number of measurements of each figure that do not count. During them, the JavaScript engine optimizes the code. */
  readonly warmUps: number;
  /** Number of measurements of each figure in each process. */
  readonly rounds: number;
  /** Highest allowed ratio of this revision's time to the other revision's time, such as 1.05. */
  readonly bound: number;
  readonly random: () => number;
}

/**
 * Compares two revisions by several processes of each. The JavaScript engine optimizes the same code differently in each process, and keeps
 * the result. The same figure of the same revision can therefore take twice the time in another process. Only new processes show that such
 * a difference is chance.
 */
export async function compareFigures(
  start: Readonly<Record<'ours' | 'other', () => Promise<RevisionProcess>>>,
  given: Comparison,
): Promise<readonly ComparedFigure[]> {
  const taken = new Map(given.figures.map((figure) => [figure, [] as TimedPair[]]));
  for (let i = 0; i < given.processes; i++) {
    const running: RevisionProcess[] = [];
    try {
      running.push(await start.ours());
      running.push(await start.other());
      const [ours, other] = running as [RevisionProcess, RevisionProcess];
      const pairs = await measurePair(ours.measure, other.measure, given);
      for (const [figure, pair] of pairs) taken.get(figure)?.push(pair);
    } finally {
      for (const { stop } of running) await stop();
    }
  }
  return [...taken].map(([figure, pairs]) => ({ figure, beside: comparePairs(pairs, { minEffect: given.bound - 1 }) }));
}

/**
 * Measures one process of each revision in rounds. Each round measures every figure of both processes, one after another in random order. A
 * slow phase of the machine therefore affects both. Returns the medians of each figure that both revisions have.
 */
async function measurePair(ours: Measure, other: Measure, given: Comparison): Promise<ReadonlyMap<string, TimedPair>> {
  const { figures, warmUps, rounds, random } = given;
  const taken = figures.map((figure) => ({ figure, a: [] as number[], b: [] as number[] }));
  for (let round = -warmUps; round < rounds; round++)
    for (const one of shuffled(taken, random))
      for (const side of shuffled(['a', 'b'] as const, random)) {
        const time = await (side === 'b' ? ours : other)(one.figure);
        if (time !== undefined && round >= 0) one[side].push(time);
      }
  return new Map(
    taken.flatMap(({ figure, a, b }) => {
      const pair = { a: median(a), b: median(b) };
      return pair.a === undefined || pair.b === undefined ? [] : [[figure, { a: pair.a, b: pair.b }] as const];
    }),
  );
}
