import { costGrowth } from '#benchmark';
import { judgeDefinition } from '#crd';
import { EXPRESSION_COST_LIMIT, LATEST_MINOR, PER_CALL_LIMIT } from '#kube';
import { countText, growthText, rangeText, timeText } from '#charts';
import type { Choice } from '../lab.ts';
import { extent, quotient } from '../measure/quotient.ts';
import { equalGate, gate } from '../result/gates.ts';
import { missing, sentence } from '../result/sentence.ts';
import type { Gate } from '../result/summary.ts';
import { judgingWork } from '../study/judging-work.ts';
import { casesOf, growthChart, growthOf, numberOf, timeCells, timeOf } from '../study/study-report.ts';
import { studyOf } from '../study/study.ts';
import type { CaseFigures, Facts, Line } from '../study/study.ts';
import { compiledAsStored, judge, largeBody, largeDefinition, NO_LIMITS } from '../workloads/judging.ts';
import { withRules } from '../workloads/rule-definition.ts';
import type { Findings } from './experiment.ts';

/** A rule that walks its list as often as it is nested. */
interface Nesting {
  readonly depth: 1 | 2 | 3;
  readonly rule: string;
  readonly sizes: Choice<readonly number[]>;
}

const all = (list: string, variable: string, test: string): string => `${list}.all(${variable}, ${test})`;

const NESTINGS: readonly Nesting[] = [
  {
    depth: 1,
    rule: all('self', 'a', 'a <= a'),
    sizes: { quick: [1000, 10_000, 100_000], full: [1000, 4000, 16_000, 64_000, 256_000] },
  },
  {
    depth: 2,
    rule: all('self', 'a', all('self', 'b', 'a <= b || a > b')),
    sizes: { quick: [30, 75, 150, 300], full: [30, 100, 300, 1000, 2000] },
  },
  {
    depth: 3,
    rule: all('self', 'a', all('self', 'b', all('self', 'c', 'a <= c || b > c || true'))),
    sizes: { quick: [10, 15, 25, 40, 60], full: [10, 20, 40, 80, 160] },
  },
];
const MOST_ITEMS = 4_000_000;

const lineOf = (depth: number): string => `${depth} deep`;
const limitsOf = (depth: number): string => `limits of ${depth} deep`;
const definitionOf = (rule: string, maxItems: number) =>
  largeDefinition({ list: withRules({ type: 'array', maxItems, items: { type: 'integer' } }, [rule]) });
const bodyOf = (length: number): Buffer => largeBody({ list: Array.from({ length }, (_, i) => i) });

const LINES: readonly Line[] = [
  ...NESTINGS.map(({ depth, rule, sizes }): Line => ({
    name: lineOf(depth),
    sizes,
    // A stored definition is taken although its estimate may be too high.
    work: (length) => judgingWork(compiledAsStored(definitionOf(rule, length)), bodyOf(length), NO_LIMITS),
  })),
  ...NESTINGS.map(({ depth, rule }): Line => ({
    name: limitsOf(depth),
    sizes: { quick: [depth], full: [depth] },
    work: () => ({ after: () => ({ facts: limitsFor(rule) }) }),
  })),
];

/** What do nested loops cost, where does the estimate refuse them, and what is left for the limit at run time? */
export const nestedLists = studyOf({
  name: 'nested-lists',
  question: 'Where are nested loops refused by their estimate, and what does the limit at run time still catch?',
  lines: LINES,
  findings,
});

/** Finds the boundary between what holds for small numbers and not for large ones. */
function largest(holds: (value: number) => boolean, most: number): number {
  let [low, high] = [0, most];
  while (low < high) {
    const middle = Math.ceil((low + high) / 2);
    if (holds(middle)) low = middle;
    else high = middle - 1;
  }
  return low;
}

/** Finds the largest maxItems with which a rule is admitted, the shortest list that the limit then ends, and the costs of that list and of one shorter. */
function limitsFor(rule: string): Facts {
  const isAdmitted = (maxItems: number) => judgeDefinition(definitionOf(rule, maxItems), undefined, { minor: LATEST_MINOR }).accepted;
  const admitted = largest((maxItems) => maxItems === 0 || isAdmitted(maxItems), MOST_ITEMS);
  const definition = compiledAsStored(definitionOf(rule, admitted));
  const passes = largest((length) => judge(definition, bodyOf(length), { ...NO_LIMITS, costLimit: PER_CALL_LIMIT }).accepted, admitted);
  if (passes === admitted) return { admitted };
  const costOf = (length: number): number | undefined => judge(definition, bodyOf(length), NO_LIMITS).cost.cel;
  return { admitted, caught: passes + 1, costOfCaught: costOf(passes + 1), costBefore: costOf(passes) };
}

function findings(cases: readonly CaseFigures[]): Findings {
  const nestings = NESTINGS.map(({ depth, rule }) => ({
    depth,
    rule,
    points: casesOf(cases, lineOf(depth)),
    limits: casesOf(cases, limitsOf(depth))[0],
  }));
  const admittedOf = (depth: number): string =>
    countText(nestings.flatMap((one) => (one.depth === depth && one.limits && numberOf(one.limits, 'admitted')) || [])[0]);
  const msPerUnit = extent(
    nestings.map(({ points }) => points.at(-1)).map((one) => one && quotient(timeOf(one, 'cel'), numberOf(one, 'cost'))),
  );
  const growths = nestings.flatMap(({ depth, points }) => {
    const growth = growthOf(points, 'cel');
    return growth === undefined ? [] : [`${lineOf(depth)} ${growthText(growth.exponent)}`];
  });
  return {
    finding: sentence([
      `three loops in each other are admitted up to maxItems: ${admittedOf(3)}`,
      `a cost unit takes: ${rangeText(msPerUnit, timeText)}`,
      missing(nestings.filter(({ points }) => points.length === 0).map(({ depth }) => lineOf(depth))),
    ]),
    charts: [
      growthChart({
        id: 'growth',
        title: growths.length === 0 ? 'Time of nested loops' : `Time by nesting: ${growths.join(', ')}`,
        subtitle:
          'Evaluation alone, by the exact way, limits lifted, median of the rounds, by the length of the one list that all loops walk.',
        x: { label: 'list elements', unit: 'count' },
        y: { label: 'time of one evaluation', unit: 'ms' },
        lines: nestings.map(({ depth, points }) => ({
          name: lineOf(depth),
          role: ({ 1: 'assay', 2: 'experiment', 3: 'peer' } as const)[depth],
          cases: points,
          what: 'cel',
        })),
        reading: 'A steeper line is a deeper loop. Lines begin at different lengths, because deep loops can only be run over short lists.',
        notShown: 'where the limits cut in: that is the table.',
      }),
    ],
    tables: [
      {
        title: 'Where the limits cut in',
        columns: ['nesting', 'rule', 'largest maxItems admitted', 'shortest list stopped at run time'],
        rows: nestings.flatMap(({ depth, rule, limits }) =>
          limits === undefined
            ? []
            : [
                [
                  String(depth),
                  `\`${rule}\``,
                  admittedOf(depth),
                  'caught' in limits.facts ? countText(numberOf(limits, 'caught')) : 'none that maxItems allows',
                ],
              ],
        ),
        notes: [
          `The estimate of a rule may be ${countText(Number(EXPRESSION_COST_LIMIT))} units, one evaluation may spend ${countText(PER_CALL_LIMIT)}: lists between the two columns are admitted by the definition and refused by the object's evaluation.`,
        ],
      },
    ],
    gates: [
      ...nestings.map(({ depth, points }) => costGate(depth, points)),
      ...nestings.flatMap(({ depth, limits }) => (limits && 'caught' in limits.facts ? [caughtGate(depth, limits)] : [])),
    ],
    cells: timeCells(cases),
  };
}

/** Cost is a polynomial of the length. Its degree is the nesting. */
function costGate(depth: Nesting['depth'], points: readonly CaseFigures[]): Gate {
  const growth = costGrowth(
    points.flatMap((one) => {
      const cost = numberOf(one, 'cost');
      return cost === undefined ? [] : [{ size: one.size, cost }];
    }),
  );
  const actual = growth.kind === 'grows' ? growthText(growth.exponent) : growth.kind === 'flat' ? 'no growth' : undefined;
  return gate(
    { name: `${lineOf(depth)}: units grow with n^${depth}`, measure: 'cost units', expected: `n^${depth}`, actual },
    () => growth.kind === 'grows' && growth.exponent === depth,
  );
}

/** The first list that is stopped is the first one that costs more than the limit. */
function caughtGate(depth: number, limits: CaseFigures): Gate {
  const [cost, before] = [numberOf(limits, 'costOfCaught'), numberOf(limits, 'costBefore')];
  const exact = cost === undefined || before === undefined ? undefined : String(before <= PER_CALL_LIMIT && cost > PER_CALL_LIMIT);
  return equalGate(`${lineOf(depth)}: the limit stops the first list above it`, 'cost units', 'true', exact);
}
