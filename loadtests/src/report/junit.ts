import { junitXml } from '#report-forms';
import type { RunSummary } from '../result/summary.ts';

/** Returns the gates as JUnit: a suite an experiment, a case a gate; gates that were not measured are skipped. An experiment that broke off is an error. */
export function junitReport({ experiments }: RunSummary): string {
  return junitXml(
    experiments.map(({ name, gates, seconds, status, why }) => ({
      name,
      time: seconds * 1000,
      cases: [
        ...gates.map(({ name: gate, verdict, expected, actual }) => ({
          classname: name,
          name: gate,
          failure: verdict === 'fails' ? `expected ${expected}, got ${actual}` : undefined,
          skipped: verdict === 'not measured' ? verdict : undefined,
        })),
        ...(status === 'failed' ? [{ classname: name, name: 'runs', error: why ?? 'it broke off' }] : []),
      ],
    })),
  );
}
