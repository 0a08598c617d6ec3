import { once } from 'node:events';
import { existsSync, globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { readFirstDocument, writeJson } from '#go';
import { programArguments, wholeNumber, wrongArguments } from '../../testing/program-arguments.ts';
import { linesOfFile } from './read-lines.ts';
import { Dice } from './random/dice.ts';
import { readTree, writeTree } from './random/tree.ts';
import type { Members } from './random/tree.ts';
import { WRITE_KINDS, WriteCases } from './random/write-cases.ts';
import type { WriteKind } from './random/write-cases.ts';
import { YamlCases } from './random/yaml-cases.ts';
import { SHARED, sharedIsHere } from './shared-folder.ts';

const SOURCES = ['both', 'recorded', 'synthetic'];
const USAGE = `usage: npm run tool -- random-writes [--count 1000] [--seed 1] [--kinds KIND,…] [--source ${SOURCES.join('|')}] [--yaml] > CASES

Writes fresh cases for oracle-diff: writes of objects and definitions. Every second one is a change of a recorded case (where the recordings are at hand,
with --crds of oracle-diff set to their corpora), the others are over random schemas. --yaml: all bodies are odd or damaged YAML instead.
Kinds: ${WRITE_KINDS.join(', ')}
`;
const { values } = programArguments(USAGE, {
  count: { type: 'string', default: '1000' },
  seed: { type: 'string', default: '1' },
  kinds: { type: 'string', default: WRITE_KINDS.join(',') },
  source: { type: 'string', default: 'both' },
  yaml: { type: 'boolean', default: false },
});
const kinds = values.kinds
  .split(',')
  .map((name) => WRITE_KINDS.find((known) => known === name) ?? wrongArguments(`no such kind: ${name}`, USAGE));
if (!SOURCES.includes(values.source)) wrongArguments(`no such source: ${values.source}`, USAGE);
/**
 * Maximum size, in characters, of a recorded body that is damaged for a new case. In larger bodies, most changes would affect one of many
 * similar lines.
 */
const MAX_BODY_CHARACTERS = 6000;
/** Maximum size of a definition in bytes. Larger definitions are left out, because the verdict on one of them takes about a second. */
const MAX_DEFINITION_BYTES = 120_000;
const RECORDED: Readonly<Record<WriteKind, readonly string[]>> = {
  object: ['random-objects-1.37', 'suites-1.37'],
  objectUpdate: ['random-objects-1.37', 'suites-1.37'],
  statusUpdate: ['random-objects-1.37', 'suites-1.37'],
  value: ['random-objects-1.37'],
  crd: ['random-crds-1.37', 'crds-1.37'],
  crdUpdate: ['random-crds-1.37', 'crds-1.37'],
};

const dice = new Dice(wholeNumber('seed', values.seed, USAGE));
const cases = new WriteCases(dice);
const count = wholeNumber('count', values.count, USAGE);
const fromRecords = values.source === 'synthetic' || !sharedIsHere ? 0 : values.source === 'recorded' ? count : Math.floor(count / 2);
let written = 0;
if (values.yaml) await writeYaml(count);
else {
  for (let n = 0; n < count - fromRecords; n++) await write(cases.synthetic(dice.pick(kinds)), 'syn');
  await writeMutated(fromRecords);
}

async function writeYaml(wanted: number): Promise<void> {
  const lines = sharedIsHere ? await linesOfKind('object') : [];
  const recorded = lines
    .filter((line) => line.length < MAX_BODY_CHARACTERS)
    .map((line) => (readTree(line) as Members).get('case') as Members)
    .filter((testCase) => testCase.get('kind') === 'object');
  const folder = join(SHARED, 'corpora/crds');
  const definitions = existsSync(folder)
    ? globSync('**/*.yaml', { cwd: folder })
        .sort()
        .map((file) => readFileSync(join(folder, file), 'utf8'))
        .filter((text) => text.length < MAX_BODY_CHARACTERS)
    : [];
  const made = new YamlCases(dice, recorded, definitions);
  for (let n = 0; n < wanted; n++) await write(made.next(), 'yaml');
}

async function writeMutated(wanted: number): Promise<void> {
  if (wanted === 0) return;
  const recorded = new Map<WriteKind, string[]>();
  for (const kind of kinds) recorded.set(kind, await linesOfKind(kind));
  const chosen = Array.from({ length: wanted }, () => {
    const kind = dice.pick(kinds);
    return { kind, line: dice.pick(recorded.get(kind)!) };
  });
  // Neighbouring cases share a definition, so that both sides compile it only once.
  const fileOf = (line: string): string => /"crdFile":"([^"]*)"/.exec(line)?.[1] ?? '';
  chosen.sort((a, b) => (fileOf(a.line) < fileOf(b.line) ? -1 : fileOf(a.line) > fileOf(b.line) ? 1 : 0));
  for (const { kind, line } of chosen) {
    const testCase = (readTree(line) as Members).get('case') as Members;
    const made = cases.mutated(kind, testCase, () => documentOf(testCase));
    if (made) await write(made, 'mut');
  }
}

/**
 * Returns the recorded lines from which cases of the given kind can be derived. For objects and their updates, these are all lines with an
 * object.
 */
async function linesOfKind(kind: WriteKind): Promise<string[]> {
  const status =
    kind === 'statusUpdate'
      ? '"kind":"statusUpdate"'
      : kind === 'value'
        ? '"kind":"value"'
        : kind.startsWith('crd')
          ? '"kind":"crd'
          : '"object":';
  const lines: string[] = [];
  for (const name of RECORDED[kind]) {
    for await (const line of linesOfFile(join(SHARED, 'oracle/golden', `${name}.jsonl.gz`)))
      if (line.slice(0, 100_000).includes(status)) lines.push(line);
  }
  return lines;
}

function documentOf(testCase: Members): Members | undefined {
  const file = testCase.get('crdFile');
  if (typeof file !== 'string') return undefined;
  const path = join(SHARED, 'corpora', file);
  if (!existsSync(path)) return undefined;
  const bytes = readFileSync(path);
  if (bytes.length > MAX_DEFINITION_BYTES) return undefined;
  const reading = readFirstDocument(bytes);
  return reading.ok ? (readTree(writeJson(reading.value)) as Members) : undefined;
}

async function write(made: Members, source: string): Promise<void> {
  made.set('id', `w${values.seed}-${written++}-${source}-${String(made.get('id'))}`);
  if (!process.stdout.write(`${writeTree(made)}\n`)) await once(process.stdout, 'drain');
}
