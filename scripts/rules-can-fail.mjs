// Proves that each rule can fail: plants violations in a scratch copy and expects a report of each.
import { spawnSync } from 'node:child_process';
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { ProjectCopy } from '../testing/project-copy.ts';
import { programArguments } from '../testing/program-arguments.ts';

programArguments('usage: node scripts/rules-can-fail.mjs\n', {});
// The copy is necessary, because other checks and the tests read the project at the same time.
const copy = new ProjectCopy();
process.chdir(copy.folder);
// Some checks read the list of files from git.
spawnSync('git', ['init', '-q']);
// The tools' `#!/usr/bin/env node` must find the pinned Node, even if this file is not run through npm.
process.env.PATH = `${join(process.cwd(), 'node_modules/.bin')}:${process.env.PATH}`;
const inKube = 'libs/kube/src/planted-violation';
const inViews = 'apps/page/src/views/planted-violation';
const inCommandLine = 'apps/cli/src/planted-violation';
const inCommand = 'apps/cli/src/commands/planted-violation';
const inValues = 'libs/cel/src/values/planted-violation';
const missingPage = ['docs', 'no', 'page.md'].join('/');
/**
 * Deliberate violations: the description, the rule that must report it, the files, the command, and the folder if it is not the default.
 * @type {[string, string, Record<string, string>, string[], string?][]}
 */
const violations = [
  [
    'a cycle',
    'no-cycles',
    {
      'a.ts': "import { b } from './b.ts';\nexport const a = () => b();\n",
      'b.ts': "import { a } from './a.ts';\nexport const b = (): unknown => a();\n",
    },
    ['node_modules/.bin/depcruise', inKube, '--config', '.dependency-cruiser.mjs'],
  ],
  [
    'kube importing the engine',
    'kube-imports',
    { 'a.ts': "import * as crd from '#crd';\nexport const a = crd;\n" },
    ['node_modules/.bin/depcruise', inKube, '--config', '.dependency-cruiser.mjs'],
  ],
  [
    'values of cel importing the library above them',
    'cel-values',
    { 'a.ts': "export { FUNCTIONS } from '../../library/all.ts';\n" },
    ['node_modules/.bin/depcruise', inValues, '--config', '.dependency-cruiser.mjs'],
    inValues,
  ],
  [
    'a second way to open files',
    'files-through-one-door',
    { 'a.ts': "import { readFileSync } from 'node:fs';\nexport const a = readFileSync;\n" },
    ['node_modules/.bin/depcruise', inCommandLine, '--config', '.dependency-cruiser.mjs'],
    inCommandLine,
  ],
  [
    'a second way to open files later',
    'files-through-one-door',
    { 'a.ts': "export const a = async (): Promise<unknown> => await import('fs/promises');\n" },
    ['node_modules/.bin/depcruise', inCommandLine, '--config', '.dependency-cruiser.mjs'],
    inCommandLine,
  ],
  [
    'a second way to run git',
    'files-through-one-door',
    { 'a.ts': "import { execFileSync } from 'node:child_process';\nexport const a = execFileSync;\n" },
    ['node_modules/.bin/depcruise', inCommandLine, '--config', '.dependency-cruiser.mjs'],
    inCommandLine,
  ],
  [
    'a circle of types in the command line',
    'programs-without-type-cycles',
    {
      'a.ts': "import type { B } from './b.ts';\nexport type A = B | 1;\n",
      'b.ts': "import type { A } from './a.ts';\nexport type B = readonly A[];\n",
    },
    ['node_modules/.bin/depcruise', inCommandLine, '--config', '.dependency-cruiser.mjs'],
    inCommandLine,
  ],
  [
    'a command that imports another one',
    'commands-apart',
    { 'a.ts': "import { runInit } from '../init/run.ts';\nexport const a = runInit;\n" },
    ['node_modules/.bin/depcruise', inCommand, '--config', '.dependency-cruiser.mjs'],
    inCommand,
  ],
  [
    'a declaration that loads the code of its command',
    'commands-loaded-late',
    { 'command.ts': "import { run } from './run.ts';\nexport const a = { run };\n", 'run.ts': 'export const run = 1;\n' },
    ['node_modules/.bin/depcruise', inCommand, '--config', '.dependency-cruiser.mjs'],
    inCommand,
  ],
  [
    'a second place that starts processes on a port',
    'processes-on-a-port',
    { 'a.ts': "import cluster from 'node:cluster';\nexport const a = cluster;\n" },
    ['node_modules/.bin/depcruise', inKube, '--config', '.dependency-cruiser.mjs'],
  ],
  [
    'kube importing what tests share',
    'testing-for-tests',
    { 'a.ts': "export { freePort } from '../../../../testing/free-port.ts';\n" },
    ['node_modules/.bin/depcruise', inKube, '--config', '.dependency-cruiser.mjs'],
  ],
  [
    'kube importing the load lab',
    'load-lab-for-load',
    { 'a.ts': "export { latencySummary } from '../../../../loadtests/src/measure/latencies.ts';\n" },
    ['node_modules/.bin/depcruise', inKube, '--config', '.dependency-cruiser.mjs'],
  ],
  [
    "the page's own thread judging",
    'page-judges-in-workers',
    { 'a.ts': "export { judgeDefinition } from '#crd';\n" },
    ['node_modules/.bin/depcruise', inViews, '--config', '.dependency-cruiser.mjs'],
    inViews,
  ],
  [
    'a comment that has to be read twice',
    'a comment begins with a clause',
    { 'a.ts': '/** What is kept is bounded by nothing at all. */\nexport const a = 1;\n' },
    ['node_modules/.bin/node', 'scripts/plain-english/main.mjs', `${inKube}/a.ts`],
  ],
  [
    'a message that has to be read twice',
    'a clause is the subject',
    { 'a.ts': "declare const text: { describe(words: string): void };\ntext.describe('Whether what is stored is read again');\n" },
    ['node_modules/.bin/node', 'scripts/plain-english/main.mjs', `${inKube}/a.ts`],
  ],
  ['a dead link', 'leads nowhere', { 'a.md': '# A\n\nSee [b](b.md).\n' }, ['node_modules/.bin/node', 'scripts/links.mjs']],
  ['a link to a missing heading', 'no such heading', { 'a.md': '# A\n\nSee [b](#b).\n' }, ['node_modules/.bin/node', 'scripts/links.mjs']],
  [
    'a source that names a missing document',
    `${missingPage} is not there`,
    { 'a.ts': `// See ${missingPage}.\n` },
    ['node_modules/.bin/node', 'scripts/links.mjs'],
  ],
  [
    'an engine library importing what only Node has',
    'engine-runs-anywhere',
    { 'a.ts': "export { createHash } from 'node:crypto';\n" },
    ['node_modules/.bin/depcruise', inKube, '--config', '.dependency-cruiser.mjs'],
  ],
  [
    'a global of Node in an engine library',
    'no-restricted-globals',
    { 'a.ts': 'export const a = (text: string): number => Buffer.byteLength(text);\n' },
    ['node_modules/.bin/oxlint', inKube],
  ],
  [
    'shared memory in an engine library',
    'no-restricted-globals',
    { 'a.ts': 'export const a = (): unknown => new SharedArrayBuffer(4);\n' },
    ['node_modules/.bin/oxlint', inKube],
  ],
  ['an any', 'no-explicit-any', { 'a.ts': 'export const a = (x: any): unknown => x;\n' }, ['node_modules/.bin/oxlint', inKube]],
  [
    'a wrong type',
    'TS2322',
    { 'a.ts': "export const a: number = 'one';\n" },
    ['node_modules/.bin/oxlint', '--type-aware', '--type-check', inKube],
  ],
  [
    'an error that is expected and does not occur',
    'TS2578',
    { 'a.ts': '// @ts-expect-error nothing is wrong\nexport const a: number = 1;\n' },
    ['node_modules/.bin/oxlint', '--type-aware', '--type-check', inKube],
  ],
  [
    "a wrong type among the page's elements",
    'TS2322',
    { 'a.tsx': 'export const A = () => <p onClick={1} />;\n' },
    ['node_modules/.bin/oxlint', '--type-aware', '--type-check', inViews],
    inViews,
  ],
  [
    'a floating promise',
    'no-floating-promises',
    { 'a.ts': 'export function a(): void {\n  Promise.resolve(1);\n}\n' },
    ['node_modules/.bin/oxlint', '--type-aware', inKube],
  ],
  [
    'a private member without #',
    'private-members',
    { 'a.ts': 'export class A {\n  constructor(private readonly b: string) {}\n}\n' },
    ['node_modules/.bin/node', 'scripts/typed-lint/main.mjs', inKube],
  ],
  [
    'an error of the linter, counted with the unsafe type assertions',
    'no-explicit-any',
    { 'a.ts': 'export const a = (x: any): unknown => x;\n' },
    ['node_modules/.bin/node', 'scripts/typed-lint/main.mjs', inKube],
  ],
];

let missed = 0;
for (const [what, rule, files, [command, ...args], folder = inKube] of violations) {
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  try {
    for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text);
    const { status, stdout, stderr } = spawnSync(command, args, { encoding: 'utf8' });
    if (status === 0 || !`${stdout}${stderr}`.includes(rule)) {
      console.error(`not caught: ${what} (expected ${rule})\n${stdout}${stderr}`);
      missed++;
    }
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
copy.remove();
process.exit(missed === 0 ? 0 : 1);
