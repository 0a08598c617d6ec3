import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';
import { PROJECT } from '../../places.ts';

/** Rule that is measured on values of increasing size. */
export interface CalibrationRule {
  readonly rule: string;
  /** Sizes of the values on which the rule is measured, for example numbers of list elements or widths of texts. */
  readonly sizes: readonly number[];
  /** Returns the value of `self` for a size. */
  readonly value: (size: number) => unknown;
  /** Returns the schema of `self` for a size. */
  readonly schema: (size: number) => object;
}

/** Rules over values of one kind, in the format of the file that contains the calibration rules. */
interface RuleGroup {
  readonly values: keyof typeof VALUES;
  readonly sizes: readonly number[];
  readonly rules: readonly string[];
}

const FILE = join(PROJECT, 'loadtests/calibration/rules.yaml');

const list = (items: object): object => ({ type: 'array', items });
const map = (values: object): object => ({ type: 'object', additionalProperties: values });
const objectOf = (properties: object): object => ({ type: 'object', properties });
const INT = { type: 'integer' };
const TEXT = { type: 'string' };

/** Default schema of `self`. */
const SCHEMA = objectOf({
  ints: list(INT),
  more: list(INT),
  texts: list(TEXT),
  objects: list(objectOf({ a: INT, b: INT, name: TEXT, tags: list(TEXT), inner: objectOf({ a: INT }) })),
  labels: map(TEXT),
  byName: map(objectOf({ a: INT, name: TEXT })),
  text: TEXT,
  n: INT,
  m: INT,
  inner: objectOf({ n: INT, text: TEXT, inner: objectOf({ n: INT }) }),
});

/**
 * Returns the schema of an object with `size` properties. A server needs more time for a field access if the object has more properties.
 */
const wideSchema = (size: number): object => {
  const more = Object.fromEntries(times(Math.max(0, size - 4), (i) => [`more${i}`, TEXT]));
  return objectOf({ n: INT, text: TEXT, missing: INT, inner: objectOf({ n: INT, ...more }), ...more });
};

/** Schemas for kinds of values that do not match the default schema. */
const SCHEMAS: Readonly<Record<string, CalibrationRule['schema']>> = { wideFields: wideSchema, text: () => TEXT, int: () => INT };

const times = <T>(count: number, one: (i: number) => T): T[] => Array.from({ length: count }, (_, i) => one(i));
const word = (i: number): string => `a${String(i).padStart(7, '0')}`;
const wide = (i: number, width: number): string =>
  `${'abcdefgh-'.repeat(Math.ceil(width / 9)).slice(0, Math.max(0, width - 4))}${String(1000 + i)}`;
const mapOf = (n: number, value: (i: number) => unknown): object => Object.fromEntries(times(n, (i) => [word(i), value(i)]));
/** Functions that create values: `many` creates `n` texts, and `long` creates 64 texts of a given width. */
const many = (text: (i: number) => string) => (n: number) => ({ texts: times(n, text) });
const long = (text: (i: number, width: number) => string) => (width: number) => ({ texts: times(64, (i) => text(i, width)) });

/** Functions that create the value of `self`, by the name of its kind. */
const VALUES = {
  ints: (n: number) => ({ ints: times(n, (i) => i), n: -1 }),
  twoLists: (n: number) => ({ ints: times(n, (i) => i), more: times(n, (i) => n - 1 - i) }),
  objects: (n: number) => ({ objects: times(n, (i) => ({ a: i, b: i + 1, name: word(i), tags: ['x', 'y'], inner: { a: i } })) }),
  labels: (n: number) => ({ labels: mapOf(n, (i) => `value${i}`), text: 'none' }),
  named: (n: number) => ({ byName: mapOf(n, (i) => ({ a: i, name: word(i) })) }),
  fields: (n: number) => ({ n, m: n + 1, text: 'abcdefgh', inner: { n, text: 'abc', inner: { n } } }),
  wideFields: () => ({ n: 1, text: 'abcdefgh', inner: { n: 1 } }),
  int: (n: number) => n,
  text: (width: number) => wide(0, width),
  wideTexts: (width: number) => ({ ...long(wide)(width), text: wide(0, width) }),
  longUrls: long((i, width) => `https://host${i}.example.com/${'path/'.repeat(width / 4)}`),
  longNumbers: long((i, width) => `1.${'2'.repeat(width)}${i}`),
  texts: (n: number) => ({ ...many(word)(n), text: 'none' }),
  addresses: many((i) => `10.0.${i % 250}.${i % 200}`),
  ranges: many((i) => `10.${i % 250}.0.0/16`),
  quantities: many((i) => `${100 + i}Mi`),
  urls: many((i) => `https://host${i}.example.com:8080/path/${i}?a=b`),
  versions: many((i) => `1.${i}.3`),
  durations: many((i) => `${i + 1}m30s`),
  timestamps: many((i) => `2024-01-${String(10 + (i % 20))}T10:00:00Z`),
  numbers: many((i) => String(1000 + i)),
  names: many((i) => `name-${i}`),
} as const;

/** Reads the rules with which the model is calibrated. The validation uses different rules. */
export function calibrationRules(): CalibrationRule[] {
  const groups = parse(readFileSync(FILE, 'utf8')) as readonly RuleGroup[];
  return groups.flatMap(({ values, sizes, rules }) =>
    rules.map((rule) => ({ rule, sizes, value: VALUES[values], schema: SCHEMAS[values] ?? (() => SCHEMA) })),
  );
}
