import { costGrowth } from '#benchmark';
import { judgeDefinition } from '#crd';
import { EXPRESSION_COST_LIMIT, LATEST_MINOR, PER_CALL_LIMIT } from '#kube';
import { countText, growthText, NOT_MEASURED, rangeText, timeText } from '#numbers';
import { extent, quotient } from '../measure/quotient.ts';
import { gate } from '../result/gates.ts';
import { missing } from '../result/sentence.ts';
import type { Gate } from '../result/summary.ts';
import { judgingWork } from '../study/judging-work.ts';
import { casesOf, growthChart, growthsText, numberOf, studyOf, timeOf } from '../study/study-report.ts';
import type { CaseFigures, Facts, Line } from '../study/study.ts';
import { compiledAsStored, judge, largeBody, largeDefinition, NO_LIMITS } from '../workloads/judging.ts';
import { withRules } from '../workloads/rule-definition.ts';

const all = (variable: string, test: string): string => `self.all(${variable}, ${test})`;

/** Rules that iterate over their list once for each level of nesting. */
const NESTINGS = [
  {
    depth: 1,
    role: 'assay',
    rule: all('a', 'a <= a'),
    sizes: { quick: [1000, 10_000, 100_000], full: [1000, 4000, 16_000, 64_000, 256_000] },
  },
  {
    depth: 2,
    role: 'experiment',
    rule: all('a', all('b', 'a <= b || a > b')),
    sizes: { quick: [30, 75, 150, 300], full: [30, 100, 300, 1000, 2000] },
  },
  {
    depth: 3,
    role: 'peer',
    rule: all('a', all('b', all('c', 'a <= c || b > c || true'))),
    sizes: { quick: [10, 15, 25, 40, 60], full: [10, 20, 40, 80, 160] },
  },
] as const;
const MAX_ITEMS = 4_000_000;

const lineOf = (depth: number): string => `${depth} deep`;
const limitsOf = (depth: number): string => `limits of ${depth} deep`;
const definitionOf = (rule: string, maxItems: number) =>
  largeDefinition({ list: withRules({ type: 'array', maxItems, items: { type: 'integer' } }, [rule]) });
const bodyOf = (length: number): Buffer => largeBody({ list: Array.from({ length }, (_, i) => i) });

/** An experiment about nested loops: their cost, the sizes that the estimate refuses, and the effect of the limit at run time. */
export const nestedLists = studyOf({
  name: 'nested-lists',
  question:
    'With which maxItems does a server refuse a definition with nested loops because of its cost estimate? Which lists does the cost limit of an evaluation refuse although the definition was accepted?',
  lines: NESTINGS.flatMap(({ depth, rule, sizes }): Line[] => [
    {
      name: lineOf(depth),
      sizes,
      // Compiles the definition as a stored definition, because a server refuses a new definition whose estimate is too high.
      work: (length) => judgingWork(compiledAsStored(definitionOf(rule, length)), bodyOf(length), NO_LIMITS),
    },
    {
      name: limitsOf(depth),
      sizes: { quick: [depth], full: [depth] },
      expected: () => ({ 'the limit stops the first list above it': 'true' }),
      work: () => ({ after: () => ({ facts: limitsFor(rule) }) }),
    },
  ]),
  conclude(cases) {
    const nestings = NESTINGS.map((one) => ({
      ...one,
      name: lineOf(one.depth),
      cases: casesOf(cases, lineOf(one.depth)),
      what: 'cel',
      limits: casesOf(cases, limitsOf(one.depth))[0],
    }));
    const deepest = nestings.at(-1)?.limits;
    const msPerUnit = nestings.map(({ cases: own }) => own.at(-1)).map((one) => one && quotient(timeOf(one, 'cel'), numberOf(one, 'cost')));
    return {
      finding: [
        `the largest maxItems with which a server accepts three nested loops: ${countText(deepest && numberOf(deepest, 'admitted'))}`,
        `a cost unit takes: ${rangeText(extent(msPerUnit), timeText)}`,
        missing(nestings.filter(({ cases: own }) => own.length === 0).map(({ name }) => name)),
      ],
      charts: [
        growthChart({
          id: 'growth',
          title: `Growth of the evaluation time with the length n of the list, by levels of nested loops: ${growthsText(nestings)}`,
          subtitle:
            'Time of one evaluation of the rule by the exact way (the general implementation of Assay), without cost limits; median of the rounds. The x axis is the length of the list. All nested loops iterate over the same list.',
          x: { label: 'list elements', unit: 'count' },
          y: { label: 'time of one evaluation', unit: 'ms' },
          lines: nestings,
          reading:
            'The more levels of loops a rule has, the steeper is its line. Lines of rules with more levels are shorter, because these rules take too long over long lists.',
          notShown: 'the list lengths at which the cost limits refuse a write (see the table).',
        }),
      ],
      tables: [
        {
          title: 'List lengths at which the cost limits refuse nested loops',
          columns: [
            'levels of nested loops',
            'rule',
            'maxItems that the list needs, at most',
            'length of the shortest list that a server then refuses, because the rule exceeds the cost limit',
          ],
          rows: nestings.flatMap(({ depth, rule, limits }) =>
            limits === undefined
              ? []
              : [[String(depth), `\`${rule}\``, countText(numberOf(limits, 'admitted')), String(limits.facts['caught'] ?? NOT_MEASURED)]],
          ),
          notes: [
            `The limit for the estimate of a rule is ${countText(Number(EXPRESSION_COST_LIMIT))} units, and the limit for one evaluation is ${countText(PER_CALL_LIMIT)} units. So a server may accept a definition and still refuse objects. It refuses objects whose list is at least as long as the last column says.`,
          ],
        },
      ],
      gates: nestings.map(costGate),
    };
  },
});

/** Returns the largest number up to `most` for which `holds` is true. `holds` must be true up to some number and false above it. */
function largest(holds: (value: number) => boolean, most: number): number {
  let [low, high] = [0, most];
  while (low < high) {
    const middle = Math.ceil((low + high) / 2);
    if (holds(middle)) low = middle;
    else high = middle - 1;
  }
  return low;
}

/** Finds the largest maxItems with which a rule is admitted, and the shortest list that then exceeds the limit at run time. */
function limitsFor(rule: string): Facts {
  const isAdmitted = (maxItems: number) => judgeDefinition(definitionOf(rule, maxItems), undefined, { minor: LATEST_MINOR }).accepted;
  const admitted = largest((maxItems) => maxItems === 0 || isAdmitted(maxItems), MAX_ITEMS);
  const definition = compiledAsStored(definitionOf(rule, admitted));
  const passes = largest((length) => judge(definition, bodyOf(length), { ...NO_LIMITS, costLimit: PER_CALL_LIMIT }).accepted, admitted);
  const costOf = (length: number): number => judge(definition, bodyOf(length), NO_LIMITS).cost.cel ?? NaN;
  const isFirst = costOf(passes) <= PER_CALL_LIMIT && (passes === admitted || costOf(passes + 1) > PER_CALL_LIMIT);
  return {
    admitted,
    caught: passes === admitted ? 'none that maxItems allows' : countText(passes + 1),
    'the limit stops the first list above it': String(isFirst),
  };
}

/**
 * Returns a gate that passes if the cost is a polynomial of the list's length whose degree is the nesting depth. The gate counts as not
 * measured if there was no time for enough lengths.
 */
function costGate({ depth, name, cases }: { readonly depth: number; readonly name: string; readonly cases: readonly CaseFigures[] }): Gate {
  const points = cases.flatMap((one) => {
    const cost = numberOf(one, 'cost');
    return cost === undefined ? [] : [{ size: one.size, cost }];
  });
  const growth = points.length < depth + 2 ? undefined : costGrowth(points);
  const actual = growth?.kind === 'grows' ? growthText(growth.exponent) : growth?.kind === 'flat' ? 'no growth' : undefined;
  return gate(
    { name: `${name}: units grow with n^${depth}`, measure: 'cost units', expected: `n^${depth}`, actual },
    () => growth?.kind === 'grows' && growth.exponent === depth,
  );
}
