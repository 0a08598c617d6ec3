import type { Family } from '../attack.ts';
import type { Random } from '../random.ts';
import { postedRows, tablesOf } from '../input-tables.ts';
import { posted } from '../send.ts';

const TABLES = tablesOf('bodies-yaml');
const TOKENS = TABLES.texts('tokens');

const lines = (count: number, line: (i: number) => string): string => Array.from({ length: count }, (_, i) => line(i)).join('\n');
const DIGITS = (): string => `a: ${'9'.repeat(3_000_000)}`;
/** Status codes that are correct for all documents. */
const CODES = [200, 400, 408, 413];

/** Documents that are generated or that are not valid text. */
const MADE: readonly (readonly [name: string, document: () => string | Buffer])[] = [
  ['3,000 chained merges', () => `a0: &a0 {k: 1}\n${lines(3000, (i) => `a${i + 1}: &a${i + 1} {<<: *a${i}, k${i}: 1}`)}\n`],
  ['5,000 levels of blocks', () => lines(5000, (i) => `${' '.repeat(i % 1000)}a:`)],
  ['UTF-16', () => Buffer.from('\ufeffa: 1\n', 'utf16le')],
  ['invalid UTF-8', () => Buffer.from('a: "\xff\xfe"\n', 'latin1')],
];

const random = (choice: Random): string => choice.some(3 + choice.below(120), () => choice.of(TOKENS)).join('');

/** Attacks with YAML bodies: bombs, unusual documents and random ones. */
export const bodiesYaml: Family = {
  name: 'bodies-yaml',
  shapes: ['embedded', 'keyed', 'fleet'],
  attacks: (choice) => [
    ...postedRows(TABLES.rows('documents'), 'yaml', CODES),
    ...MADE.map(([name, document]) => posted(name, '/evaluate', ['yaml', document], CODES)),
    posted('3 million digits at a short deadline', '/evaluate?deadline=1s', ['yaml', DIGITS], [200, 202, 400, 408]),
    posted('digits in the background', '/evaluate?wait=0', ['yaml', DIGITS], [200, 202, 400, 408]),
    ...choice.some(50, (i) =>
      posted(`random YAML ${i + 1}`, choice.of(['/evaluate', '/explain', '/definitions']), ['yaml', random(choice)], [200, 400, 413]),
    ),
  ],
};
