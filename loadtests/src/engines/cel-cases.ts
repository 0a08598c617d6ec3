/** A rule over a list. */
export interface CelCase {
  readonly name: string;
  readonly data: 'ints' | 'strs' | 'objs';
  readonly rule: string;
  /** The rule stands at the items and is evaluated once per element. */
  readonly perItem?: boolean;
  /** n² steps: smaller lists. */
  readonly nested?: boolean;
}

/** The cases of the peers' comparison: name, data and rule are the same for every engine. */
export const CEL_CASES: readonly CelCase[] = [
  { name: 'ints-all', data: 'ints', rule: 'self.list.all(e, e >= 0)' },
  { name: 'ints-exists', data: 'ints', rule: '!self.list.exists(e, e < 0)' },
  { name: 'strs-all', data: 'strs', rule: "self.list.all(s, s.startsWith('a'))" },
  { name: 'objs-all', data: 'objs', rule: 'self.list.all(o, o.a < o.b)' },
  { name: 'strs-matches', data: 'strs', rule: "self.list.all(s, s.matches('^[a-z0-9]([-a-z0-9]*[a-z0-9])?$'))" },
  { name: 'map-sum', data: 'ints', rule: 'self.list.map(e, e * 2).sum() >= 0' },
  { name: 'is-sorted', data: 'ints', rule: 'self.list.isSorted()' },
  { name: 'items-rule', data: 'ints', rule: 'self >= 0', perItem: true },
  { name: 'nested-unique', data: 'ints', rule: 'self.list.all(a, self.list.exists_one(b, a == b))', nested: true },
];

/** The list of a case, as JSON.parse would give it. */
export function caseList(data: CelCase['data'], size: number): (number | string | { a: number; b: number; name: string })[] {
  return Array.from({ length: size }, (_, i) =>
    data === 'ints' ? i : data === 'strs' ? `a${String(i).padStart(7, '0')}` : { a: i, b: i + 1, name: `n${i}` },
  );
}
