import { sampleRounds } from '#benchmark';
import type { Experiment, Findings } from '../experiments/experiment.ts';
import type { Choice, Lab } from '../lab.ts';

/** Times by what was timed, ms: a figure a round. */
export type Times = Readonly<Record<string, readonly number[]>>;

/** Exact figures by name: cost units, bytes, a verdict. Undefined: not measured. */
export type Facts = Readonly<Record<string, number | string | undefined>>;

/** Work at one size. */
export interface Work {
  /** What is timed, by name. */
  readonly runs?: Readonly<Record<string, () => unknown>>;
  /** Gives exact figures, and times that runs told of their steps. `rounds`: the last so many runs count, those before warmed up. */
  readonly after?: (rounds: number) => Told | Promise<Told>;
}

/** What work tells of itself. */
export interface Told {
  readonly times?: Times;
  readonly facts?: Facts;
}

/** Something that is measured along a size. */
export interface Line {
  readonly name: string;
  readonly sizes: Choice<readonly number[]>;
  readonly work: (size: number, lab: Lab) => Work;
}

/** Figures of one line at one size. */
export interface CaseFigures {
  readonly line: string;
  readonly size: number;
  readonly times: Times;
  readonly facts: Facts;
}

/** Time for the rounds of one size, a quarter of it for warming up, ms. */
const ROUNDS_MS = { smallest: 60, quick: 600, full: 8000 } as const;

/** An experiment that measures lines. */
export interface Study {
  readonly name: string;
  readonly question: string;
  readonly lines: readonly Line[];
  readonly findings: (cases: readonly CaseFigures[]) => Findings;
}

/** Makes a study an experiment. */
export const studyOf = (study: Study): Study & Experiment<readonly CaseFigures[]> => ({
  ...study,
  measure: (lab) => measureLines(lab, study.lines),
});

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

async function figuresOf({ runs = {}, after }: Work, ms: number): Promise<Pick<CaseFigures, 'times' | 'facts'>> {
  const names = Object.keys(runs);
  const samples = sampleRounds(
    Object.values(runs).map((run) => () => void run()),
    { now: () => performance.now(), ms },
  );
  const { times = {}, facts = {} } = (await after?.(samples[0]?.length ?? 0)) ?? {};
  return { times: { ...Object.fromEntries(names.map((name, i) => [name, samples[i] ?? []])), ...times }, facts };
}
