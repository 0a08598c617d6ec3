import { predictPolicyTime } from '#benchmark';
import type { PolicyModel } from '#benchmark';
import type { Chart } from '#report/charts';
import type { TimedCase } from './timed-case.ts';

/** Families that the chart shows, with their names in the chart. */
const SHOWN: ReadonlyMap<string, string> = new Map([
  ['bindings', 'one validation over ten images'],
  ['bindings with own parameters', 'a parameter for each binding'],
  ['bindings of apply configurations', 'an apply configuration'],
  ['bindings of JSON patches', 'a JSON patch'],
]);

/** Returns the chart of the time of a request over the number of bindings: predicted beside measured. */
export function policyChart(timed: readonly TimedCase[], model: PolicyModel): Chart {
  const series = [...SHOWN].flatMap(([family, name]) => {
    const own = timed.filter(({ testCase }) => testCase.family === family);
    return [
      {
        name: `${name}, measured`,
        role: 'peer' as const,
        points: own.map(({ testCase, ns }) => ({ x: testCase.size, y: ns / 1e6 })),
      },
      {
        name: `${name}, predicted`,
        role: 'assay' as const,
        points: own.map(({ testCase, work }) => ({ x: testCase.size, y: predictPolicyTime(work, model) })),
      },
    ];
  });
  return {
    kind: 'scaling',
    id: 'policy-bindings',
    title: 'Each binding of a policy adds its time to every request',
    subtitle: 'CPU time of the policy plugin for one write of a Deployment with ten containers',
    reading: 'Both axes are logarithmic. The lines rise by a factor of four from each size to the next: the time grows with n.',
    notShown: 'the compilation of the policies, and the rest of the request.',
    x: { label: 'bindings of the policy', unit: 'count' },
    y: { label: 'time of a request', unit: 'ms' },
    series,
    horizontals: [
      { y: 100, label: '100 ms' },
      { y: 1000, label: '1 s' },
    ],
  };
}
