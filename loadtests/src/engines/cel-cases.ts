/** One rule over a list, and the loop that a person would write for it, with the same cost counted. */
export interface CelCase {
  readonly name: string;
  readonly data: 'ints' | 'strs' | 'objs';
  readonly rule: string;
  /** The rule stands at the items and is evaluated once per element. */
  readonly perItem?: boolean;
  /** Most nanoseconds per element, or per inner step, that generated code should need. */
  readonly wantedNs: number;
  /** n² steps: smaller lists. */
  readonly nested?: boolean;
  /** Evaluates the case by hand: the verdict, and the cost units as the server counts them. */
  readonly hand: (list: readonly never[]) => { readonly verdict: boolean; readonly cost: number };
}

interface Row {
  readonly a: number;
  readonly b: number;
}
const LABEL = /^[a-z0-9]([-a-z0-9]*[a-z0-9])?$/;

/** The cases of the peers' comparison: name, data and rule are the same for every engine. */
export const CEL_CASES: readonly CelCase[] = [
  {
    name: 'ints-all',
    wantedNs: 1,
    data: 'ints',
    rule: 'self.list.all(e, e >= 0)',
    hand: (list: readonly number[]) => {
      let cost = 2;
      for (let i = 0; i < list.length; i++) {
        cost += 5;
        if (!(list[i]! >= 0)) return { verdict: false, cost: cost + 1 };
      }
      return { verdict: true, cost: cost + 1 };
    },
  },
  {
    name: 'ints-exists',
    wantedNs: 1,
    data: 'ints',
    rule: '!self.list.exists(e, e < 0)',
    hand: (list: readonly number[]) => {
      let cost = 3;
      for (let i = 0; i < list.length; i++) {
        cost += 6;
        if (list[i]! < 0) return { verdict: false, cost: cost + 1 };
      }
      return { verdict: true, cost: cost + 1 };
    },
  },
  {
    name: 'strs-all',
    wantedNs: 3,
    data: 'strs',
    rule: "self.list.all(s, s.startsWith('a'))",
    hand: (list: readonly string[]) => {
      let cost = 2;
      for (let i = 0; i < list.length; i++) {
        cost += 5;
        if (!list[i]!.startsWith('a')) return { verdict: false, cost: cost + 1 };
      }
      return { verdict: true, cost: cost + 1 };
    },
  },
  {
    name: 'objs-all',
    wantedNs: 4,
    data: 'objs',
    rule: 'self.list.all(o, o.a < o.b)',
    hand: (list: readonly Row[]) => {
      let cost = 2;
      for (let i = 0; i < list.length; i++) {
        const row = list[i]!;
        cost += 8;
        if (!(row.a < row.b)) return { verdict: false, cost: cost + 1 };
      }
      return { verdict: true, cost: cost + 1 };
    },
  },
  {
    name: 'strs-matches',
    wantedNs: 30,
    data: 'strs',
    rule: "self.list.all(s, s.matches('^[a-z0-9]([-a-z0-9]*[a-z0-9])?$'))",
    hand: (list: readonly string[]) => {
      let cost = 2;
      for (let i = 0; i < list.length; i++) {
        const text = list[i]!;
        cost += 4 + Math.ceil((1 + text.length) * 0.1) * 8;
        if (!LABEL.test(text)) return { verdict: false, cost: cost + 1 };
      }
      return { verdict: true, cost: cost + 1 };
    },
  },
  {
    name: 'map-sum',
    wantedNs: 5,
    data: 'ints',
    rule: 'self.list.map(e, e * 2).sum() >= 0',
    hand: (list: readonly number[]) => {
      const doubled: number[] = [];
      let cost = 2;
      for (let i = 0; i < list.length; i++) {
        cost += 14;
        doubled.push(list[i]! * 2);
      }
      let sum = 0;
      for (let i = 0; i < doubled.length; i++) sum += doubled[i]!;
      return { verdict: sum >= 0, cost: cost + 1 + doubled.length + 1 };
    },
  },
  {
    name: 'is-sorted',
    wantedNs: 1,
    data: 'ints',
    rule: 'self.list.isSorted()',
    hand: (list: readonly number[]) => {
      for (let i = 1; i < list.length; i++) if (list[i - 1]! > list[i]!) return { verdict: false, cost: 2 + list.length };
      return { verdict: true, cost: 2 + list.length };
    },
  },
  {
    name: 'items-rule',
    wantedNs: 2,
    data: 'ints',
    rule: 'self >= 0',
    perItem: true,
    hand: (list: readonly number[]) => {
      let cost = 0;
      for (let i = 0; i < list.length; i++) {
        cost += 2;
        if (!(list[i]! >= 0)) return { verdict: false, cost };
      }
      return { verdict: true, cost };
    },
  },
  {
    name: 'nested-unique',
    wantedNs: 1.2,
    data: 'ints',
    rule: 'self.list.all(a, self.list.exists_one(b, a == b))',
    nested: true,
    hand: (list: readonly number[]) => {
      let cost = 2;
      for (let i = 0; i < list.length; i++) {
        cost += 5;
        let found = 0;
        for (let j = 0; j < list.length; j++) {
          cost += 3;
          if (list[i] === list[j]) {
            found++;
            cost += 2;
          }
        }
        cost += 2;
        if (found !== 1) return { verdict: false, cost: cost + 1 };
      }
      return { verdict: true, cost: cost + 1 };
    },
  },
];

/** The list of a case, as JSON.parse would give it. */
export function caseList(data: CelCase['data'], size: number): (number | string | { a: number; b: number; name: string })[] {
  return Array.from({ length: size }, (_, i) =>
    data === 'ints' ? i : data === 'strs' ? `a${String(i).padStart(7, '0')}` : { a: i, b: i + 1, name: `n${i}` },
  );
}
