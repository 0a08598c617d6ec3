import { once } from 'node:events';
import { parseArgs } from 'node:util';
import { RANDOM_SCHEMA, RandomExpressions } from '../../libs/cel/src/testing/random-expressions.ts';

/** Fresh cases for `oracle-diff`: random expressions over one schema with several objects. `--count N --seed S` */
const { values } = parseArgs({ options: { count: { type: 'string', default: '1000' }, seed: { type: 'string', default: '1' } } });
/** The schema in the words of a CRD. */
const SCHEMA = JSON.stringify(RANDOM_SCHEMA).replaceAll('"intOrString":', '"x-kubernetes-int-or-string":');
const random = new RandomExpressions(Number(values.seed));

/** Objects as JSON text: numbers keep their spelling. */
const OBJECTS = [
  '{}',
  '{"i":3,"j":-2,"d":1.5,"s":"abc","t":"é👑 long enough to cost more","b":true,"port":5,"is":[1,2,3],"ss":["a","x1"],"m":{"a":1,"b":2},"o":{"i":1,"s":"a"},"os":[{"i":1,"s":"a"},{"s":"b"},{"i":0}]}',
  '{"i":0,"j":0,"d":2.0,"s":"","b":false,"port":"x","is":[],"ss":[],"m":{},"o":{},"os":[]}',
  '{"i":9007199254740993,"d":1,"is":[9007199254740993,-9223372036854775808],"m":{"constructor":1},"os":[{}]}',
];

for (let n = 0; n < Number(values.count); n++) {
  const rule = random.of(n % 4 === 0 ? 'int' : 'bool', 1 + (n % 5));
  const self = OBJECTS[n % OBJECTS.length] ?? '{}';
  const line = `{"id":"r${values.seed}-${n}","kind":"expr","schema":${SCHEMA},"rule":${JSON.stringify(rule)},"anyType":true,"self":${self}}\n`;
  if (!process.stdout.write(line)) await once(process.stdout, 'drain');
}
