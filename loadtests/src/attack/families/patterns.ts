import type { Attack, Family } from '../attack.ts';
import type { Random } from '../random.ts';
import { posted, words } from '../send.ts';
import { IN_TIME_OR_NOT, judged, widgetBatch } from './judged.ts';

const nested = (open: string, inner: string, close: string, count: number): string => open.repeat(count) + inner + close.repeat(count);

const PATTERNS: readonly (readonly [name: string, pattern: string])[] = [
  ['nested stars', '(a+)+$'],
  ['alternatives that overlap', '(a|a|aa)*b'],
  ['stars of stars', nested('(', 'a', ')*', 200)],
  ['a word boundary', '(\\w+\\s?)*\\b$'],
  ['50 counted repetitions', '[a-z]{0,1000}'.repeat(50)],
  ['500 counted repetitions', '[a-z]{0,1000}'.repeat(500)],
  ['1,700 counted repetitions', '[a-z]{0,1000}'.repeat(1700)],
  ['counts of counts', '((((a{1,100}){1,100}){1,100}){1,100}){1,100}'],
  ['counts of counts within the limit', '((a{1,10}){1,10}){1,10}'],
  ['a count of 1,001', 'a{1001}'],
  ['states without end', '(a|b)*a(a|b){20}'],
  ['1,000 alternatives', Array.from({ length: 1000 }, (_, i) => `a${i}b*`).join('|')],
  ['all classes', '\\pL\\pN\\p{Greek}[[:alpha:]]'.repeat(200)],
  ['all of Unicode', '[\\x{0}-\\x{10FFFF}]{1000}'],
  ['without case', `(?i)${'ſKelvin'.repeat(500)}`],
  ['look-ahead', '(?=a)'],
  ['a reference back', '(a)\\1'],
  ['possessive', 'a++'],
  ['lazy', `${'a*?'.repeat(1000)}b`],
  ['brackets without an end', '['.repeat(1000)],
  ['groups', '('.repeat(999) + ')'.repeat(999)],
  ['groups beyond the limit', '('.repeat(100_000) + ')'.repeat(100_000)],
  ['names of groups', Array.from({ length: 500 }, (_, i) => `(?P<n${i}>a)`).join('')],
  ['empty', ''],
  ['empty loops', '(()*)*(|)*'],
];

const ATOMS = words(String.raw`a . [a-z] \w \pL (?i:k) ^ $ \b [^a] ( ) | * +? {0,200} {2,} {1000} ? [[:alpha:] \Q \E \x{10FFFF} (?: (?s)`);
const random = (choice: Random): string => choice.some(1 + choice.below(30), () => choice.of(ATOMS)).join('');

const TEXT = `${'a'.repeat(2900)}!`;

/** A pattern of the schema, and a text of 2 MB that it is held against. */
function inSchema(name: string, pattern: string): Attack {
  const schema = `{"type":"string","pattern":${JSON.stringify(pattern)}}`;
  const body = (): string => widgetBatch(schema, `"${'a'.repeat(2_000_000)}!"`);
  return posted(`schema: ${name}`, '/evaluate', ['json', body], IN_TIME_OR_NOT, { says: /"items":\[\{/ });
}

/** A pattern that an object holds, in a rule. */
const inObject = (name: string, s: string, t: string): Attack => judged(name, () => 'self.s.matches(self.t)', { s, t });

/** Patterns of schemas, of rules and of objects. */
export const patterns: Family = {
  name: 'patterns',
  shapes: ['keyed', 'embedded', 'fleet'],
  attacks: (choice) => [
    ...PATTERNS.map(([name, pattern]) => inSchema(name, pattern)),
    ...PATTERNS.map(([name, pattern]) => inObject(`object: ${name}`, TEXT, pattern.slice(0, 3000))),
    ...choice.some(40, (i) => inObject(`random pattern ${i + 1}`, TEXT.slice(0, 500), random(choice))),
  ],
};
