// Checks types, and all rules of the linter. Forbids the keyword `private`. Counts unsafe type assertions, whose number may only fall.
//   npm run tool -- typed-lint             checks the project; fails if there are more assertions than limits.json allows
//   npm run tool -- typed-lint --lower     also writes a lower count to limits.json
//   npm run tool -- typed-lint PATH…       checks folders or files, and prints each of their unsafe type assertions
import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { programArguments, wrongArguments } from '../../testing/program-arguments.ts';
import { projectFiles } from '../../testing/project-files.ts';

process.chdir(join(import.meta.dirname, '../..'));
const LIMITS = join(import.meta.dirname, 'limits.json');
/** Rule whose findings are counted. `.oxlintrc.json` makes it a warning, so that one run of the linter reports both errors and these. */
const COUNTED = 'typescript(no-unsafe-type-assertion)';
/** Pattern of a private member, except for a constructor, which cannot have the prefix `#`. */
const PRIVATE = /(?:^ *|[(,)] *)private (?!constructor\b)(?:(?:static|readonly|override|async|get|set) )*\*?(\w+)\??[:;=(<]/;
const BUFFER_BYTES = 256 * 1024 * 1024;

const USAGE = 'usage: npm run tool -- typed-lint [--lower | PATH…]\n';
const { values, positionals: paths } = programArguments(USAGE, { lower: { type: 'boolean', default: false } }, 'operands');
for (const path of paths) if (!existsSync(path)) wrongArguments(`${path} is not there`, USAGE);

const findings = findingsOfLinter();
const counted = findings.filter(({ rule }) => rule === COUNTED);
const errors = [...findings.filter(({ isError }) => isError), ...privateMembers()];
for (const { place, rule, text } of paths.length > 0 ? [...errors, ...counted] : errors) console.log(`${place}: ${text} ${rule}`);
console.log(`${errors.length} errors, ${counted.length} unsafe type assertions`);
const isBelowLimit = paths.length > 0 || compareWithLimit();
process.exitCode = errors.length === 0 && isBelowLimit ? 0 : 1;

/** Runs the linter with types. Returns its findings. */
function findingsOfLinter() {
  const args = ['--type-aware', '--type-check', '--format=json', ...paths];
  const { stdout, stderr, error } = spawnSync('node_modules/.bin/oxlint', args, { encoding: 'utf8', maxBuffer: BUFFER_BYTES });
  if (error !== undefined || !stdout.startsWith('{')) throw new Error(`oxlint failed: ${error?.message ?? ''} ${stdout} ${stderr}`);
  return JSON.parse(stdout).diagnostics.map(({ message, code, severity, filename, labels, help }) => {
    const { line, column } = labels[0]?.span ?? { line: 1, column: 1 };
    const text = help === undefined || code === COUNTED ? message : `${message} ${help}`;
    return { place: `${filename}:${line}:${column}`, rule: code, isError: severity === 'error', text };
  });
}

/** Returns an error for each member of a class with the keyword `private`. */
function privateMembers() {
  return projectFiles('.', paths)
    .filter((file) => /\.tsx?$/.test(file))
    .flatMap((file) =>
      readFileSync(file, 'utf8')
        .split('\n')
        .map((text, i) => ({ name: PRIVATE.exec(text)?.[1], place: `${file}:${i + 1}` })),
    )
    .filter(({ name }) => name !== undefined)
    .map(({ name, place }) => ({ place, rule: 'private-members', text: `Private members begin with #: #${name}.` }));
}

/** Returns false, and prints the reason, if there are more unsafe type assertions than allowed. With `--lower`, also lowers the limit. */
function compareWithLimit() {
  const { unsafeTypeAssertions: limit } = JSON.parse(readFileSync(LIMITS, 'utf8'));
  if (values.lower && counted.length < limit)
    writeFileSync(LIMITS, `${JSON.stringify({ unsafeTypeAssertions: counted.length }, null, 2)}\n`);
  if (counted.length <= limit) return true;
  console.log(`The limit is ${limit} assertions. Run npm run tool -- typed-lint PATH… on the files that you changed.`);
  return false;
}
