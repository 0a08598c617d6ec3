import { KEP_LISTS } from '../../workloads/list-workload.ts';
import type { CostTimeData } from '../cost-time.ts';
import { definitions } from '../definitions.ts';
import { elementSize } from '../element-size.ts';
import type { ListLengthData } from '../list-length.ts';
import { manyRules } from '../many-rules.ts';
import { nestedLists } from '../nested-lists.ts';
import { objectSize } from '../object-size.ts';
import type { CaseFigures, Facts, Study } from '../../study/study.ts';
import { policies } from '../policies.ts';
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

interface ToldData {
  readonly times?: Readonly<Record<string, number>>;
  readonly facts?: Facts;
}

/** Figures of lines at the sizes of a quick run. Times begin at about `times` ms. Each time and each exact figure may be missing. */
export function caseFigures(s: Synthesis, { lines }: Pick<Study, 'lines'>, told: (line: string, size: number) => ToldData): CaseFigures[] {
  const cases = lines.flatMap(({ name, sizes }) => sizes.quick.map((size) => ({ line: name, size })));
  return s.some(cases, ({ line, size }) => {
    const { times = {}, facts = {} } = told(line, size);
    return { line, size, times: mapped(times, (ms) => s.samples(ms)), facts: mapped(facts, (fact) => s.maybe(fact)) };
  });
}

const mapped = <From, To>(record: Readonly<Record<string, From>>, to: (from: From) => To): Record<string, To> =>
  Object.fromEntries(Object.entries(record).map(([key, value]) => [key, to(value)]));

/** Times of judging by both ways. */
const JUDGING = { whole: 10, exact: 10, parse: 1, prune: 1, openapi: 1, lists: 0.1, cel: 1 };

/** Data of the experiment element-size. */
export const elementSizeData = (s: Synthesis): CaseFigures[] =>
  caseFigures(s, elementSize, () => {
    const [actual, factor] = [s.figure(10_000), s.figure(1000)];
    return { facts: { estimated: actual * factor, actual, suggested: 500, admitted: 'true' } };
  });

/** Data of the experiment nested-lists. */
export const nestedListsData = (s: Synthesis): CaseFigures[] =>
  caseFigures(s, nestedLists, (line, size) => {
    const depth = Number(/\d/.exec(line)?.[0]);
    return line.startsWith('limits')
      ? { facts: { admitted: 1000, caught: 500, costOfCaught: 1_000_003, costBefore: 999_998 } }
      : { times: { cel: 1 }, facts: { cost: 7 * size ** depth } };
  });

/** Data of the experiment many-rules. */
export const manyRulesData = (s: Synthesis): CaseFigures[] =>
  caseFigures(s, manyRules, (line, size): ToldData =>
    line === 'judging' ? { times: { cel: 0.01, whole: 0.1 }, facts: { cost: 5 * size, verdict: 'accepted' } } : { times: { compile: 1 } },
  );

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
export const definitionsData = (s: Synthesis): CaseFigures[] =>
  caseFigures(s, definitions, (line): ToldData => (line === 'resident' ? { facts: { bytes: s.figure(1e6) } } : { times: { compile: 1 } }));

/** Data of the experiment object-size. */
export const objectSizeData = (s: Synthesis): CaseFigures[] =>
  caseFigures(s, objectSize, (_, size) => ({ times: { ...JUDGING, 'JSON.parse': 1 }, facts: { bytes: 190 * size, verdict: 'accepted' } }));

/** Data of the experiment policies. */
export const policiesData = (s: Synthesis): CaseFigures[] =>
  caseFigures(s, policies, (line, size) => {
    const cost = (line.endsWith('repeated') ? 9 : 5) * size;
    return { times: { assay: 0.1, go: 1 }, facts: { cost, goCost: cost, verdict: 'allowed' } };
  });
