import { join } from 'node:path';
import { programArguments, wholeNumber } from '../../testing/program-arguments.ts';
import { Dice } from './random/dice.ts';
import { compareReadings, newReadingCounts, variantOf } from './readings/compare-readings.ts';
import type { ReadingSource } from './readings/compare-readings.ts';
import { listSources } from './readings/list-sources.ts';
import { randomSources, recordedSources } from './readings/reading-sources.ts';
import { SHARED, sharedIsHere } from './shared-folder.ts';

const USAGE = `usage: npm run tool -- readings [--objects 100000] [--seed 1]

Compares the generated readers with the exact code on random objects. Half of the objects are variants of recorded ones over real definitions, where
these lie beside the project; the others are over random definitions, one in five of them with long lists. Exit code: 0 no contradiction, 1 some,
2 wrong usage.
`;
const { values } = programArguments(USAGE, { objects: { type: 'string', default: '100000' }, seed: { type: 'string', default: '1' } });
const wanted = wholeNumber('objects', values.objects, USAGE);
const seed = wholeNumber('seed', values.seed, USAGE);
const dice = new Dice(seed);
const counts = newReadingCounts();
/** Number of bodies with other spellings or other values that are derived from one object before the next object is taken. */
const VARIANTS = 8;
let contradictions = 0;

for await (const source of recorded()) {
  compare(source);
  if (counts.objects >= wanted / 2) break;
}
for (let round = 0; counts.objects < wanted; round++) {
  for (const source of randomSources(seed + round, 200)) compare(source);
  for (const source of listSources(seed + round, 50)) compare(source);
}
process.stdout.write(
  `${counts.objects} objects: ${counts.accepted} accepted, ${counts.read} of them by readers (updates: ${counts.readUpdates} of ${counts.acceptedUpdates}; in YAML: ${counts.readYaml}; read before: ${counts.readValues}; with lists in place: ${counts.readInPlace}), ${contradictions} contradictions\n`,
);
process.exitCode = contradictions === 0 ? 0 : 1;

async function* recorded(): AsyncGenerator<ReadingSource> {
  if (!sharedIsHere) return;
  for (;;) {
    for (const name of ['suites-1.37', 'random-objects-1.37'])
      yield* recordedSources(join(SHARED, 'oracle/golden', `${name}.jsonl.gz`), join(SHARED, 'corpora'));
  }
}

function compare(source: ReadingSource): void {
  for (let n = 0; n < VARIANTS; n++) {
    const contradiction = compareReadings(source, variantOf(source, dice), dice, counts);
    if (contradiction === undefined) continue;
    contradictions += 1;
    if (contradictions <= 10) process.stdout.write(`${JSON.stringify(contradiction, undefined, 1)}\n`);
  }
}
