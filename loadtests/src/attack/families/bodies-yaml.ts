import type { Family } from '../attack.ts';
import type { Random } from '../random.ts';
import { posted } from '../send.ts';
import type { Expected } from '../send.ts';

const LONG = { isLong: true } as const;
type Document = readonly [name: string, text: () => string | Buffer, expected?: Expected];

const lines = (count: number, line: (i: number) => string): string => Array.from({ length: count }, (_, i) => line(i)).join('\n');

/** Aliases of aliases: nine more of each. */
function laughs(levels: number, nested: (names: string) => string): string {
  const aliases = (level: number): string => Array.from({ length: 9 }, () => `*a${level - 1}`).join(',');
  return `a0: &a0 ${nested('')}\n${lines(levels, (i) => `a${i + 1}: &a${i + 1} ${nested(aliases(i + 1))}`)}\n`;
}

const DIGITS = (): string => `a: ${'9'.repeat(3_000_000)}`;

const DOCUMENTS: readonly Document[] = [
  ['a billion laughs', () => laughs(9, (names) => `[${names || 'lol'}]`)],
  ['a billion merges', () => laughs(9, (names) => (names ? `{<<: [${names}]}` : '{a: 1}'))],
  ['3,000 chained merges', () => `a0: &a0 {k: 1}\n${lines(3000, (i) => `a${i + 1}: &a${i + 1} {<<: *a${i}, k${i}: 1}`)}\n`],
  ['a list that holds itself', () => 'a: &a [*a]\n'],
  ['a map that holds itself', () => 'a: &a {b: *a}\n'],
  ['a merge of itself', () => 'a: &a\n  <<: *a\n'],
  ['an unknown alias', () => 'a: *b\n'],
  ['100,000 anchors', () => lines(100_000, (i) => `- &a${i} 1`)],
  ['a tag of JavaScript', () => 'a: !!js/function "function(){}"\n'],
  ['a tag of Python', () => 'a: !!python/object/apply:os.system ["id"]\n'],
  ['binary', () => `a: !!binary ${'A'.repeat(1_000_000)}\n`],
  ['broken binary', () => 'a: !!binary "===="\n'],
  ['integers by tag', () => `a: !!int ${'9'.repeat(100_000)}\n`],
  ['a hexadecimal number', () => `a: 0x${'f'.repeat(1_000_000)}\n`],
  ['3 million digits', DIGITS],
  ['12 million digits', () => `a: ${'9'.repeat(12_000_000)}`],
  ['60 million digits', () => `a: ${'9'.repeat(60_000_000)}`, LONG],
  ['sexagesimal numbers', () => `a: ${'59:'.repeat(100_000)}1\n`],
  ['timestamps', () => lines(50_000, () => '- 2001-12-14t21:59:43.10-05:00')],
  ['100,000 levels of flow', () => '['.repeat(100_000)],
  ['9,000 levels of flow', () => '['.repeat(9000) + ']'.repeat(9000)],
  ['5,000 levels of blocks', () => lines(5000, (i) => `${' '.repeat(i % 1000)}a:`)],
  ['1,500 levels of lists', () => `${'- '.repeat(1500)}a\n`],
  ['tabs', () => 'a:\n\tb: 1\n'],
  ['UTF-16', () => Buffer.from('\ufeffa: 1\n', 'utf16le')],
  ['invalid UTF-8', () => Buffer.from('a: "\xff\xfe"\n', 'latin1')],
  ['NUL', () => 'a: \0\n'],
  ['a byte order mark', () => '\ufeffa: 1\n'],
  ['directives', () => `%YAML 1.2\n%TAG ! tag:x,2000:\n---\na: !b 1\n`],
  ['100,000 directives', () => `${lines(100_000, (i) => `%TAG !t${i}! tag:x${i},2000:`)}\n---\na: 1\n`],
  ['a million repeated keys', () => 'a: 1\n'.repeat(600_000)],
  ['2 million repeated keys', () => 'a: 1\n'.repeat(2_000_000)],
  ['16 million separators', () => Buffer.alloc(64_000_000, '---\n'), LONG],
  ['5 million separators', () => Buffer.alloc(20_000_000, '---\n')],
  ['2 million documents', () => Buffer.alloc(12_000_000, '---\na\n')],
  ['90,000 documents', () => 'a: 1\n---\n'.repeat(90_000)],
  ['40 MB of comments', () => Buffer.alloc(40_000_000, '# a\n'), LONG],
  ['escapes', () => `a: "${'\\x41'.repeat(500_000)}"\n`],
  ['folded lines', () => `a: >\n${lines(300_000, () => '  b')}\n`],
  ['plain text over lines', () => `a: b\n${lines(300_000, () => '  c')}\n`],
  ['a quoted text over lines', () => `a: "b\n${lines(300_000, () => '  c')}"\n`],
  ['complex keys', () => lines(2000, (i) => `? [a, {b: ${i}}]\n: 1`)],
  ['a key of 1 MB', () => `${'k'.repeat(1_000_000)}: 1\n`],
  ['prototypes as keys', () => '__proto__: {a: 1}\nconstructor: {prototype: {}}\n'],
  ['a list of a million', () => `{"kind":"List","items":[0${',0'.repeat(1_000_000)}]}`],
  ['lists in lists', () => `${'{"kind":"List","items":['.repeat(500)}${']}'.repeat(500)}`],
  ['an object in JSON without an end', () => `{"a":"${'x'.repeat(1_000_000)}`],
];

/** Tokens of YAML, with a middle dot between them. */
const TOKENS = [
  'a: ·- ·? ·: ·{·}·[·]·,·&a ·*a ·<<: ·"·\'',
  '|\n·>-\n·\n·\n  ·\n    ·---\n·...\n·!!int ·%TAG ·# ',
  '0x1·1e9·~·@·`·\t·kind: List\n·items:\n',
].flatMap((some) => some.split('·'));

const random = (choice: Random): string => choice.some(3 + choice.below(120), () => choice.of(TOKENS)).join('');

/** YAML bodies: bombs, oddities and random ones. */
export const bodiesYaml: Family = {
  name: 'bodies-yaml',
  shapes: ['embedded', 'keyed', 'fleet'],
  attacks: (choice) => [
    ...DOCUMENTS.map(([name, text, expected]) => posted(name, '/evaluate', ['yaml', text], [200, 400, 408, 413], expected)),
    posted('3 million digits at a short deadline', '/evaluate?deadline=1s', ['yaml', DIGITS], [200, 202, 400, 408]),
    posted('digits in the background', '/evaluate?wait=0', ['yaml', DIGITS], [200, 202, 400, 408]),
    ...choice.some(50, (i) =>
      posted(`random YAML ${i + 1}`, choice.of(['/evaluate', '/explain', '/definitions']), ['yaml', random(choice)], [200, 400, 413]),
    ),
  ],
};
