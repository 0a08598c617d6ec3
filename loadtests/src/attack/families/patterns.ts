import type { Attack, Family } from '../attack.ts';
import type { Random } from '../random.ts';
import { tablesOf, written } from '../input-tables.ts';
import { posted, words } from '../send.ts';
import { IN_TIME_OR_NOT, judged, widgetBatch } from './judged.ts';

const PATTERNS = tablesOf('patterns')
  .rows('patterns')
  .map(({ name, text }) => ({ name, pattern: written(text) }));

const ATOMS = words(String.raw`a . [a-z] \w \pL (?i:k) ^ $ \b [^a] ( ) | * +? {0,200} {2,} {1000} ? [[:alpha:] \Q \E \x{10FFFF} (?: (?s)`);
const random = (choice: Random): string => choice.some(1 + choice.below(30), () => choice.of(ATOMS)).join('');

const TEXT = `${'a'.repeat(2900)}!`;

/** Returns an attack that matches a `pattern` of the schema against a text of 2 MB. */
function inSchema(name: string, pattern: string): Attack {
  const schema = `{"type":"string","pattern":${JSON.stringify(pattern)}}`;
  const body = (): string => widgetBatch(schema, `"${'a'.repeat(2_000_000)}!"`);
  return posted(`schema: ${name}`, '/evaluate', ['json', body], IN_TIME_OR_NOT, { says: /"items":\[\{/ });
}

/** Returns an attack in which a rule matches a text against a pattern that the object contains. */
const inObject = (name: string, s: string, t: string): Attack => judged(name, () => 'self.s.matches(self.t)', { s, t });

/** Attacks with patterns in schemas, rules and objects. */
export const patterns: Family = {
  name: 'patterns',
  shapes: ['keyed', 'embedded', 'fleet'],
  attacks: (choice) => [
    ...PATTERNS.map(({ name, pattern }) => inSchema(name, pattern)),
    ...PATTERNS.map(({ name, pattern }) => inObject(`object: ${name}`, TEXT, pattern.slice(0, 3000))),
    ...choice.some(40, (i) => inObject(`random pattern ${i + 1}`, TEXT.slice(0, 500), random(choice))),
  ],
};
