import { countedText } from '#numbers';
import type { ExperimentResult, RunSummary, Table } from '../result/summary.ts';
import { outcomeText, sorted } from '../result/verdicts.ts';

/** Returns a sentence that states whether the machine was quiet enough, and lists the experiments during which it was busy. */
export function noiseText(experiments: readonly ExperimentResult[]): string {
  const noisy = experiments.filter(({ noise }) => noise.verdict === 'noisy');
  if (noisy.length === 0) return 'The machine was quiet enough.';
  const names = noisy.map(({ name, noise }) => `${name} (${(noise.share * 100).toFixed(0)} % of the probes disturbed)`).join(', ');
  return `The machine was busy during ${noisy.length} of ${countedText(experiments.length, 'experiment')}: ${names}. Do not rely on the times of these experiments. (A probe is a fixed amount of work that is timed before and after each experiment.)`;
}

/**
 * Returns the result of a run in a few lines for a terminal. After the outcome come the gates and claims that fail or hold only in part, and
 * the experiments that did not end.
 */
export function runText({ experiments }: RunSummary): string {
  const lines = experiments.flatMap((experiment) => {
    const gates = sorted(experiment.gates).failed.map(
      ({ name, expected, actual, verdict }) => `  ${experiment.name}: gate ${verdict}: ${name}, expected ${expected}, got ${actual}`,
    );
    const claims = sorted(experiment.claims).failed.map(
      ({ claim, found, verdict }) => `  ${experiment.name}: claim ${verdict}: ${claim} (${found})`,
    );
    return experiment.status === 'complete' ? [...gates, ...claims] : [`  ${experiment.name}${stateText(experiment)}`, ...gates, ...claims];
  });
  return [outcomeText(experiments), noiseText(experiments), ...lines].join('\n');
}

/** Returns the conditions of a run (machine, seed and start time), by name. */
export const conditionsOf = ({ environment, seed, startedAt }: RunSummary): [name: string, value: string][] =>
  Object.entries({ ...environment, seed: String(seed), started: startedAt });

/** Returns an experiment's state for display; empty if the experiment is complete. */
export const stateText = ({ status, why }: ExperimentResult): string =>
  status === 'complete' ? '' : ` (${status}${why === undefined ? '' : `: ${why}`})`;

/**
 * Returns the tables of an experiment that are shown below a chart. If `chart` is undefined, returns the tables that are shown below all
 * charts.
 */
export function tablesBelow({ charts, tables }: Pick<ExperimentResult, 'charts' | 'tables'>, chart: string | undefined): Table[] {
  const placeOf = ({ below }: Table): string | undefined => (charts.some(({ id }) => id === below) ? below : undefined);
  return tables.filter((table) => placeOf(table) === chart);
}
