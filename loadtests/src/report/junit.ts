import type { RunSummary } from '../result/summary.ts';
import { escaped } from './html.ts';

/** The gates as JUnit: a suite an experiment, a case a gate. An experiment that broke off is an error. */
export function junitReport({ experiments }: RunSummary): string {
  const suites = experiments.map(({ name, gates, seconds, status, why }) => {
    const failures = gates.filter(({ holds }) => !holds);
    const cases = gates.map(
      ({ name: gate, holds, expected, actual }) =>
        `<testcase classname="${escaped(name)}" name="${escaped(gate)}">${holds ? '' : `<failure message="${escaped(`expected ${expected}, got ${actual}`)}"/>`}</testcase>`,
    );
    const broken =
      status === 'failed' ? [`<testcase classname="${escaped(name)}" name="runs"><error message="${escaped(why ?? '')}"/></testcase>`] : [];
    return `<testsuite name="${escaped(name)}" tests="${cases.length + broken.length}" failures="${failures.length}" errors="${broken.length}" time="${seconds.toFixed(3)}">${[...cases, ...broken].join('')}</testsuite>`;
  });
  return `<?xml version="1.0" encoding="UTF-8"?>\n<testsuites>${suites.join('')}</testsuites>\n`;
}
