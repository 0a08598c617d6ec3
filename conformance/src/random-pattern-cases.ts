import { once } from 'node:events';
import { programArguments, wholeNumber } from '../../testing/program-arguments.ts';
import { seededCongruence } from '../../testing/seeded-random.ts';
import { RandomPatterns } from './random/random-patterns.ts';

const USAGE = `usage: npm run tool -- random-patterns [--count 1000] [--seed 1] > CASES

Writes fresh cases for oracle-diff: random RE2 patterns, as constants (a bad one fails when the expression is compiled) and from data (a bad one
fails when it runs), matched with random texts.
`;
const { values } = programArguments(USAGE, { count: { type: 'string', default: '1000' }, seed: { type: 'string', default: '1' } });
const count = wholeNumber('count', values.count, USAGE);
const seed = wholeNumber('seed', values.seed, USAGE);
const random = new RandomPatterns(seededCongruence(seed));
const SCHEMA = { type: 'object', properties: { text: { type: 'string' }, pattern: { type: 'string' } } };

/** Functions that return a CEL call with a pattern. The argument is the CEL expression for the pattern. */
const CALLS: readonly ((pattern: string) => string)[] = [
  (pattern) => `self.text.matches(${pattern})`,
  (pattern) => `self.text.find(${pattern})`,
  (pattern) => `self.text.findAll(${pattern})`,
  (pattern) => `self.text.findAll(${pattern}, 2)`,
  (pattern) => `matches(self.text, ${pattern})`,
];

for (let n = 0; n < count; n++) {
  const pattern = random.pattern();
  const self = { text: random.text(), pattern };
  const call = CALLS[n % CALLS.length]!;
  const rule = call(n % 2 === 0 ? celLiteral(pattern) : 'self.pattern');
  const line = JSON.stringify({ id: `p${seed}-${n}`, kind: 'expr', schema: SCHEMA, rule, anyType: true, self });
  if (!process.stdout.write(`${line}\n`)) await once(process.stdout, 'drain');
}

function celLiteral(text: string): string {
  return `'${text.replaceAll('\\', '\\\\').replaceAll("'", "\\'").replaceAll('\n', '\\n')}'`;
}
