import { samplePairs, sampleRounds, SequentialComparison } from '#benchmark';
import type { SequentialRules, TimedPair } from '#benchmark';
import type { ByThoroughness, Lab } from '../lab.ts';

/** Times in ms by the name of the timed work, with one figure for each round. */
export type Times = Readonly<Record<string, readonly number[]>>;

/** Exact figures by name, such as cost units, bytes or a verdict. A figure is undefined if it was not measured. */
export type Facts = Readonly<Record<string, number | string | undefined>>;

/** Work to measure at one size. */
export interface Work {
  /** Functions to measure, by name. */
  readonly runs?: Readonly<Record<string, () => unknown>>;
  /** Rules for comparing two runs. If they are given, both runs are measured in turns until the rules allow a conclusion. */
  readonly comparedBy?: SequentialRules;
  /**
   * Returns facts, and the times that the functions in `runs` recorded for their own steps. Only the last `rounds` calls of each function
   * count, because the earlier calls were the warm-up.
   */
  readonly after?: (rounds: number) => MeasuredFigures | Promise<MeasuredFigures>;
}

/** Figures that the measured work itself reports, in addition to the measured times. */
export interface MeasuredFigures {
  readonly times?: Times;
  readonly facts?: Facts;
}

/** Line of measurements: the same kind of work, measured at several sizes. */
export interface Line {
  readonly name: string;
  readonly sizes: ByThoroughness<readonly number[]>;
  readonly work: (size: number, lab: Lab) => Work;
  /** Returns the expected values of facts at a size. Each expected value becomes a gate, which fails if the measured fact differs. */
  readonly expected?: (size: number) => Readonly<Record<string, number | string>>;
}

/** Figures of one line at one size. */
export interface CaseFigures {
  readonly line: string;
  readonly size: number;
  readonly times: Times;
  /** Throughput per second by the name of the counted quantity, with one figure for each round. */
  readonly rates?: Times;
  readonly facts: Facts;
}

/** Time in ms for measuring the work of a line at one size. A quarter of this time is used for the warm-up. */
const ROUNDS_MS = { smallest: 120, quick: 600, full: 8000 } as const;

/**
 * Measures lines one after another, each at its sizes in order. Even if the time of the experiment is over, every line is measured at its
 * first size.
 */
export async function measureLines(lab: Lab, lines: readonly Line[]): Promise<CaseFigures[]> {
  const cases: CaseFigures[] = [];
  for (const line of lines)
    for await (const size of lab.each(lab.of(line.sizes))) {
      lab.say(`${line.name}: ${size}`);
      cases.push({ line: line.name, size, ...(await figuresOf(line.work(size, lab), lab.of(ROUNDS_MS))) });
    }
  return cases;
}

async function figuresOf({ runs = {}, comparedBy, after }: Work, ms: number): Promise<Pick<CaseFigures, 'times' | 'facts'>> {
  const names = Object.keys(runs);
  const samples = comparedBy ? pairsOf(runs, ms, comparedBy) : sampleRounds(bare(runs), { now, ms });
  const { times = {}, facts = {} } = (await after?.(samples[0]?.length ?? 0)) ?? {};
  return { times: { ...Object.fromEntries(names.map((name, i) => [name, samples[i] ?? []])), ...times }, facts };
}

const now = (): number => performance.now();
const bare = (runs: NonNullable<Work['runs']>): (() => void)[] => Object.values(runs).map((run) => () => void run());

function pairsOf(runs: NonNullable<Work['runs']>, ms: number, rules: SequentialRules): readonly [number[], number[]] {
  const [a, b] = bare(runs);
  const pairs: TimedPair[] = [];
  const comparison = new SequentialComparison(rules);
  for (const two of a && b ? samplePairs(a, b, { now, ms }) : []) {
    pairs.push(...two);
    if (comparison.add(two).kind === 'over') break;
  }
  return [pairs.map((pair) => pair.a), pairs.map((pair) => pair.b)];
}
