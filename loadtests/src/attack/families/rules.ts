import type { Family } from '../attack.ts';
import type { Random } from '../random.ts';
import { posted } from '../send.ts';
import { IN_TIME_OR_NOT, judged, ruled } from './judged.ts';

const nested = (open: string, inner: string, close: string, count: number): string => open.repeat(count) + inner + close.repeat(count);

/** Rules that grow what they work on, or are themselves without end. */
const RULES: readonly (readonly [name: string, rule: () => string])[] = [
  ['strings doubled 24 times', () => nested('[', 'self.s', '].map(x, x + x)[0]', 24) + " != ''"],
  ['lists doubled 24 times', () => nested('[', 'self.l', '].map(x, x + x)[0]', 24) + '.size() > 0'],
  ['four nested loops', () => 'self.l.all(a, self.l.all(b, self.l.all(c, self.l.all(d, a + b + c + d >= 0))))'],
  ['two nested loops', () => 'self.l.all(a, self.l.all(b, a + b >= 0))'],
  ['chained maps', () => `self.l${'.map(x, x + 1)'.repeat(100)}.size() > 0`],
  ['maps of maps', () => nested('self.l.map(x, ', '[1, 2, 3]', ')', 6) + '.size() > 0'],
  ['replace', () => `self.s${".replace('', 'aaaaaaaaaa')".repeat(8)} != ''`],
  ['join', () => `self.l.map(x, self.s).join(self.s) != ''`],
  ['split and join', () => `self.s${".split('').join('aaaa')".repeat(12)} != ''`],
  ['format', () => `'%.999999999f'.format([1.5]) != ''`],
  ['format of many', () => `'${'%s'.repeat(1000)}'.format([${Array.from({ length: 1000 }, () => 'self.s').join(',')}]) != ''`],
  [
    'bound values',
    () =>
      `${Array.from({ length: 20 }, (_, i) => `cel.bind(a${i}, ${i === 0 ? 'self.s' : `a${i - 1} + a${i - 1}`}, `).join('')}a19 != ''${')'.repeat(20)}`,
  ],
  ['2,000 ternaries', () => 'true ? true : '.repeat(2000) + 'true'],
  ['5,000 parentheses', () => nested('(', 'true', ')', 5000)],
  ['100,000 conjunctions', () => 'true && '.repeat(100_000) + 'true'],
  ['100,000 negations', () => '!'.repeat(100_000) + 'true'],
  ['100,000 minus signs', () => '-'.repeat(100_000) + '1 == 1'],
  ['100,000 brackets', () => '['.repeat(100_000)],
  ['20,000 selections', () => `self${'.s'.repeat(20_000)} == 1`],
  ['a list of 50,000', () => `[${'1,'.repeat(50_000)}1].size() > 0`],
  ['NUL', () => 'self.s == "\0"'],
  ['text that is turned round', () => 'self.s == "\u202e\u2066"'],
  ['a lone surrogate', () => 'self.s == "\ud800"'],
  ['words of JavaScript', () => 'constructor.constructor("return process")().exit()'],
  ['prototypes', () => 'self.__proto__ == null || self.constructor == null'],
  ['a quote and a line feed', () => `self.s == '\\n"];process.exit(1)//'`],
  ['a division by zero', () => '1 / 0 == 1'],
  ['the least integer', () => '-9223372036854775808 / -1 == 0'],
  ['overflow', () => '9223372036854775807 + 1 == 0'],
  ['quantities', () => `quantity('${'9'.repeat(3000)}').isGreaterThan(quantity('1'))`],
  ['a URL', () => `isURL('${'a'.repeat(3000)}:\\\\//')`],
  ['an address', () => `isIP('${'1.'.repeat(3000)}')`],
  ['a version', () => `isSemver('1.${'0'.repeat(3000)}.0')`],
  ['a time', () => `timestamp('9999999999-01-01T00:00:00Z') != null`],
  ['a zone', () => `timestamp('2020-01-01T00:00:00Z').getHours('../../etc/passwd') == 0`],
  ['base64', () => `base64.decode('${'A'.repeat(100_000)}') != b''`],
  ['sorting', () => 'self.l.map(x, 0 - x).isSorted()'],
  ['sets', () => 'sets.equivalent(self.l, self.l)'],
  ['two variables', () => 'self.l.all(i, v, self.l.exists(j, w, i == j && v == w))'],
  ['old values', () => 'self.l.all(x, x in oldSelf.l)'],
];

const LEAVES = ['self.s', 'self.t', "'abc'", "''", 'string(self.l.size())'] as const;

/** A random expression of text. */
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

/** Rules and expressions of messages, of which some are random. */
export const rules: Family = {
  name: 'rules',
  shapes: ['fleet', 'embedded', 'keyed'],
  attacks: (random) => [
    ...RULES.map(([name, rule]) => judged(name, rule, {}, name === 'format' ? { isLong: true } : {})),
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
