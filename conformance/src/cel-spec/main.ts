import { programArguments } from '../../../testing/program-arguments.ts';
import { runBufbuild } from './run-bufbuild.ts';
import { runSpec } from './run-spec.ts';
import type { SpecOutcome } from './run-spec.ts';
import { specTests } from './spec-test.ts';

const USAGE = `usage: npm run tool -- cel-spec

Runs the CEL specification's conformance tests, ours (as Kubernetes sets CEL up) beside @bufbuild/cel, and tells why ours differ.
`;
programArguments(USAGE, {});
const tests = specTests();
const suites = new Map<string, { tests: number; ours: number; theirs: number }>();
const reasons = new Map<string, number>();
for (const test of tests) {
  const counts = suites.get(test.suite) ?? { tests: 0, ours: 0, theirs: 0 };
  suites.set(test.suite, counts);
  counts.tests++;
  const outcome = guarded(() => runSpec(test));
  if (outcome.passed) counts.ours++;
  else reasons.set(outcome.reason, (reasons.get(outcome.reason) ?? 0) + 1);
  if (runBufbuild(test)) counts.theirs++;
}
const line = (name: string, total: number, ours: number, theirs: number): string =>
  `${name.padEnd(18)} ${String(total).padStart(5)} ${String(ours).padStart(6)} ${String(theirs).padStart(15)}\n`;
process.stdout.write(`${'suite'.padEnd(18)} tests   ours   @bufbuild/cel\n`);
for (const [name, { tests: total, ours, theirs }] of suites) process.stdout.write(line(name, total, ours, theirs));
const sum = [...suites.values()].reduce((a, b) => ({ tests: a.tests + b.tests, ours: a.ours + b.ours, theirs: a.theirs + b.theirs }));
process.stdout.write(line('all', sum.tests, sum.ours, sum.theirs));
process.stdout.write('\nWhy ours fail:\n');
for (const [reason, count] of [...reasons].sort((a, b) => b[1] - a[1]))
  process.stdout.write(`${String(count).padStart(5)}  ${reason.slice(0, 150)}\n`);

function guarded(run: () => SpecOutcome): SpecOutcome {
  try {
    return run();
  } catch (error) {
    return { passed: false, reason: `internal: ${error instanceof Error ? error.message : String(error)}` };
  }
}
