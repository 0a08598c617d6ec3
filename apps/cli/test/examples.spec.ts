import { join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { checkOptions } from '#documents';
import { EngineHost } from '#runner';
import { loadSuites } from '../src/suite/load-suite.ts';
import { suiteReport } from '../src/suite/report-suites.ts';
import { runSuite } from '../src/suite/run-suite.ts';
import type { CaseResult } from '../src/suite/suite.ts';

const host = new EngineHost({ threads: 1 });
await host.start();
const suites = await loadSuites([join(import.meta.dirname, '../../../examples')], host);
afterAll(() => host.stop());

async function results(suite: (typeof suites)[number]): Promise<CaseResult[]> {
  const options = checkOptions({});
  if (!options.ok) throw new Error(options.status.message);
  const cases: CaseResult[] = [];
  for await (const result of runSuite(suite, options.value, host)) cases.push(result);
  return cases;
}

it.each(suites.map((suite) => [suite.file.replace(/.*examples./, ''), suite] as const))(
  'the example suite passes: %s',
  async (_, suite) => {
    const cases = await results(suite);
    expect(cases.filter(({ passed }) => !passed)).toEqual([]);
    expect(cases.length).toBeGreaterThan(0);
  },
);

it('a failing example suite is reported in every form', async () => {
  const suite = suites.find((one) => one.kind === 'definition');
  if (!suite) throw new Error('no suite');
  const broken = structuredClone(suite.suite);
  broken.tests = { onCreate: [{ name: 'must fail', initial: 'kind: X', expectedError: 'never said' }] };
  const cases = await results({ ...suite, suite: broken });
  expect(suiteReport('text', cases)).toMatch(/FAIL onCreate: must fail\n.*never said/);
  expect(suiteReport('junit', cases)).toMatch(/failures="1"[^]*<failure message="expected an error/);
  expect(JSON.parse(suiteReport('sarif', cases))).toMatchObject({ runs: [{ results: [{ ruleId: 'suite-case' }] }] });
  expect(suiteReport('github', cases)).toMatch(/^::error file=.*title=onCreate%3A must fail::/);
});
