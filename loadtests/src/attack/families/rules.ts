import type { Family } from '../attack.ts';
import type { Random } from '../random.ts';
import { tablesOf, written } from '../input-tables.ts';
import { posted } from '../send.ts';
import { IN_TIME_OR_NOT, judged, ruled } from './judged.ts';

/** Rules that compute ever larger values, or that are extremely long themselves. */
const RULES = tablesOf('rules').rows('rules');

const LEAVES = ['self.s', 'self.t', "'abc'", "''", 'string(self.l.size())'] as const;

/** Returns a random CEL expression of type string. `depth` limits the nesting. */
function text(random: Random, depth: number): string {
  if (depth <= 0) return random.of(LEAVES);
  const inner = (): string => text(random, depth - 1);
  return random.of([
    () => `(${inner()} + ${inner()})`,
    () => `${inner()}.replace(${inner()}, ${inner()})`,
    () => `${inner()}.split(${inner()}).join(${inner()})`,
    () => `self.l.map(x, ${inner()}).join(${inner()})`,
    () => `(${condition(random, depth - 1)} ? ${inner()} : ${inner()})`,
    () => `[${inner()}, ${inner()}].filter(x, x != ${inner()})[0]`,
    () => `${inner()}.substring(${random.below(5)})`,
    () => `'%s%s'.format([${inner()}, ${inner()}])`,
    () => `${inner()}.find(${inner()})`,
  ])();
}

function condition(random: Random, depth: number): string {
  if (depth <= 0) return random.of(['true', 'has(self.s)', 'self.l.size() > 3', 'self == oldSelf']);
  const inner = (): string => condition(random, depth - 1);
  return random.of([
    () => `(${inner()} && ${inner()})`,
    () => `(${inner()} || !${inner()})`,
    () => `self.l.${random.of(['all', 'exists', 'exists_one'])}(x, ${inner()})`,
    () => `self.m.all(k, k + ${text(random, depth - 1)} != '')`,
    () => `${text(random, depth - 1)}.matches(${text(random, depth - 1)})`,
    () => `${text(random, depth - 1)} == ${text(random, depth - 1)}`,
    () => `${text(random, depth - 1)}.contains(${text(random, depth - 1)})`,
  ])();
}

/** Attacks with rules and message expressions, some of which are random. */
export const rules: Family = {
  name: 'rules',
  shapes: ['fleet', 'embedded', 'keyed'],
  attacks: (random) => [
    ...RULES.map(({ name, text: rule, isLong }) => judged(name, () => written(rule), {}, isLong ? { isLong } : {})),
    ...['self.s', "self.s + '\\n' + self.s", "self.l.map(x, self.s).join('')", '1', "self.s.replace('', self.s)"].map((message) =>
      judged(`a message of ${message}`, () => 'false', { message, s: '\u001b]0;x\u0007\n::error::y' }),
    ),
    ...random.some(50, (i) => judged(`random rule ${i + 1}`, () => condition(random, 2 + (i % 4)))),
    ...['/explain', '/matrix'].flatMap((path) =>
      [
        ['nested loops', 'self.l.all(a, self.l.all(b, a + b >= 0))'] as const,
        ['strings that grow', `self.s${".replace('', 'aaaaaaaaaa')".repeat(8)} != ''`] as const,
      ].map(([name, rule]) => posted(`${name}: ${path}`, path, ['json', () => ruled(rule)], IN_TIME_OR_NOT)),
    ),
  ],
};
