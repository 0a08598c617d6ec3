// Everything that must hold before a commit: format, types and lint, import rules, generated docs, tests.
//   npm run check          runs no tests where something else fails
//   npm test  (--ci)       runs the tests beside the rest, and ends with the line `N passed, N failed`
import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { programArguments } from '../testing/program-arguments.ts';
import { thorough } from '../testing/thorough.ts';

const USAGE = `usage: npm run check
       npm test          the same with --ci: runs the tests although something else fails
`;
const { ci } = programArguments(USAGE, { ci: { type: 'boolean', default: false } }).values;
process.chdir(join(import.meta.dirname, '..'));
// The tools' `#!/usr/bin/env node` must find the pinned Node, even if this file is not run through npm.
process.env.PATH = `${join(process.cwd(), 'node_modules/.bin')}:${process.env.PATH}`;
const bin = (name) => join('node_modules', '.bin', name);

/**
 * Steps of the check beside the tests: the name of each step, and its command. The step `rules can fail` tests the linter, the import rules
 * and the cycle rule with deliberate violations in a copy of the project. Only thorough test runs contain this step and the step `types`.
 */
const steps = [
  ['format', [bin('oxfmt'), '--check']],
  // The linter's type-aware rules need the compiler's types. With `--type-check`, the linter also reports the compiler's errors.
  ['types and lint', [process.execPath, 'scripts/typed-lint/main.mjs']],
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
  ...(thorough
    ? [
        // The compiler also reports errors in generated files, which the linter excludes.
        ['types', [process.execPath, 'scripts/types.mjs']],
        ['rules can fail', [process.execPath, 'scripts/rules-can-fail.mjs']],
      ]
    : []),
];

let passed = 0;
let failed = 0;
if (ci) await Promise.all([checkAll(), test()]);
else {
  await checkAll();
  if (failed === 0) await test();
}
console.log(`${passed} passed, ${failed} failed`);
process.exit(failed === 0 ? 0 : 1);

/** Runs all steps, one after another. Prints the output of steps that fail, and one line for all together. */
async function checkAll() {
  const started = performance.now();
  const results = [];
  for (const [name, command] of steps) results.push({ name, ...(await run(command)) });
  for (const { name, ok, text } of results) if (!ok) console.log(`${text}\nFAIL  ${name}`);
  const faults = results.filter(({ ok }) => !ok).length;
  passed += results.length - faults;
  failed += faults;
  tell({ ok: faults === 0, name: `${results.length} checks: ${steps.map(([name]) => name).join(', ')}`, ms: performance.now() - started });
}

/** Runs the tests. Prints a line for each section when it is over, and Vitest's report of the tests that failed. */
async function test() {
  if (!thorough)
    console.log('tests in their short form: no fleets of processes, shorter texts and walks; ASSAY_THOROUGH=1 runs the long form');
  const before = failed;
  const hear = (line) => {
    const section = JSON.parse(line);
    passed += section.passed;
    failed += section.failed;
    const skipped = section.skipped + section.pending > 0 ? `, ${section.skipped + section.pending} skipped` : '';
    tell({ ok: section.failed === 0, name: `${section.name}: ${section.passed} tests${skipped}`, ms: section.ms });
  };
  const { ok, text } = await run([bin('vitest'), 'run', '--reporter=dot', '--reporter=./scripts/test-sections.mjs'], hear);
  if (ok) return;
  if (failed === before) failed++;
  console.log(text.slice(Math.max(0, text.search(/⎯+ (?:Failed|Unhandled)/))));
}

function tell({ ok, name, ms }) {
  console.log(`${ok ? 'ok  ' : 'FAIL'}  ${name} (${(ms / 1000).toFixed(0)} s)`);
}

/** Runs a command to its end. Collects its output. Calls `hear` with each line that the command writes to file descriptor 3. */
async function run([command, ...args], hear = () => undefined) {
  // npm has run the build before this file, so tests start programs from there.
  const env = { ...process.env, FORCE_COLOR: '0', NO_COLOR: '1', ASSAY_BUILT: '1' };
  const child = spawn(command, args, { stdio: ['ignore', 'pipe', 'pipe', 'pipe'], env });
  let text = '';
  for (const stream of [child.stdout, child.stderr]) stream.setEncoding('utf8').on('data', (block) => (text += block));
  createInterface({ input: child.stdio[3] }).on('line', hear);
  const ok = await new Promise((done) => {
    child.on('error', (error) => ((text += `${error.message}\n`), done(false)));
    child.on('close', (status) => done(status === 0));
  });
  return { ok, text };
}
