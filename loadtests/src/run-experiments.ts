import { comparePairs, samplePairs } from '#benchmark';
import { countedText, timeText } from '#charts';
import { causeText } from './cause-text.ts';
import type { RunnableExperiment } from './experiments/experiment.ts';
import { figureFor, Lab } from './lab.ts';
import type { Choice, Thoroughness } from './lab.ts';
import { environment } from './measure/environment.ts';
import { noiseOf, probeNoise } from './measure/noise-probe.ts';
import { soundResult } from './result/sound-result.ts';
import { SCHEMA_VERSION } from './result/summary.ts';
import type { ExperimentResult, RunSummary } from './result/summary.ts';

/** How a run is made. */
export interface RunOptions {
  readonly thoroughness: Thoroughness;
  readonly seed: number;
  /** Longest time of one experiment, s; default by thoroughness. */
  readonly capSeconds?: number | undefined;
  /** Raised by Ctrl-C: the experiment that runs ends with what it has, the others are skipped. */
  readonly signal: AbortSignal;
  readonly say: (progress: string) => void;
}

/** Longest time of one experiment, s. */
const CAP_SECONDS: Choice<number> = { smallest: 600, quick: 6, full: 900 };

/** PLOT: look around → find out what equal work differs by → run the experiments → one summary. */
export async function runExperiments(experiments: readonly RunnableExperiment[], options: RunOptions): Promise<RunSummary> {
  const startedAt = new Date().toISOString();
  const noiseFloor = measureNoiseFloor();
  const results: ExperimentResult[] = [];
  for (const experiment of experiments) results.push(soundResult(await runExperiment(experiment, options)));
  return {
    schemaVersion: SCHEMA_VERSION,
    startedAt,
    endedAt: new Date().toISOString(),
    thoroughness: options.thoroughness,
    seed: options.seed,
    complete: !options.signal.aborted,
    environment: { ...environment() },
    noiseFloor,
    experiments: results,
  };
}

async function runExperiment(experiment: RunnableExperiment, options: RunOptions): Promise<ExperimentResult> {
  const { name, question } = experiment;
  const capSeconds = options.capSeconds ?? figureFor(options.thoroughness, CAP_SECONDS);
  const lab = new Lab({ ...options, capMs: 1000 * capSeconds });
  const nothing = { charts: [], tables: [], claims: [], gates: [], cells: [], notes: [], traces: [] };
  if (options.signal.aborted)
    return {
      name,
      question,
      ...nothing,
      finding: 'Not run',
      status: 'skipped',
      why: 'the run was stopped',
      seconds: 0,
      noise: noiseOf([1]),
    };
  options.say(`${name}: ${question}`);
  const before = probeNoise();
  const started = performance.now();
  const seconds = (): number => (performance.now() - started) / 1000;
  try {
    const { finding, charts = [], tables = [], claims = [], gates = [], cells = [], notes = [], traces = [] } = await experiment.run(lab);
    const cut = lab.leftOut > 0 || options.signal.aborted;
    return {
      name,
      question,
      finding,
      status: cut ? 'partial' : 'complete',
      ...(cut && {
        why: options.signal.aborted
          ? 'the run was stopped'
          : `${countedText(lab.leftOut, 'step')} left out after ${timeText(1000 * capSeconds)}`,
      }),
      seconds: seconds(),
      noise: noiseOf([...before, ...probeNoise()]),
      charts: [...charts],
      tables: [...tables],
      claims: [...claims],
      gates: [...gates],
      cells: [...cells],
      notes: [...notes],
      traces: [...traces],
    };
  } catch (error) {
    // One experiment that breaks must not take the others' results with it.
    const why = causeText(error);
    options.say(`${name} failed: ${why}`);
    if (error instanceof Error && error.stack !== undefined) options.say(error.stack);
    return {
      name,
      question,
      ...nothing,
      finding: 'It ended with an error',
      status: 'failed',
      why,
      seconds: seconds(),
      noise: noiseOf([...before, ...probeNoise()]),
    };
  }
}

/** Time for pairs of equal work, ms. */
const FLOOR_MS = 200;
/** No machine is steadier than that. */
const LOWEST_FLOOR = 1.02;

/** Measures by what ratio a piece of work differs from itself, in pairs as systems that are compared. */
function measureNoiseFloor(): number {
  const work = (): void => {
    let sum = 0;
    for (let i = 0; i < 400_000; i++) sum = (sum * 31 + i) | 0;
    if (sum === 0.5) throw new Error('integers');
  };
  const pairs = [...samplePairs(work, () => work(), { now: () => performance.now(), ms: FLOOR_MS })];
  const told = comparePairs(pairs.flat());
  return told.kind === 'tooFew' ? LOWEST_FLOOR : Math.max(LOWEST_FLOOR, told.hi, 1 / told.lo);
}
