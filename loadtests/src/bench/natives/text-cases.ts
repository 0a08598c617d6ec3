import { LONG, ofParts, text, times } from './native-case.ts';
import type { NativeCase } from './native-case.ts';

/** Two long texts that differ in their last character. */
const pair = (part: string) => ({ s: `${text(part)}a`, t: `${text(part)}b` });
/** A long text, and a short text that is not in the long text. */
const haystack = (part: string) => ({ s: text(part), t: `${part.repeat(3)}z` });

const COMPARISONS = { less: '<', less_equals: '<=', greater: '>', greater_equals: '>=' } as const;

const compared: readonly NativeCase[] = [
  ...ofParts(['equals'], '!(self.s == self.t)', pair),
  { overloads: ['not_equals'], rule: 'self.s != self.t', value: () => pair('a'), data: 'ASCII' },
  ...Object.entries(COMPARISONS).flatMap(([name, sign]) => [
    ...ofParts([`${name}_string`], `(self.s ${sign} self.t) in [true, false]`, pair),
    {
      overloads: [`${name}_bytes`, 'string_to_bytes'],
      rule: `(bytes(self.s) ${sign} bytes(self.t)) in [true, false]`,
      value: () => pair('aé'),
    },
  ]),
];

const tested: readonly NativeCase[] = [
  ...ofParts(['contains_string'], '!self.s.contains(self.t)', haystack),
  {
    overloads: ['contains_string'],
    rule: '!self.s.contains(self.t)',
    value: () => ({ s: text('a'), t: `${text('a', 500)}b` }),
    data: 'nearly found',
  },
  ...ofParts(['starts_with_string'], '!self.s.startsWith(self.t)', (part) => ({ s: text(part), t: `${text(part, LONG - 100)}x` })),
  ...ofParts(['ends_with_string'], '!self.s.endsWith(self.t)', (part) => ({ s: text(part), t: `x${text(part, LONG - 100)}` })),
  ...ofParts(['string_index_of_string'], 'self.s.indexOf(self.t) == -1', haystack),
  { overloads: ['string_index_of_string_int'], rule: 'self.s.indexOf(self.t, 5) == -1', value: () => haystack('aé') },
  ...ofParts(['string_last_index_of_string'], 'self.s.lastIndexOf(self.t) == -1', haystack),
  { overloads: ['string_last_index_of_string_int'], rule: 'self.s.lastIndexOf(self.t, 900000) == -1', value: () => haystack('aé') },
];

const converted: readonly NativeCase[] = [
  ...ofParts(['size_string'], 'size(self.s) > 0', (part) => ({ s: text(part) })),
  ...ofParts(['string_size'], 'self.s.size() > 0', (part) => ({ s: text(part) })),
  ...ofParts(['string_to_bytes'], 'bytes(self.s).size() > 0', (part) => ({ s: text(part) })),
  ...ofParts(['bytes_to_string'], "string(bytes(self.s)) != ''", (part) => ({ s: text(part) })),
  { overloads: ['add_string'], rule: 'self.s + self.t != self.t + self.s', value: () => ({ s: text('a'), t: text('b') }), data: 'ASCII' },
  { overloads: ['add_bytes'], rule: '(bytes(self.s) + bytes(self.t)).size() > 0', value: () => ({ s: text('a'), t: text('é') }) },
  { overloads: ['string_to_bool'], rule: 'bool(self.s) || true', value: () => ({ s: text('t') }), data: 'refused' },
  { overloads: ['string_to_int64'], rule: 'int(self.s) == 1', value: () => ({ s: `${text('0')}1` }) },
  { overloads: ['string_to_uint64'], rule: 'uint(self.s) == 1u', value: () => ({ s: `${text('0')}1` }) },
  { overloads: ['string_to_double'], rule: 'double(self.s) > 0.0', value: () => ({ s: `0.${text('3')}` }), data: 'fraction' },
  { overloads: ['string_to_double'], rule: 'double(self.s) > 0.0', value: () => ({ s: `${text('0')}1` }), data: 'zeros' },
  {
    overloads: ['string_to_double'],
    rule: 'self.l.all(x, double(x) > 0.0)',
    value: () => ({ l: times(20_000, (i) => `${i}.5e3`).map((one) => `1${one}`) }),
    data: 'many short',
  },
  { overloads: ['string_to_duration'], rule: "duration(self.s) > duration('0s')", value: () => ({ s: text('1ns') }), data: 'parts' },
  {
    overloads: ['string_to_duration'],
    rule: "duration(self.s) > duration('0s')",
    value: () => ({ s: text('1.5ms2us', 100_000) }),
    data: 'fractions',
  },
  {
    overloads: ['string_to_duration'],
    rule: "duration(self.s) > duration('0s')",
    value: () => ({ s: `0.${text('1')}s` }),
    data: 'long fraction',
  },
  {
    overloads: ['string_to_duration'],
    rule: "self.l.all(x, duration(x) > duration('0s'))",
    value: () => ({ l: times(20_000, (i) => `${i + 1}m3s`) }),
    data: 'many short',
  },
  {
    overloads: ['string_to_timestamp'],
    rule: "timestamp(self.s) > timestamp('2000-01-01T00:00:00Z')",
    value: () => ({ s: `2020-01-01T00:00:00.${text('1')}Z` }),
    data: 'long fraction',
  },
  {
    overloads: ['string_to_timestamp'],
    rule: "self.l.all(x, timestamp(x) > timestamp('2000-01-01T00:00:00Z'))",
    value: () => ({ l: times(20_000, (i) => `20${10 + (i % 90)}-01-01T00:00:00Z`) }),
    data: 'many short',
  },
];

/** Overloads that read a part of a timestamp in a time zone. */
const ZONED = {
  getFullYear: 'timestamp_to_year_with_tz',
  getMonth: 'timestamp_to_month_with_tz',
  getDayOfYear: 'timestamp_to_day_of_year_with_tz',
  getDayOfMonth: 'timestamp_to_day_of_month_with_tz',
  getDate: 'timestamp_to_day_of_month_1_based_with_tz',
  getDayOfWeek: 'timestamp_to_day_of_week_with_tz',
  getHours: 'timestamp_to_hours_with_tz',
  getMinutes: 'timestamp_to_minutes_with_tz',
  getSeconds: 'timestamp_to_seconds_tz',
  getMilliseconds: 'timestamp_to_milliseconds_with_tz',
} as const;

const zoned: readonly NativeCase[] = Object.entries(ZONED).map(([name, id]) => ({
  overloads: [id],
  rule: `self.l.all(x, timestamp('2020-01-01T00:00:00Z').${name}(x) >= 0)`,
  value: () => ({ l: times(2000, (i) => ['Europe/Berlin', 'America/New_York', '+05:30', 'Asia/Tokyo'][i % 4] as string) }),
  data: 'many short',
}));

const rewritten: readonly NativeCase[] = [
  ...ofParts(['string_char_at_int'], "self.s.charAt(200000) != ''", (part) => ({ s: text(part) })),
  ...ofParts(['string_lower_ascii'], "self.s.lowerAscii() != ''", (part) => ({ s: text(`A${part}`, LONG) })),
  ...ofParts(['string_upper_ascii'], "self.s.upperAscii() != ''", (part) => ({ s: text(`a${part}`, LONG) })),
  ...ofParts(['string_replace_string_string'], "self.s.replace('x', 'yz') != ''", (part) => ({ s: text(`${part}x`) })),
  {
    overloads: ['string_replace_string_string'],
    rule: "self.s.replace('', '-') != ''",
    value: () => ({ s: text('aé', 200_000) }),
    data: 'between all',
  },
  { overloads: ['string_replace_string_string_int'], rule: "self.s.replace('x', 'yz', 90000) != ''", value: () => ({ s: text('abcdéx') }) },
  ...ofParts(['string_split_string'], "self.s.split(',').size() > 0", (part) => ({ s: text(`${part},`) })),
  {
    overloads: ['string_split_string'],
    rule: "self.s.split('').size() > 0",
    value: () => ({ s: text('aé', 200_000) }),
    data: 'characters',
  },
  { overloads: ['string_split_string_int'], rule: "self.s.split(',', 90000).size() > 0", value: () => ({ s: text('abcdé,') }) },
  ...ofParts(['string_substring_int'], "self.s.substring(200000) != ''", (part) => ({ s: text(part) })),
  { overloads: ['string_substring_int_int'], rule: "self.s.substring(10, 200000) != ''", value: () => ({ s: text('aé') }) },
  { overloads: ['string_trim'], rule: "self.s.trim() == 'x'", value: () => ({ s: `${text(' ', LONG / 2)}x${text('\u2003', LONG / 2)}` }) },
  ...ofParts(['strings_quote'], "strings.quote(self.s) != ''", (part) => ({ s: text(`${part}"`) })),
  { overloads: ['strings_quote'], rule: "strings.quote(self.s) != ''", value: () => ({ s: text('\u0007\\"') }), data: 'escapes' },
  { overloads: ['string_format'], rule: "'%s'.format([self.s]) != ''", value: () => ({ s: text('aé') }), data: 'a text' },
  {
    overloads: ['string_format'],
    rule: "'%s'.format([self.l]) != ''",
    value: () => ({ l: times(100_000, (i) => `k${i}`) }),
    data: 'a list',
  },
  {
    overloads: ['string_format'],
    rule: "'%s'.format([self.m]) != ''",
    value: () => ({ m: Object.fromEntries(times(30_000, (i) => [`k${i}`, 'v'])) }),
    data: 'a map',
  },
  { overloads: ['string_format'], rule: "'%x'.format([self.s]) != ''", value: () => ({ s: text('aé') }), data: 'hexadecimal' },
  {
    overloads: ['string_format'],
    rule: "self.n.all(x, '%d %b %.3f'.format([x, x, 1.5]) != '')",
    value: () => ({ n: times(20_000, (i) => i) }),
    data: 'many short',
  },
  { overloads: ['list_join'], rule: "self.l.join() != ''", value: () => ({ l: times(100_000, (i) => `k${i}`) }) },
  { overloads: ['list_join_string'], rule: "self.l.join(', ') != ''", value: () => ({ l: times(100_000, (i) => `k${i}é`) }) },
];

const PATTERNS: readonly (readonly [data: string, pattern: string, length: number, part: string])[] = [
  ['class', '^[a-z-]+$', 200_000, 'abcdefgh-j'],
  ['literal', 'abc.*zzz', 200_000, 'abcdefgh-j'],
  ['alternatives', '^(ab|cd|ef|gh|-j)+$', 200_000, 'abcdefgh-j'],
  ['nested', '(a*)*b', 100_000, 'a'],
  ['counted', '(x{0,20}y){0,20}z', 50_000, 'x'],
  ['unicode', '^\\p{L}+$', 100_000, 'é字'],
];

const matched: readonly NativeCase[] = [
  ...PATTERNS.map(([data, pattern, length, part]) => ({
    overloads: ['matches_string'],
    rule: `self.s.matches(${JSON.stringify(pattern)}) in [true, false]`,
    value: () => ({ s: text(part, length) }),
    data,
  })),
  { overloads: ['matches'], rule: "matches(self.s, '^[a-z-]+$')", value: () => ({ s: text('abcdefgh-j', 200_000) }), data: 'class' },
  { overloads: ['string_find_string'], rule: "self.s.find('j-?z') == ''", value: () => ({ s: text('abcdefgh-j', 200_000) }) },
  { overloads: ['string_find_all_string'], rule: "self.s.findAll('[a-h]+').size() > 0", value: () => ({ s: text('abcdefgh-j', 200_000) }) },
  {
    overloads: ['string_find_all_string_int'],
    rule: "self.s.findAll('[a-h]+', 10000).size() > 0",
    value: () => ({ s: text('abcdefgh-j', 200_000) }),
  },
];

/** Cases for functions of texts and bytes. */
export const TEXT_CASES: readonly NativeCase[] = [...compared, ...tested, ...converted, ...zoned, ...rewritten, ...matched];
