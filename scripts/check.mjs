// Everything that must hold before a commit: format, lint with type information, types, import rules, generated docs, tests.
//   npm run check          stops at the first failure
//   npm test  (--ci)       runs all of it and ends with the line `N passed, N failed`
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

process.chdir(join(import.meta.dirname, '..'));
// The tools' own `#!/usr/bin/env node` must find the pinned Node, also when this file is not run through npm.
process.env.PATH = `${join(process.cwd(), 'node_modules/.bin')}:${process.env.PATH}`;
const ci = process.argv.includes('--ci');
const bin = (name) => join('node_modules', '.bin', name);
const scratch = mkdtempSync(join(tmpdir(), 'assay-check-'));
const testReport = join(scratch, 'tests.json');

/** Each step: what it proves, and the command that proves it. The linter, the import rules and the cycle rule are tried on a deliberate violation first. */
const steps = [
  ['format', [bin('prettier'), '--check', '--log-level', 'warn', '.']],
  ['types', [bin('tsc'), '-p', 'tsconfig.json']],
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
  ['rules can fail', [process.execPath, 'scripts/rules-can-fail.mjs']],
  ['generated docs', [process.execPath, '--conditions=source', 'scripts/docs.mjs', '--check']],
  ['tests', [bin('vitest'), 'run', '--reporter=default', '--reporter=json', `--outputFile.json=${testReport}`]],
];

let passed = 0;
let failed = 0;
for (const [name, [command, ...args]] of steps) {
  const started = performance.now();
  const { status } = spawnSync(command, args, { stdio: 'inherit', env: { ...process.env, FORCE_COLOR: '0' } });
  const ok = status === 0;
  console.log(`${ok ? 'ok  ' : 'FAIL'}  ${name}  (${((performance.now() - started) / 1000).toFixed(1)} s)`);
  if (name === 'tests') {
    const counts = testCounts();
    passed += counts.passed;
    failed += counts.failed + (ok || counts.failed > 0 ? 0 : 1);
  } else if (ok) passed++;
  else failed++;
  if (!ok && !ci) break;
}
rmSync(scratch, { recursive: true, force: true });
console.log(`${passed} passed, ${failed} failed`);
process.exit(failed === 0 ? 0 : 1);

function testCounts() {
  try {
    const { numPassedTests, numFailedTests } = JSON.parse(readFileSync(testReport, 'utf8'));
    return { passed: numPassedTests, failed: numFailedTests };
  } catch {
    return { passed: 0, failed: 1 };
  }
}
