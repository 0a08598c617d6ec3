import { RULE_FAMILIES, workTime } from '#benchmark';
import type { RuleFamily, ServerModel } from '#benchmark';
import type { Chart } from '#report/charts';
import type { TimedEvaluation } from './rule-evaluations.ts';

/** Returns the chart of the validation: predicted times of the rules over the times that Go measured. */
export function predictionChart(timed: readonly TimedEvaluation[], { nanoseconds, families }: ServerModel): Chart {
  const points = (isShown: (family: RuleFamily) => boolean): [number, number][] =>
    timed.flatMap(({ evaluation, reading }) => {
      const ns = workTime(evaluation.work, nanoseconds);
      return typeof ns === 'string' || !isShown(evaluation.work.family) ? [] : [[reading.ns / 1e6, ns / 1e6]];
    });
  const isPredicted = (family: RuleFamily): boolean => families.includes(family);
  const others = RULE_FAMILIES.filter((family) => !isPredicted(family));
  return {
    kind: 'cloud',
    id: 'server-time',
    title: 'The time of a server follows from what Assay counts',
    subtitle: 'Rules of real definitions that took no part in the calibration',
    reading: 'Each point is one evaluation. On the middle line, prediction and measurement are equal.',
    notShown: `Evaluations with a step whose time is not known. Not published: ${others.join(', ')}.`,
    x: { label: 'measured in Go, CPU time', unit: 'ms' },
    y: { label: 'predicted', unit: 'ms' },
    groups: [
      { name: 'predicted families', role: 'assay', points: points(isPredicted) },
      { name: 'families that are not predicted', role: 'peer', points: points((family) => !isPredicted(family)) },
    ],
    outliers: [],
    diagonals: [
      { factor: 2, label: 'twice' },
      { factor: 1, label: 'equal' },
      { factor: 0.5, label: 'half' },
    ],
  };
}
