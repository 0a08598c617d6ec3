import { junitXml } from '#report';
import type { RunSummary } from '../result/summary.ts';

/**
 * Converts the gates into JUnit XML, with a suite for each experiment and a case for each gate. Gates that were not measured are skipped,
 * and an experiment that was aborted is an error.
 */
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
