import type { CelCase } from '../engines/cel-cases.ts';
import { withRules } from '../workloads/rule-definition.ts';

/** Value for which the work of validation is counted at several lengths. */
export interface ValueWork {
  readonly name: string;
  /** The OpenAPI schema of the value, as JSON. */
  readonly schema: object;
  /** Returns the value for a length. */
  readonly value: (length: number) => unknown;
  /** Returns the old value for a length; undefined if the validated write is not an update. */
  readonly oldValue?: (length: number) => unknown;
  /** Highest allowed exponent of the work's growth with the length of the value. */
  readonly growth: 1 | 2;
  /**
   * True if the number of reads varies at random, because the engine's hashes have a secret seed. The seed prevents clients from
   * constructing colliding keys.
   */
  readonly scatters?: boolean;
}

const INTS = { type: 'array', maxItems: 1_600_000, items: { type: 'integer', minimum: 0 } };
const ENTRY = {
  type: 'object',
  required: ['name'],
  properties: { name: { type: 'string' }, size: { type: 'integer', minimum: 0 } },
};
const MAP = { type: 'array', items: ENTRY, 'x-kubernetes-list-type': 'map', 'x-kubernetes-list-map-keys': ['name'] };
const integers = (length: number): number[] => Array.from({ length }, (_, i) => i);
const entries = (length: number): object[] => Array.from({ length }, (_, i) => ({ name: `entry-${i}`, size: i }));
const reversed = (length: number): object[] => entries(length).toReversed();

/** Cases of schema checks, list types, item rules, and updates that find old values by key. */
export const VALUE_WORK: readonly ValueWork[] = [
  { name: 'OpenAPI, integers', schema: INTS, value: integers, growth: 1 },
  { name: 'OpenAPI, objects', schema: { type: 'array', items: ENTRY }, value: entries, growth: 1 },
  { name: 'list type set', schema: { ...INTS, 'x-kubernetes-list-type': 'set' }, value: integers, growth: 1, scatters: true },
  { name: 'list type map', schema: MAP, value: entries, growth: 1 },
  { name: 'rules at items', schema: { ...INTS, items: withRules({ type: 'integer' }, ['self >= 0']) }, value: integers, growth: 1 },
  { name: 'update: map in another order', schema: MAP, value: entries, oldValue: reversed, growth: 1 },
  {
    name: 'update: transition rule at entries',
    schema: { ...MAP, maxItems: 5000, items: withRules(ENTRY, ['self.size >= oldSelf.size']) },
    value: entries,
    oldValue: reversed,
    growth: 1,
  },
];

/** A rule over `self.list` whose work is counted in each engine. */
export type RuleWork = Pick<CelCase, 'name' | 'rule' | 'data'> & Pick<ValueWork, 'growth'>;

/** Cases of rules in various shapes. */
export const RULE_WORK: readonly RuleWork[] = [
  { name: 'all', rule: 'self.list.all(e, e >= 0)', data: 'ints', growth: 1 },
  { name: 'exists', rule: '!self.list.exists(e, e < 0)', data: 'ints', growth: 1 },
  { name: 'texts', rule: "self.list.all(s, s.startsWith('a'))", data: 'strs', growth: 1 },
  { name: 'objects', rule: 'self.list.all(o, o.a < o.b)', data: 'objs', growth: 1 },
  { name: 'filter, map, sum', rule: 'self.list.filter(e, e >= 0).map(e, e * 2).sum() >= 0', data: 'ints', growth: 1 },
  { name: 'isSorted', rule: 'self.list.isSorted()', data: 'ints', growth: 1 },
  { name: 'membership', rule: '!(-1 in self.list)', data: 'ints', growth: 1 },
  { name: 'sets', rule: 'sets.contains(self.list, [1, 2, 3])', data: 'ints', growth: 1 },
  { name: 'nested, unique', rule: 'self.list.all(a, self.list.exists_one(b, a == b))', data: 'ints', growth: 2 },
];
