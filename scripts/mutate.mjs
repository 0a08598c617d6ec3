// Tests the tests: changes the code on purpose, and lists the changes that no spec notices.
import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { programArguments, wrongArguments } from '../testing/program-arguments.ts';
import { installApart } from './install-apart.mjs';
import { runKeptMutants } from './kept-mutants.mjs';
import { MUTANTS } from './mutants.mjs';

const USAGE = `usage: npm run tool -- mutate [--base REVISION]             lets Stryker change the lines that differ from a revision (main)
       npm run tool -- mutate FILE …                        lets Stryker change whole files
       … [--specs PATTERN …]                                runs other specs than those of the nearest folder that has some
       npm run tool -- mutate --kept [--only WORD]          makes the mutants of scripts/mutants.mjs, or those with WORD
       npm run tool -- mutate --check                       only sees whether each of these still finds what it breaks
`;
/** Packages of Stryker, which the first call installs. */
const STRYKER = ['@stryker-mutator/core@10.1.1', '@stryker-mutator/vitest-runner@10.1.1'];
process.chdir(join(import.meta.dirname, '..'));
const { values, positionals } = programArguments(
  USAGE,
  {
    base: { type: 'string', default: 'main' },
    specs: { type: 'string', multiple: true },
    kept: { type: 'boolean', default: false },
    only: { type: 'string', default: '' },
    check: { type: 'boolean', default: false },
  },
  'operands',
);

if (values.check) checkKept();
else if (values.kept) {
  checkKept();
  const chosen = MUTANTS.filter(({ file, breaks }) => file.includes(values.only) || breaks.includes(values.only));
  process.exitCode = (await runKeptMutants(chosen)) ? 0 : 1;
} else startStryker(positionals.length === 0 ? changedLines() : positionals);

/** Ends the program with exit status 2 if a kept mutant does not find its anchor exactly once. */
function checkKept() {
  const broken = MUTANTS.flatMap(({ file, find }) => {
    const found = existsSync(file) ? readFileSync(file, 'utf8').split(find).length - 1 : 0;
    return found === 1 ? [] : [`${JSON.stringify(find)} stands ${found} times in ${file}`];
  });
  if (broken.length === 0) return;
  console.error(broken.join('\n'));
  process.exit(2);
}

/** Returns what git prints. Ends the program with exit status 2 if git fails. */
function git(...args) {
  const { status, stdout, stderr } = spawnSync('git', args, { encoding: 'utf8', maxBuffer: 64 * 1024 * 1024 });
  return status === 0 ? stdout : wrongArguments(stderr.trim(), USAGE);
}

/** Returns the lines of libraries and programs that differ from the base, in the form `FILE:FIRST-LAST`. */
function changedLines() {
  const base = git('merge-base', values.base, 'HEAD').trim();
  const lines = [];
  let file = '';
  for (const line of git('diff', '--unified=0', '--no-prefix', '--no-ext-diff', base, '--', 'libs', 'apps').split('\n')) {
    if (line.startsWith('+++ ')) file = line.slice(4);
    const [, first, count = '1'] = /^@@ -\S+ \+(\d+)(?:,(\d+))? @@/.exec(line) ?? [];
    if (first === undefined || count === '0' || !/\.tsx?$/.test(file) || /\.spec\.tsx?$|\/(?:test|testing|generated)\//.test(file))
      continue;
    lines.push(`${file}:${first}-${Number(first) + Number(count) - 1}`);
  }
  return lines;
}

/** Returns the nearest folder of a file that contains specs, and in whose folders there may be more. */
function folderOfSpecs(file) {
  let folder = dirname(file);
  while (folder.includes('/') && git('ls-files', `${folder}/*.spec.ts`) === '') folder = dirname(folder);
  return folder;
}

/** Runs Stryker on files or on lines of files. Its report lists the mutants that no spec noticed. */
function startStryker(mutated) {
  if (mutated.length === 0) {
    console.log('nothing to change: no line of libs and apps differs');
    return;
  }
  const files = mutated.map((place) => place.replace(/:\d+-\d+$/, ''));
  const missing = files.find((file) => !existsSync(file));
  if (missing !== undefined) wrongArguments(`there is no file ${missing}`, USAGE);
  const specs = values.specs ?? [...new Set(files.map((file) => `${folderOfSpecs(file)}/**/*.spec.ts`))];
  console.log(`changes ${[...new Set(files)].join(', ')}\nruns ${specs.join(', ')}`);
  const folder = installApart('stryker', STRYKER);
  if (folder === undefined) process.exit(3);
  const packages = join(folder, 'node_modules/@stryker-mutator');
  const { status } = spawnSync(process.execPath, [join(packages, 'core/bin/stryker.js'), 'run', 'scripts/stryker.config.mjs'], {
    stdio: ['ignore', 'inherit', 'inherit'],
    env: { ...process.env, STRYKER_PACKAGES: packages, STRYKER_FILES: JSON.stringify(mutated), STRYKER_SPECS: JSON.stringify(specs) },
  });
  process.exitCode = status ?? 1;
}
