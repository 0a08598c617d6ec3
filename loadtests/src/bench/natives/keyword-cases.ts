import { STRING_FORMATS } from '#kube';
import { LONG, MANY, PARTS, scrambled, text, times } from './native-case.ts';

/** Schema with a keyword that does work in proportion to its data, and large data for it. */
export interface KeywordCase {
  readonly name: string;
  /** Schema of the field `f` of the value. */
  readonly schema: object;
  /** Value of the field, made when the case is measured. */
  readonly field: () => unknown;
}

const TEXT = { type: 'string' };
const textCase = (name: string, keyword: object, field: () => string): KeywordCase => ({ name, schema: { ...TEXT, ...keyword }, field });
const listCase = (name: string, items: object, keyword: object, element: (i: number) => unknown, count = MANY): KeywordCase => ({
  name,
  schema: { type: 'array', items, ...keyword },
  field: () => times(count, element),
});

/** Patterns, and long texts for them. */
const PATTERNS: readonly (readonly [pattern: string, part: string, length: number])[] = [
  ['^[a-z-]+$', PARTS.ASCII, 200_000],
  ['^(ab|cd|ef|gh|-j)+$', PARTS.ASCII, 200_000],
  ['z{3}', PARTS.ASCII, 200_000],
  ['^\\p{L}+$', 'é字', 100_000],
  ['(a*)*b', 'a', 100_000],
];

/** A short text of each format, or one near to it. Texts of formats that are not listed are digits. */
const SHORT: Readonly<Record<string, (i: number) => string>> = {
  uri: (i) => `https://example.com/${i}`,
  email: (i) => `name${i}@example.com`,
  hostname: (i) => `host${i}.example.com`,
  ipv4: (i) => `10.0.${i >> 8}.${i & 255}`,
  ipv6: (i) => `2001:db8::${i.toString(16)}`,
  cidr: (i) => `10.${i >> 8}.${i & 255}.0/24`,
  mac: () => '00:1b:63:84:45:e6',
  byte: (i) => `YWJj${String(1000 + (i % 9000))}`,
  date: (i) => `20${10 + (i % 90)}-01-01`,
  datetime: (i) => `20${10 + (i % 90)}-01-01T00:00:00Z`,
  duration: (i) => `${i + 1}h3m`,
  k8sshortname: (i) => `name-${i}`,
  k8slongname: (i) => `name-${i}.example`,
};

/** A part that a long text for a format repeats. */
const LONG_PART: Readonly<Record<string, string>> = {
  uri: 'http://a/%41é',
  email: 'a@b.',
  hostname: 'ab.',
  ipv6: '1:',
  cidr: '1:',
  byte: 'abcd',
  duration: '1h3m',
  k8slongname: 'ab.',
  k8sshortname: 'a-',
};

const distinct = scrambled(MANY);
const NAMED = { type: 'object', required: ['name'], properties: { name: TEXT, n: { type: 'integer' } } };

/** Cases for the keywords whose work grows with their data. */
export const KEYWORD_CASES: readonly KeywordCase[] = [
  ...Object.entries(PARTS).map(([name, part]) => textCase(`maxLength, ${name}`, { maxLength: 2 * LONG }, () => text(part))),
  ...PATTERNS.map(([pattern, part, length]) => textCase(`pattern ${pattern}`, { pattern }, () => text(part, length))),
  listCase('pattern, many short', { ...TEXT, pattern: '^[a-z]+-[0-9]+$' }, {}, (i) => `name-${i}`),
  ...STRING_FORMATS.flatMap((format) => [
    textCase(`format ${format}, long`, { format }, () => text(LONG_PART[format] ?? '1234-')),
    listCase(
      `format ${format}, many short`,
      { ...TEXT, format },
      {},
      SHORT[format] ?? ((i) => String(100_000_000_000 + i)),
      format in SHORT ? 20_000 : 500,
    ),
  ]),
  listCase('enum of texts', { ...TEXT, enum: times(100, (i) => `name-${i}`) }, {}, (i) => `name-${i % 100}`),
  listCase('enum of numbers', { type: 'integer', enum: times(100, (i) => i) }, {}, (i) => i % 100),
  textCase('enum, a long text', { enum: [`${text('a')}a`] }, () => `${text('a')}b`),
  listCase('set of texts', TEXT, { 'x-kubernetes-list-type': 'set' }, (i) => `name-${distinct[i]}`),
  listCase('set of numbers', { type: 'integer' }, { 'x-kubernetes-list-type': 'set' }, (i) => distinct[i]),
  listCase('map, one key', NAMED, { 'x-kubernetes-list-type': 'map', 'x-kubernetes-list-map-keys': ['name'] }, (i) => ({
    name: `name-${distinct[i]}`,
  })),
  listCase(
    'map, two keys',
    { ...NAMED, required: ['name', 'n'] },
    { 'x-kubernetes-list-type': 'map', 'x-kubernetes-list-map-keys': ['name', 'n'] },
    (i) => ({ name: 'name', n: distinct[i] }),
  ),
  listCase('set of long texts', TEXT, { 'x-kubernetes-list-type': 'set' }, (i) => `${text('a', 100_000)}${i}`, 20),
];
