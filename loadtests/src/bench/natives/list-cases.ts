import { MANY, scrambled, times } from './native-case.ts';
import type { NativeCase, NativeValue } from './native-case.ts';

/** Number of elements for functions that take the square of it in Go. */
const FEW = 2000;

const numbers = () => ({ n: scrambled(MANY) });
const fewNumbers = () => ({ n: scrambled(FEW) });
const sortedNumbers = () => ({ n: times(MANY, (i) => i) });
const names = (count = MANY): string[] => times(count, (i) => `name-${String(i).padStart(6, '0')}`);
const mixedNames = (count = MANY): string[] => scrambled(count).map((i) => `name-${i}`);
const mapOf = (count: number): Record<string, string> => Object.fromEntries(names(count).map((name) => [name, 'v']));

/** Rules that make lists of a type, by the type's name in overload ids. */
const LISTS = {
  int: { list: 'self.n', of: numbers },
  uint: { list: 'self.n.map(x, uint(x))', of: numbers },
  double: { list: 'self.d', of: () => ({ d: scrambled(MANY).map((i) => i + 0.5) }) },
  bool: { list: 'self.n.map(x, x > 50000)', of: numbers },
  duration: { list: 'self.l.map(x, duration(x))', of: () => ({ l: scrambled(20_000).map((i) => `${i}s`) }) },
  timestamp: {
    list: 'self.l.map(x, timestamp(x))',
    of: () => ({ l: scrambled(20_000).map((i) => `${2000 + (i % 1000)}-01-01T00:00:00Z`) }),
  },
  string: { list: 'self.l', of: () => ({ l: mixedNames() }) },
  bytes: { list: 'self.l.map(x, bytes(x))', of: () => ({ l: mixedNames(20_000) }) },
} as const;

const shortened = (value: NativeValue): NativeValue =>
  Object.fromEntries(Object.entries(value).map(([name, list]) => [name, Array.isArray(list) ? list.slice(0, FEW) : (list as unknown)]));

const SORTED_IDS: Readonly<Record<string, string>> = { duration: 'google.protobuf.Duration', timestamp: 'google.protobuf.Timestamp' };
const SUMMED = new Set(['int', 'uint', 'double', 'duration']);

const reduced: readonly NativeCase[] = Object.entries(LISTS).flatMap(([type, { list, of }]) => {
  const sortId = SORTED_IDS[type] ?? type;
  const key = list.replace(/^self\.[nld](?:\.map\(x, (.*)\))?$/, (_, mapped?: string) => mapped ?? 'x');
  const source = list.slice(0, 6);
  // In Go, a list that a macro creates takes quadratic time, so this list is shorter.
  const value = list.includes('.map(') ? () => shortened(of()) : of;
  return [
    { overloads: [`list_${type}_is_sorted_bool`], rule: `${list}.isSorted() in [true, false]`, value },
    ...(SUMMED.has(type) ? [{ overloads: [`list_${type}_sum_${type}`], rule: `${list}.sum() == ${list}.sum()`, value }] : []),
    { overloads: [`list_${type}_max_${type}`, `list_${type}_min_${type}`], rule: `${list}.min() <= ${list}.max()`, value },
    { overloads: [`list_${sortId}_sort`], rule: `${list}.sort().size() > 0`, value },
    { overloads: [`list_${sortId}_sortByAssociatedKeys`], rule: `${source}.sortBy(x, ${key}).size() > 0`, value: () => shortened(value()) },
  ];
});

const searched: readonly NativeCase[] = [
  { overloads: ['in_list'], rule: '!(self.s in self.l)', value: () => ({ s: 'name-zzzzzz', l: names() }), data: 'texts' },
  { overloads: ['in_list'], rule: '!(-1 in self.n)', value: numbers, data: 'numbers' },
  {
    overloads: ['list_a_index_of_int'],
    rule: 'self.l.indexOf(self.s) == -1',
    value: () => ({ s: 'name-zzzzzz', l: names() }),
    data: 'texts',
  },
  { overloads: ['list_a_index_of_int'], rule: 'self.n.indexOf(-1) == -1', value: numbers, data: 'numbers' },
  { overloads: ['list_a_last_index_of_int'], rule: 'self.l.lastIndexOf(self.s) == -1', value: () => ({ s: 'name-zzzzzz', l: names() }) },
  {
    overloads: ['list_includes_dyn_dyn'],
    rule: 'self.l.includes(self.s) in [true, false]',
    value: () => ({ s: 'name-zzzzzz', l: names() }),
  },
  { overloads: ['equals'], rule: 'self.l == self.k', value: () => ({ l: names(), k: names() }), data: 'lists of texts' },
  {
    overloads: ['equals'],
    rule: 'self.n == self.o',
    value: () => ({ ...sortedNumbers(), o: times(MANY, (i) => i) }),
    data: 'lists of numbers',
  },
  { overloads: ['equals'], rule: 'self.m == self.w', value: () => ({ m: mapOf(30_000), w: mapOf(30_000) }), data: 'maps' },
  { overloads: ['not_equals'], rule: '!(self.l != self.k)', value: () => ({ l: names(), k: names() }), data: 'lists of texts' },
];

const made: readonly NativeCase[] = [
  { overloads: ['optional_unwrap'], rule: 'optional.unwrap(self.n.map(x, optional.of(x))).size() > 0', value: fewNumbers },
  { overloads: ['optional_unwrapOpt'], rule: 'self.n.map(x, optional.of(x)).unwrapOpt().size() > 0', value: fewNumbers },
  { overloads: ['list_slice'], rule: 'self.n.slice(1, 99999).size() > 0', value: numbers },
  { overloads: ['list_flatten'], rule: '[self.n, self.n, self.n].flatten().size() > 0', value: numbers },
  { overloads: ['list_flatten_int'], rule: '[[self.n], [self.n]].flatten(3).size() > 0', value: numbers },
  { overloads: ['lists_range'], rule: 'lists.range(100000).size() > 0', value: () => ({}) },
  { overloads: ['list_reverse'], rule: 'self.n.reverse().size() > 0', value: numbers },
  { overloads: ['list_distinct'], rule: 'self.n.distinct().size() > 0', value: () => ({ n: scrambled(FEW) }), data: 'numbers' },
  { overloads: ['list_distinct'], rule: 'self.l.distinct().size() > 0', value: () => ({ l: mixedNames(FEW) }), data: 'texts' },
  ...['contains', 'equivalent', 'intersects'].flatMap((name) => [
    {
      overloads: [`list_sets_${name}_list`],
      rule: `sets.${name}(self.l, self.k) in [true, false]`,
      value: () => ({
        l: mixedNames(1000),
        k: mixedNames(1000)
          .toReversed()
          .map((one) => (name === 'intersects' ? `${one}x` : one)),
      }),
      data: 'texts',
    },
    {
      overloads: [`list_sets_${name}_list`],
      rule: `sets.${name}(self.n, self.o) in [true, false]`,
      value: () => ({
        n: scrambled(1000),
        o: scrambled(1000)
          .toReversed()
          .map((one) => (name === 'intersects' ? one + 1000 : one)),
      }),
      data: 'numbers',
    },
  ]),
  { overloads: ['@mapInsert_map_key_value'], rule: 'self.m.transformMap(k, v, v).size() > 0', value: () => ({ m: mapOf(FEW) }) },
  { overloads: ['@mapInsert_map_map'], rule: 'self.l.transformMapEntry(i, v, {v: i}).size() > 0', value: () => ({ l: mixedNames(FEW) }) },
];

/** Cases for functions of lists and maps. */
export const LIST_CASES: readonly NativeCase[] = [...reduced, ...searched, ...made];
