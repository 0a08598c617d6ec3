import { once } from 'node:events';
import { seededCongruence } from '../../testing/seeded-random.ts';
import { programArguments, wholeNumber } from '../../testing/program-arguments.ts';
import { RandomTexts } from './random/random-texts.ts';
import { TEXT_CALLS } from './random/text-calls.ts';

const USAGE = `usage: npm run tool -- random-formats [--count 1000] [--seed 1] > CASES

Writes fresh cases for oracle-diff: texts that are nearly of a string format, as values of a schema with that format; and, every second one, texts that are nearly
what a function of CEL reads (addresses, URLs, quantities, versions, times, numbers, names), as data of an expression with that function.
`;
const { values } = programArguments(USAGE, { count: { type: 'string', default: '1000' }, seed: { type: 'string', default: '1' } });
const count = wholeNumber('count', values.count, USAGE);
const seed = wholeNumber('seed', values.seed, USAGE);
const random = seededCongruence(seed);
const texts = new RandomTexts(random);
const oneOf = <T>(items: readonly T[]): T => items[Math.floor(random() * items.length)]!;
const SCHEMA = { type: 'object', properties: { t: { type: 'string' } } };

for (let n = 0; n < count; n++) {
  const id = `f${seed}-${n}`;
  if (!process.stdout.write(`${JSON.stringify(n % 2 === 0 ? formatCase(id) : callCase(id))}\n`)) await once(process.stdout, 'drain');
}

function formatCase(id: string): object {
  const { format, text } = texts.next();
  return { id, kind: 'value', schema: { type: 'string', format }, self: text };
}

function callCase(id: string): object {
  const { expressions, texts: meant } = oneOf(TEXT_CALLS);
  const t = texts.near(random() < 0.06 ? oneOf(TEXT_CALLS).texts : meant);
  return { id, kind: 'expr', schema: SCHEMA, rule: oneOf(expressions), anyType: true, self: { t } };
}
