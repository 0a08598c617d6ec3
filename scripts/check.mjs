// Everything that must hold before a commit: format, lint with type information, types, import rules, generated docs, tests.
//   npm run check          runs no tests where something else fails
//   npm test  (--ci)       runs all of it and ends with the line `N passed, N failed`
import { spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { programArguments } from '../testing/program-arguments.ts';
import { thorough } from '../testing/thorough.ts';

const USAGE = `usage: npm run check
       npm test          the same with --ci: runs the tests although something else fails
`;
const { ci } = programArguments(USAGE, { ci: { type: 'boolean', default: false } }).values;
process.chdir(join(import.meta.dirname, '..'));
// The tools' own `#!/usr/bin/env node` must find the pinned Node, also when this file is not run through npm.
process.env.PATH = `${join(process.cwd(), 'node_modules/.bin')}:${process.env.PATH}`;
const bin = (name) => join('node_modules', '.bin', name);
const scratch = mkdtempSync(join(tmpdir(), 'assay-check-'));
const testReport = join(scratch, 'tests.json');

/**
 * Steps of the check: the name of each step, and its command. The step `rules can fail` tests the linter, the import rules and the cycle
 * rule with deliberate violations.
 */
const steps = [
  ['format', [bin('oxfmt'), '--check']],
  ['types', [bin('tsc'), '-p', 'tsconfig.json']],
  ['types of the page', [bin('tsc'), '-p', 'apps/page/tsconfig.json']],
  ['lint', [bin('oxlint'), '--type-aware', '--quiet']],
  [
    'import rules',
    [
      bin('depcruise'),
      'apps',
      'libs',
      'conformance',
      'loadtests',
      'testing',
      '--config',
      '.dependency-cruiser.mjs',
      '--output-type',
      'err',
    ],
  ],
  ['docstrings', [process.execPath, 'scripts/undocumented-exports.mjs']],
  ['plain English', [process.execPath, 'scripts/plain-english/main.mjs']],
  ['generated docs', [process.execPath, '--conditions=source', 'scripts/docs.mjs', '--check']],
  ['links', [process.execPath, 'scripts/links.mjs']],
  ['mutants', [process.execPath, 'scripts/mutate.mjs', '--check']],
  ['rules can fail', [process.execPath, 'scripts/rules-can-fail.mjs']],
  ['tests', [bin('vitest'), 'run', '--reporter=default', '--reporter=json', `--outputFile.json=${testReport}`]],
];

let passed = 0;
let failed = 0;
// The steps that only read use one core each: two at a time, told in the order listed. One plants violations, which the others would find.
const reading = steps.slice(0, -2);
const [planting, tests] = steps.slice(-2);
const results = [];
const waiting = reading.map((step, index) => ({ step, index }));
async function runNext() {
  for (let next = waiting.shift(); next; next = waiting.shift()) results[next.index] = await run(next.step);
}
await Promise.all([runNext(), runNext()]);
for (const result of [...results, await run(planting)]) tell(result);
if (ci || failed === 0) {
  if (!thorough)
    console.log('tests in their short form: no fleets of processes, shorter texts and walks; ASSAY_THOROUGH=1 runs the long form');
  const result = await run(tests, 'inherit');
  const counts = testCounts();
  passed += counts.passed;
  failed += counts.failed + (result.ok || counts.failed > 0 ? 0 : 1);
  console.log(`${result.ok ? 'ok  ' : 'FAIL'}  ${result.name}  (${result.seconds} s)`);
}
rmSync(scratch, { recursive: true, force: true });
console.log(`${passed} passed, ${failed} failed`);
process.exit(failed === 0 ? 0 : 1);

function tell({ name, ok, text, seconds }) {
  process.stdout.write(text);
  console.log(`${ok ? 'ok  ' : 'FAIL'}  ${name}  (${seconds} s)`);
  if (ok) passed++;
  else failed++;
}

/**
 * Runs a step to its end. Its output is collected, so that the outputs of two steps are not mixed. If `output` is `inherit`, the output is
 * written immediately.
 */
async function run([name, [command, ...args]], output = 'pipe') {
  const started = performance.now();
  // What npm runs before this file has built all: tests start programs from there.
  const env = { ...process.env, FORCE_COLOR: '0', ASSAY_BUILT: '1' };
  const child = spawn(command, args, { stdio: ['ignore', output, output], env });
  let text = '';
  for (const stream of [child.stdout, child.stderr]) stream?.on('data', (block) => (text += block));
  const ok = await new Promise((done) => {
    child.on('error', (error) => ((text += `${error.message}\n`), done(false)));
    child.on('close', (status) => done(status === 0));
  });
  return { name, ok, text, seconds: ((performance.now() - started) / 1000).toFixed(1) };
}

function testCounts() {
  try {
    const { numPassedTests, numFailedTests } = JSON.parse(readFileSync(testReport, 'utf8'));
    return { passed: numPassedTests, failed: numFailedTests };
  } catch {
    return { passed: 0, failed: 1 };
  }
}
