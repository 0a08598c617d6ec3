// Counts sentences that a reader has to read twice, in documents, comments, messages and titles of tests. The counts may only fall.
//   npm run tool -- plain-english               prints the counts; fails if one is above its limit in limits.json
//   npm run tool -- plain-english --lower       writes lower counts to limits.json
//   npm run tool -- plain-english FILE…         prints each flagged sentence of some files; fails if there is one
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { programArguments, wrongArguments } from '../../testing/program-arguments.ts';
import { GENERATED_FILES } from '../generate/generated-files.mjs';
import { sentencesOf } from './sentences.mjs';
import { flagsOf } from './rules.mjs';

process.chdir(join(import.meta.dirname, '../..'));
const LIMITS = join(import.meta.dirname, 'limits.json');
/** Pattern of files that are not checked, because no person writes their text: generated files, recorded answers and changelogs. */
const LEFT_OUT =
  /(^|\/)(generated|golden)\/|recorded-answers|CHANGELOG|docs\/(reports\/(experiments|real-server)|reference\/functions)\.md$/;

const USAGE = 'usage: npm run tool -- plain-english [--lower | FILE…]\n';
const { values, positionals } = programArguments(USAGE, { lower: { type: 'boolean', default: false } }, 'operands');
for (const file of positionals) if (!existsSync(file)) wrongArguments(`${file} is not there`, USAGE);
/** Returns the files in Git, and the generated files: the doc comments of the Lua commands are those of the .lua files. */
const listed = () => [
  ...execFileSync('git', ['ls-files', '-z', '--', '*.md', '*.ts', '*.tsx'], { encoding: 'utf8' }).split('\0'),
  ...GENERATED_FILES,
];
const files = positionals.length > 0 ? positionals : listed().filter((file) => existsSync(file) && !LEFT_OUT.test(file));
const KINDS = ['documents', 'docComments', 'inlineComments', 'messages', 'testTitles'];
const flagged = Object.fromEntries(KINDS.map((kind) => [kind, 0]));
const sentences = { ...flagged };
for (const file of files) {
  for (const sentence of sentencesOf(file, readFileSync(file, 'utf8'))) {
    sentences[sentence.kind]++;
    const flags = flagsOf(sentence);
    if (flags.length === 0) continue;
    flagged[sentence.kind]++;
    if (positionals.length > 0) console.log(`${file}:${sentence.line}: ${flags.join(', ')}: ${sentence.text}`);
  }
}
for (const kind of KINDS) console.log(`${kind}: ${flagged[kind]} of ${sentences[kind]} sentences`);
const isFine = positionals.length === 0 ? compareWithLimits() : KINDS.every((kind) => flagged[kind] === 0);
process.exitCode = isFine ? 0 : 1;

/**
 * Compares the number of flagged sentences of each kind of text with its limit, and prints each exceeded limit. Returns false if a number
 * exceeds its limit. With the option `--lower`, also lowers the stored limits to smaller numbers.
 */
function compareWithLimits() {
  const limits = JSON.parse(readFileSync(LIMITS, 'utf8'));
  const lower = Object.fromEntries(Object.entries(limits).map(([kind, limit]) => [kind, Math.min(limit, flagged[kind])]));
  if (values.lower) writeFileSync(LIMITS, `${JSON.stringify(lower, null, 2)}\n`);
  const above = Object.keys(limits).filter((kind) => flagged[kind] > limits[kind]);
  for (const kind of above)
    console.log(`${kind}: the limit is ${limits[kind]}. Run npm run tool -- plain-english FILE… on the files that you changed`);
  return above.length === 0;
}
