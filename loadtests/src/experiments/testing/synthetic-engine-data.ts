import { KEP_LISTS } from '../../workloads/list-workload.ts';
import type { CostTimeData } from '../cost-time.ts';
import { definitions } from '../definitions.ts';
import { elementSize } from '../element-size.ts';
import type { ListLengthData } from '../list-length.ts';
import { manyRules } from '../many-rules.ts';
import { nestedLists } from '../nested-lists.ts';
import { objectSize } from '../object-size.ts';
import { KEP_LINES } from '../list-length/kep-lists.ts';
import type { CaseFigures, Facts, Line } from '../../study/study.ts';
import { policies } from '../policies.ts';
import type { Synthesis } from './synthesis.ts';

/** Data of the experiment list-length. */
export function listLengthData(s: Synthesis): ListLengthData {
  const lists = caseFigures(s, { lines: KEP_LINES }, (_, size) => ({
    times: JUDGING,
    facts: {
      bytes: 3_000_000,
      cost: 5 * size + 3,
      verdict: 'accepted',
      judgedBy: 'generated reader',
      limited: 5 * size + 3 > 1_000_000 ? 'rejected' : 'accepted',
    },
  }));
  const sizes = { quick: [1000, 4000, 16_000, 64_000], full: [] };
  const engines = ['Assay, generated code', 'cel-js', 'Go, as Kubernetes ships it'];
  const lines = engines.flatMap((engine) => [
    { name: `ints-all/${engine}`, sizes },
    { name: `ints-exists/${engine}`, sizes: { quick: [16_000], full: [] } },
  ]);
  return {
    lists,
    goLists: s.some(KEP_LISTS, ({ name }) => ({
      name,
      schemaMs: s.maybe(s.figure(100)),
      rule: s.maybe({ ms: s.figure(1000), extrapolated: name.includes('k × 2 B') }),
    })),
    cases: caseFigures(s, { lines }, (_, size) => ({ times: { evaluation: 0.001 * size }, facts: { cost: 5 * size + 3 } })),
    noGo: undefined,
  };
}

interface ToldData {
  readonly times?: Readonly<Record<string, number>>;
  readonly facts?: Facts;
}

/** Figures of lines at the sizes of a quick run. Times begin at about `times` ms. Each time and each exact figure may be missing. */
export function caseFigures(
  s: Synthesis,
  { lines }: { readonly lines: readonly Pick<Line, 'name' | 'sizes'>[] },
  told: (line: string, size: number) => ToldData,
): CaseFigures[] {
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
      name: `rule ${i}`,
      rule: `self.a < ${i}`,
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
