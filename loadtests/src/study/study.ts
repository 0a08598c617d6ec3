import { samplePairs, sampleRounds, SequentialComparison } from '#benchmark';
import type { SequentialRules, TimedPair } from '#benchmark';
import type { Choice, Lab } from '../lab.ts';

/** Times by what was timed, ms: a figure a round. */
export type Times = Readonly<Record<string, readonly number[]>>;

/** Exact figures by name: cost units, bytes, a verdict. Undefined: not measured. */
export type Facts = Readonly<Record<string, number | string | undefined>>;

/** Work at one size. */
export interface Work {
  /** Pieces of work to be timed, by name. */
  readonly runs?: Readonly<Record<string, () => unknown>>;
  /** Given if there are two runs that are compared: they take turns until these rules decide. */
  readonly comparedBy?: SequentialRules;
  /** Returns exact figures, and times that runs reported for their steps. `rounds`: only so many last runs count, since earlier runs warmed up. */
  readonly after?: (rounds: number) => MeasuredFigures | Promise<MeasuredFigures>;
}

/** Figures that the work itself gives. */
export interface MeasuredFigures {
  readonly times?: Times;
  readonly facts?: Facts;
}

/** Something that is measured along a size. */
export interface Line {
  readonly name: string;
  readonly sizes: Choice<readonly number[]>;
  readonly work: (size: number, lab: Lab) => Work;
  /** The exact figures that must come out: each is a gate. */
  readonly expected?: (size: number) => Readonly<Record<string, number | string>>;
}

/** Figures of one line at one size. */
export interface CaseFigures {
  readonly line: string;
  readonly size: number;
  readonly times: Times;
  /** Throughput by what is counted, a second: a figure a round. */
  readonly rates?: Times;
  readonly facts: Facts;
}

/** Time for the rounds of one size, a quarter of it for warming up, ms. */
const ROUNDS_MS = { smallest: 120, quick: 600, full: 8000 } as const;

/** Measures lines one after the other, each from its first size on. When the lab is over, each line still has its first size. */
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
