import { KEP_LISTS } from '../../workloads/list-workload.ts';
import type { CostTimeData } from '../cost-time.ts';
import type { DefinitionsData } from '../definitions.ts';
import type { SizedFigures } from '../element-size.ts';
import type { ListLengthData } from '../list-length.ts';
import type { CountFigures } from '../many-rules.ts';
import type { NestingFigures } from '../nested-lists.ts';
import type { ObjectFigures } from '../object-size.ts';
import type { PoliciesData, PolicyFigures } from '../policies.ts';
import type { Synthesis } from './synthesis.ts';

/** Data of the experiment list-length. */
export function listLengthData(s: Synthesis): ListLengthData {
  const lists = s.some(KEP_LISTS, (workload) => ({
    workload,
    bytes: 3_000_000,
    whole: s.samples(10),
    byReader: s.maybe(true),
    exact: s.samples(10),
    phases: { parse: s.samples(10), prune: s.samples(1), openapi: s.samples(1), lists: s.samples(0.1), cel: s.samples(1) },
    cost: s.maybe(5 * workload.elements + 3),
    accepted: s.maybe(true),
    limited: s.maybe(5 * workload.elements + 3 > 1_000_000 ? ('rejected' as const) : ('accepted' as const)),
  }));
  const engines = [
    { name: 'Assay, generated code', role: 'assay' },
    { name: 'cel-js', role: 'peer' },
    { name: 'Go, as Kubernetes ships it', role: 'shipped' },
  ] as const;
  const cases = [
    { name: 'ints-all', rule: 'self.list.all(e, e >= 0)', sizes: [1000, 4000, 16_000, 64_000] },
    { name: 'ints-exists', rule: 'self.list.exists(e, e < 0)', sizes: [16_000] },
  ];
  return {
    lists,
    goLists: s.some(KEP_LISTS, ({ name }) => ({
      name,
      schemaMs: s.maybe(s.figure(100)),
      rule: s.maybe({ ms: s.figure(1000), extrapolated: name.includes('k × 2 B') }),
    })),
    cases: s.some(cases, ({ name, rule, sizes }) => ({
      test: { name, rule, nested: false },
      engines: engines.map((engine) => ({
        ...engine,
        cells: s.some(sizes, (size) => {
          const nsPerStep = s.figure(1);
          return { size, nsPerStep, cost: s.maybe(5 * size + 3), rounds: [nsPerStep] };
        }),
      })),
    })),
    noGo: undefined,
  };
}

/** Data of the experiment element-size. */
export const elementSizeData = (s: Synthesis): SizedFigures[] =>
  s.some(
    ['startsWith', 'matches'].flatMap((name) => [8, 64, 512].map((size) => ({ name, size }))),
    ({ name, size }) => {
      const [actual, factor] = [s.figure(10_000), s.figure(1000)];
      return {
        name,
        rule: `self.all(s, s.${name}('a'))`,
        size,
        estimated: s.maybe(actual * factor),
        actual: s.maybe(actual),
        suggested: s.maybe(500),
        admitted: true,
      };
    },
  );

/** Data of the experiment nested-lists. */
export const nestedListsData = (s: Synthesis): NestingFigures[] =>
  s.some([1, 2, 3] as const, (depth) => ({
    depth,
    rule: 'self.all(a, a <= a)',
    points: s.some([30, 100, 300], (length) => ({ length, ms: s.samples(1), cost: s.maybe(7 * length ** depth) })),
    admitted: 1000,
    caught: { length: 500, cost: s.maybe(1_000_003), before: s.maybe(999_998) },
  }));

/** Data of the experiment many-rules. */
export const manyRulesData = (s: Synthesis): CountFigures[] =>
  s.some([1, 12, 100, 1000], (count) => ({
    count,
    compiling: s.samples(1),
    evaluating: s.samples(0.01),
    whole: s.samples(0.1),
    cost: s.maybe(5 * count),
    accepted: s.maybe(true),
  }));

/** Data of the experiment cost-time. */
export const costTimeData = (s: Synthesis): CostTimeData => ({
  points: s.some(
    Array.from({ length: 30 }, (_, i) => i),
    (i) => ({
      rule: { name: `rule ${i}`, rule: `self.a < ${i}` },
      cost: s.figure(10),
      ns: s.figure(1000),
    }),
  ),
  withoutPoint: 3,
  definitions: 14,
});

/** Data of the experiment definitions. */
export const definitionsData = (s: Synthesis): DefinitionsData => ({
  byRules: s.some([0, 10, 100, 1000], (count) => ({ count, ms: s.samples(1) })),
  byVersions: s.some([1, 4], (count) => ({ count, ms: s.samples(10) })),
  resident: s.some([20], (count) => ({ count, bytes: s.maybe(s.figure(1e6)) })),
});

/** Data of the experiment object-size. */
export const objectSizeData = (s: Synthesis): ObjectFigures[] =>
  s.some([2000, 200_000, 2_000_000], (bytes) => ({
    bytes,
    whole: s.samples(10),
    exact: s.samples(10),
    parse: s.samples(1),
    phases: { parse: s.samples(1), prune: s.samples(1), openapi: s.samples(1), lists: s.samples(0.1), cel: s.samples(0.01) },
    accepted: true,
  }));

/** Data of the experiment policies. */
export const policiesData = (s: Synthesis): PoliciesData => {
  const figures = (counts: readonly number[], units: number): PolicyFigures[] =>
    s.some([...counts], (count) => ({
      count,
      ours: s.samples(0.1),
      go: s.samples(1),
      cost: s.maybe(units * count),
      goCost: s.maybe(units * count),
      allowed: s.maybe(true),
    }));
  return {
    byPolicies: figures([4, 100], 5),
    byContainers: figures([1, 100], 7),
    shared: figures([1, 30], 2),
    repeated: figures([1, 30], 9),
  };
};
