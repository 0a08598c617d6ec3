import { existsSync } from 'node:fs';
import { basename, join } from 'node:path';
import { isMinor, LATEST_MINOR, minorNumber, MINORS } from '#kube';
import { programArguments, wholeNumber, wrongArguments } from '../../testing/program-arguments.ts';
import { definitionOracle, policyOracle } from './ask-oracle.ts';
import type { Oracle } from './ask-oracle.ts';
import { chosenOf } from './chosen-files.ts';
import { diffFile, statusOf } from './minor-diff/diff-file.ts';
import type { FileDiff } from './minor-diff/diff-file.ts';
import { flippedLines } from './minor-diff/flipped-definition.ts';
import { goldenFilesOf } from './score-files.ts';
import type { RecordedFile } from './score-files.ts';
import { classLines, countsLine } from './score.ts';
import { sharedIsHere } from './shared-folder.ts';

const USAGE = `usage: npm run tool -- minor-diff [NAME…] --oracle PATH [--policy-oracle PATH] [--from ${LATEST_MINOR}] [--to 1.NN] [--show N] [--write FOLDER]

Asks the oracle of a new minor, such as a beta, about the golden cases of the minor before it, and shows what it answers differently. NAME: only files whose
names begin so. --oracle (or ASSAY_ORACLE=PATH): the oracle for definitions and objects. --policy-oracle: the one for admission policies. --to: name of
the new minor, by default the one after --from. --show: so many differences of each class. --write: also writes the new verdicts as golden files.
Exit code: 0 nothing differs, 1 something does, 2 wrong usage, 3 an oracle did not answer all cases.
`;
/** Time in ms between two messages about the progress. */
const PROGRESS_MS = 10_000;

const { values, positionals } = programArguments(
  USAGE,
  {
    oracle: { type: 'string' },
    'policy-oracle': { type: 'string' },
    from: { type: 'string', default: LATEST_MINOR },
    to: { type: 'string' },
    show: { type: 'string', default: '0' },
    write: { type: 'string' },
  },
  'operands',
);
const from = isMinor(values.from) ? values.from : wrongArguments(`--from must be one of ${MINORS.join(', ')}`, USAGE);
const to = values.to ?? `1.${minorNumber(from) + 1}`;
if (!/^1\.\d+$/.test(to)) wrongArguments('--to must be a minor, such as 1.38', USAGE);
const examples = wholeNumber('show', values.show, USAGE);
const paths = { definitions: values.oracle ?? process.env['ASSAY_ORACLE'], policies: values['policy-oracle'] };
if (paths.definitions === undefined && paths.policies === undefined) wrongArguments('no oracle', USAGE);
for (const path of Object.values(paths)) if (path !== undefined && !existsSync(path)) wrongArguments(`${path} is not there`, USAGE);
if (!sharedIsHere) {
  process.stdout.write('The recorded behaviour of upstream (shared/ beside the project) is not here: nothing was compared.\n');
  process.exit(0);
}
const files = chosenOf(goldenFilesOf(from), positionals, USAGE);
if (!files.some((file) => oracleFor(file) !== undefined)) wrongArguments('the oracle for these files is not given', USAGE);
const started = performance.now();
const diffs: FileDiff[] = [];
for (const file of files) {
  const oracle = oracleFor(file);
  if (oracle === undefined) {
    process.stdout.write(`${file.name.padEnd(24)} not asked, because its oracle is not given\n`);
    continue;
  }
  const diff = await diffFile(file, oracle, { examples, write: writtenPath(file), progress: progressOf(file) });
  diffs.push(diff);
  if (diff.kind === 'failed') process.stderr.write(`${file.name}: ${diff.why}\n`);
  else process.stdout.write(`${[countsLine(diff.score), ...classLines(diff.score, [from, to])].join('\n')}\n`);
}
const compared = diffs.filter((diff) => diff.kind === 'compared');
const flipped = compared.flatMap((diff) => diff.flipped);
for (const line of flippedLines(flipped, from, to)) process.stdout.write(`${line}\n`);
const sum = (count: 'cases' | 'verdict' | 'exact'): number => compared.reduce((total, { score }) => total + score[count], 0);
const seconds = ((performance.now() - started) / 1000).toFixed(0);
process.stdout.write(
  `${to} beside ${from}, ${sum('cases')} cases: verdict agrees in ${sum('verdict')}, exact in ${sum('exact')} (${seconds} s)\n`,
);
process.exitCode = statusOf(diffs);

/** Returns the oracle that judges the cases of a file. Returns undefined if neither the command line nor the environment names it. */
function oracleFor({ task, beside }: RecordedFile): Oracle | undefined {
  if (beside !== undefined) return paths.policies === undefined ? undefined : policyOracle(paths.policies);
  return paths.definitions === undefined || task.kind !== 'golden' ? undefined : definitionOracle(paths.definitions, task.crdFolder);
}

/** Returns the path of the golden file with the new verdicts on the cases of a file. Returns undefined if none is written. */
function writtenPath({ path, beside }: RecordedFile): string | undefined {
  if (values.write === undefined) return undefined;
  const name = basename(beside?.golden ?? path).replace(`-${from}.`, `-${to}.`);
  return join(values.write, beside === undefined ? '' : 'policies', name);
}

function progressOf({ name }: RecordedFile): (answers: number) => void {
  let last = performance.now();
  return (answers) => {
    if (performance.now() - last < PROGRESS_MS) return;
    last = performance.now();
    process.stderr.write(`  ${name}: ${answers} cases\n`);
  };
}
