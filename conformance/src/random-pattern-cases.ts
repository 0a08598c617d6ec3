import { once } from 'node:events';
import { parseArgs } from 'node:util';
import { seededCongruence } from '../../testing/seeded-random.ts';
import { RandomPatterns } from './random/random-patterns.ts';

/**
 * Fresh cases for `oracle-diff`: random RE2 patterns, as constants (a bad one fails when the expression is compiled) and from data (a bad one
 * fails when it runs), matched with random texts. `--count N --seed S`
 */
const { values } = parseArgs({ options: { count: { type: 'string', default: '1000' }, seed: { type: 'string', default: '1' } } });
const random = new RandomPatterns(seededCongruence(Number(values.seed)));
const SCHEMA = { type: 'object', properties: { text: { type: 'string' }, pattern: { type: 'string' } } };

/** Calls with a pattern, by what stands for it. */
const CALLS: readonly ((pattern: string) => string)[] = [
  (pattern) => `self.text.matches(${pattern})`,
  (pattern) => `self.text.find(${pattern})`,
  (pattern) => `self.text.findAll(${pattern})`,
  (pattern) => `self.text.findAll(${pattern}, 2)`,
  (pattern) => `matches(self.text, ${pattern})`,
];

for (let n = 0; n < Number(values.count); n++) {
  const pattern = random.pattern();
  const self = { text: random.text(), pattern };
  const call = CALLS[n % CALLS.length]!;
  const rule = call(n % 2 === 0 ? celLiteral(pattern) : 'self.pattern');
  const line = JSON.stringify({ id: `p${values.seed}-${n}`, kind: 'expr', schema: SCHEMA, rule, anyType: true, self });
  if (!process.stdout.write(`${line}\n`)) await once(process.stdout, 'drain');
}

/** A CEL string literal of a text. */
function celLiteral(text: string): string {
  return `'${text.replaceAll('\\', '\\\\').replaceAll("'", "\\'").replaceAll('\n', '\\n')}'`;
}
