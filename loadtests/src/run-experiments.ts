import { countedText, timeText } from '#numbers';
import { causeText } from './cause-text.ts';
import { conclude } from './experiments/experiment.ts';
import type { Experiment, Findings } from './experiments/experiment.ts';
import { figureFor, Lab } from './lab.ts';
import type { ByThoroughness, Thoroughness } from './lab.ts';
import { environment } from './measure/environment.ts';
import { noiseOf, probeNoise } from './measure/noise-probe.ts';
import { experimentSchema, SCHEMA_VERSION } from './result/summary.ts';
import type { ExperimentResult, RunSummary } from './result/summary.ts';

/** The options of a run. */
export interface RunOptions {
  readonly thoroughness: Thoroughness;
  readonly seed: number;
  /** Longest time of one experiment in s. The default depends on the thoroughness. */
  readonly capSeconds?: number | undefined;
  /**
   * Signal that Ctrl-C aborts. The running experiment then ends with the data that it has measured so far, and the remaining experiments
   * are skipped.
   */
  readonly signal: AbortSignal;
  readonly say: (progress: string) => void;
}

/** Longest time of one experiment, in s. */
const CAP_SECONDS: ByThoroughness<number> = { smallest: 600, quick: 6, full: 900 };

/** Runs experiments: read the environment → run each experiment → combine the results into one summary. */
export async function runExperiments(experiments: readonly Experiment<unknown>[], options: RunOptions): Promise<RunSummary> {
  const startedAt = new Date().toISOString();
  const results: ExperimentResult[] = [];
  for (const experiment of experiments) results.push(await runExperiment(experiment, options));
  return {
    schemaVersion: SCHEMA_VERSION,
    startedAt,
    endedAt: new Date().toISOString(),
    thoroughness: options.thoroughness,
    seed: options.seed,
    complete: !options.signal.aborted,
    environment: { ...environment() },
    experiments: results,
  };
}

async function runExperiment(experiment: Experiment<unknown>, options: RunOptions): Promise<ExperimentResult> {
  const { name, question } = experiment;
  const capSeconds = options.capSeconds ?? figureFor(options.thoroughness, CAP_SECONDS);
  const lab = new Lab({ ...options, capMs: 1000 * capSeconds });
  const before = probeNoise();
  const started = performance.now();
  const nothing = { name, question, charts: [], tables: [], claims: [], gates: [], cells: [], notes: [] };
  const resultOf = (found: Findings, status: ExperimentResult['status'], why?: string): ExperimentResult =>
    experimentSchema.parse({
      ...nothing,
      ...found,
      status,
      why,
      seconds: (performance.now() - started) / 1000,
      noise: noiseOf([...before, ...(status === 'skipped' ? [] : probeNoise())]),
    });
  if (options.signal.aborted) return resultOf({ finding: 'Not run' }, 'skipped', 'the run was stopped');
  options.say(`${name}: ${question}`);
  try {
    const found = conclude(experiment, await experiment.measure(lab));
    const leftOut = `the time limit of ${timeText(1000 * capSeconds)} ended the experiment before ${countedText(lab.leftOut, 'step')}`;
    const why = options.signal.aborted ? 'the run was stopped' : lab.leftOut > 0 ? leftOut : undefined;
    return resultOf(found, why === undefined ? 'complete' : 'partial', why);
  } catch (error) {
    // An experiment that fails or returns invalid results must not affect the results of the others.
    const why = causeText(error);
    options.say(`${name} failed: ${why}`);
    if (error instanceof Error && error.stack !== undefined) options.say(error.stack);
    return resultOf({ finding: 'It ended with an error' }, 'failed', why);
  }
}
