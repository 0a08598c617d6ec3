import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { Readable } from 'node:stream';
import { builtInKinds } from '#policy/built-in';
import { writeJson } from '#go';
import { isMinor, LATEST_MINOR, MINORS } from '#kube';
import { programArguments, wholeNumber, wrongArguments } from '../../testing/program-arguments.ts';
import { goDecoding, hasComparedDefaults, objectsOfCase, ourDecoding, ourDefaults } from './built-in/compare-decoding.ts';
import { RandomObjects } from './built-in/random-object.ts';
import { Dice } from './random/dice.ts';
import { linesOf, linesOfFile } from './read-lines.ts';
import { SHARED } from './shared-folder.ts';

const USAGE = `usage: npm run tool -- decode-diff --program PATH [--kubernetes ${LATEST_MINOR}] [--count 5000] [--seed 1] [--defaults]

Has random objects of built-in kinds, and those of the recorded policy cases where they are here, decoded by a minor's Go types and by us, and
shows where we differ. build.sh in libs/policy/generate/built-in builds the program. --defaults: it is the one of build-defaults.sh, and what is
compared is what a server makes of objects before admission. Exit code: 0 none differs, 1 some do, 2 wrong usage.
`;
const { values } = programArguments(USAGE, {
  program: { type: 'string', default: '' },
  kubernetes: { type: 'string', default: LATEST_MINOR },
  count: { type: 'string', default: '5000' },
  seed: { type: 'string', default: '1' },
  defaults: { type: 'boolean', default: false },
});
const { program, kubernetes, defaults } = values;
if (!existsSync(program)) wrongArguments('--program must be where the program lies', USAGE);
if (!isMinor(kubernetes)) wrongArguments(`--kubernetes must be one of ${MINORS.join(', ')}`, USAGE);
const count = wholeNumber('count', values.count, USAGE);
const seed = wholeNumber('seed', values.seed, USAGE);
const kinds = [...builtInKinds(kubernetes).all].filter((kind) => (defaults ? hasComparedDefaults(kind) : kind.kind !== 'WatchEvent'));
const ours = defaults ? ourDefaults : ourDecoding;
const minor = kubernetes;

async function* documents(): AsyncGenerator<string> {
  const dice = new Dice(seed);
  const sources = (defaults ? [0] : [0, 0.01, 0.05]).map((faults) => new RandomObjects(dice, faults));
  for (let n = 0; n < count; n++) yield writeJson(dice.pick(sources).of(dice.pick(kinds)), { escapeHtml: true, keys: 'own' });
  for (const name of ['cases', 'checks', 'upstream', 'random']) {
    const file = resolve(SHARED, 'corpora-policies', `${name}.jsonl.gz`);
    if (!existsSync(file)) continue;
    for await (const line of linesOfFile(file)) for (const object of objectsOfCase(line)) yield writeJson(object);
  }
}

/** Documents that were sent to the Go program and are not yet answered. */
const requested: string[] = [];
async function* questions(): AsyncGenerator<string> {
  for await (const document of documents()) {
    if (ours(document, minor) === undefined) continue;
    requested.push(document);
    yield `{"object":${document}}\n`;
  }
}

const child = spawn(program, defaults ? [] : ['decode'], { stdio: ['pipe', 'pipe', 'inherit'] });
Readable.from(questions()).pipe(child.stdin);
const counts = { seen: 0, error: 0, strict: 0, differ: 0 };
/** Maximum number of differences that are shown in full. */
const SHOWN = 20;
for await (const line of linesOf(child.stdout)) {
  const document = requested.shift() ?? '';
  const [theirs, own] = [goDecoding(line), ours(document, minor)];
  for (const aspect of ['seen', 'error', 'strict'] as const) {
    if (theirs[aspect] !== '') counts[aspect]++;
    if (theirs[aspect] === own?.[aspect]) continue;
    counts.differ++;
    if (counts.differ <= SHOWN) process.stdout.write(`${document}\n  ${aspect}\n    Go   ${theirs[aspect]}\n    ours ${own?.[aspect]}\n`);
  }
}
process.stdout.write(
  `${kubernetes}: ${counts.seen} seen, ${counts.error} errors, ${counts.strict} strict errors, ${counts.differ} differ\n`,
);
process.exit(counts.differ === 0 ? 0 : 1);
