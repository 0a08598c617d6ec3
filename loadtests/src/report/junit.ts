import type { Gate, RunSummary } from '../result/summary.ts';
import { sortGates } from '../result/sorted-gates.ts';
import { escaped } from './html.ts';

/** The gates as JUnit: a suite an experiment, a case a gate; gates that were not measured are skipped. An experiment that broke off is an error. */
export function junitReport({ experiments }: RunSummary): string {
  const suites = experiments.map(({ name, gates, seconds, status, why }) => {
    const { failed, notMeasured } = sortGates(gates);
    const cases = gates.map(
      ({ name: gate, verdict, expected, actual }) =>
        `<testcase classname="${escaped(name)}" name="${escaped(gate)}">${inCase(verdict, `expected ${expected}, got ${actual}`)}</testcase>`,
    );
    const broken =
      status === 'failed' ? [`<testcase classname="${escaped(name)}" name="runs"><error message="${escaped(why ?? '')}"/></testcase>`] : [];
    return `<testsuite name="${escaped(name)}" tests="${cases.length + broken.length}" failures="${failed.length}" errors="${broken.length}" skipped="${notMeasured.length}" time="${seconds.toFixed(3)}">${[...cases, ...broken].join('')}</testsuite>`;
  });
  return `<?xml version="1.0" encoding="UTF-8"?>\n<testsuites>${suites.join('')}</testsuites>\n`;
}

/** What stands in a case: nothing, that it was skipped, or how it failed. */
function inCase(verdict: Gate['verdict'], difference: string): string {
  if (verdict === 'holds') return '';
  return verdict === 'not measured' ? '<skipped message="not measured"/>' : `<failure message="${escaped(difference)}"/>`;
}
