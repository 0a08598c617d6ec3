import { once } from 'node:events';
import { programArguments, wholeNumber } from '../../testing/program-arguments.ts';
import { RANDOM_SCHEMA, RandomExpressions } from '../../libs/cel/src/testing/random-expressions.ts';

const USAGE = `usage: npm run tool -- random-cases [--count 1000] [--seed 1] > CASES

Writes fresh cases for oracle-diff: random expressions over one schema with several objects.
`;
const { values } = programArguments(USAGE, { count: { type: 'string', default: '1000' }, seed: { type: 'string', default: '1' } });
const count = wholeNumber('count', values.count, USAGE);
const seed = wholeNumber('seed', values.seed, USAGE);
/** JSON of the random schema with the keywords of a CRD. */
const SCHEMA = JSON.stringify(RANDOM_SCHEMA).replaceAll('"intOrString":', '"x-kubernetes-int-or-string":');
const random = new RandomExpressions(seed);

/** Objects as JSON texts, because numbers must keep their spelling. */
const OBJECTS = [
  '{}',
  '{"i":3,"j":-2,"d":1.5,"s":"abc","t":"é👑 long enough to cost more","b":true,"port":5,"is":[1,2,3],"ss":["a","x1"],"m":{"a":1,"b":2},"o":{"i":1,"s":"a"},"os":[{"i":1,"s":"a"},{"s":"b"},{"i":0}]}',
  '{"i":0,"j":0,"d":2.0,"s":"","b":false,"port":"x","is":[],"ss":[],"m":{},"o":{},"os":[]}',
  '{"i":9007199254740993,"d":1,"is":[9007199254740993,-9223372036854775808],"m":{"constructor":1},"os":[{}]}',
];

for (let n = 0; n < count; n++) {
  const rule = random.of(n % 4 === 0 ? 'int' : 'bool', 1 + (n % 5));
  const self = OBJECTS[n % OBJECTS.length] ?? '{}';
  const line = `{"id":"r${seed}-${n}","kind":"expr","schema":${SCHEMA},"rule":${JSON.stringify(rule)},"anyType":true,"self":${self}}\n`;
  if (!process.stdout.write(line)) await once(process.stdout, 'drain');
}
