import { judgeDefinition } from '#crd';
import type { CompiledDefinition } from '#crd';
import { EXPRESSION_COST_LIMIT, LATEST_MINOR, PER_CALL_LIMIT } from '#kube';
import { countText, growthText, plotted, rangeText, timeText } from '#charts';
import type { Chart } from '#charts';
import type { Lab } from '../lab.ts';
import { growthOf } from '../measure/growth.ts';
import { median } from '#benchmark';
import { extent, quotient } from '../measure/quotient.ts';
import { warmUp } from '../measure/warm-up.ts';
import { equalGate, gate } from '../result/gates.ts';
import { medianCell } from '../result/report-cell.ts';
import { missing, sentence } from '../result/sentence.ts';
import type { Gate } from '../result/summary.ts';
import { compiledAsStored, judgeExactly, largeBody, largeDefinition, UNLIMITED } from '../workloads/judging.ts';
import { withRules } from '../workloads/rule-definition.ts';
import type { Experiment, Findings } from './experiment.ts';

/** A rule that walks its list as often as it is nested. */
interface Nesting {
  readonly depth: 1 | 2 | 3;
  readonly rule: string;
  readonly lengths: { readonly quick: readonly number[]; readonly full: readonly number[] };
}

const all = (list: string, variable: string, test: string): string => `${list}.all(${variable}, ${test})`;

const NESTINGS: readonly Nesting[] = [
  {
    depth: 1,
    rule: all('self', 'a', 'a <= a'),
    lengths: { quick: [1000, 10_000, 100_000], full: [1000, 4000, 16_000, 64_000, 256_000] },
  },
  {
    depth: 2,
    rule: all('self', 'a', all('self', 'b', 'a <= b || a > b')),
    lengths: { quick: [30, 100, 300], full: [30, 100, 300, 1000, 2000] },
  },
  {
    depth: 3,
    rule: all('self', 'a', all('self', 'b', all('self', 'c', 'a <= c || b > c || true'))),
    lengths: { quick: [10, 30, 60], full: [10, 20, 40, 80, 160] },
  },
];
const ROUNDS = { quick: 5, full: 15 } as const;

/** What do nested loops cost, where does the estimate refuse them, and what is left for the limit at run time? */
export const nestedLists: Experiment<readonly NestingFigures[]> = {
  name: 'nested-lists',
  question: 'Where are nested loops refused by their estimate, and what does the limit at run time still catch?',
  async measure(lab) {
    const nestings: NestingFigures[] = [];
    for await (const nesting of lab.each(NESTINGS)) {
      lab.say(`nested ${nesting.depth} deep`);
      nestings.push(measureNesting(lab, nesting));
    }
    return nestings;
  },
  findings,
};

/** One rule at the lengths that were measured. */
export interface NestingFigures {
  readonly depth: 1 | 2 | 3;
  readonly rule: string;
  /** ms of each round, and units; undefined where a verdict told no cost. */
  readonly points: readonly { readonly length: number; readonly ms: readonly number[]; readonly cost: number | undefined }[];
  /** The largest maxItems with which the rule's estimate is admitted. */
  readonly admitted: number;
  /** The shortest list at which the run-time limit ends the rule, what that costs without the limit, and one shorter; undefined if none that maxItems allows. */
  readonly caught: { readonly length: number; readonly cost: number | undefined; readonly before: number | undefined } | undefined;
}

const listSchema = (rule: string, maxItems: number): object => withRules({ type: 'array', maxItems, items: { type: 'integer' } }, [rule]);
const definitionOf = (rule: string, maxItems: number) => largeDefinition({ list: listSchema(rule, maxItems) });
const bodyOf = (length: number): Buffer => largeBody({ list: Array.from({ length }, (_, i) => i) });

function measureNesting(lab: Lab, nesting: Nesting): NestingFigures {
  const admitted = largestAdmitted(nesting.rule);
  const lengths = lab.of<readonly number[]>(nesting.lengths);
  const longest = compiledFor(nesting.rule, Math.max(...lengths));
  const points = lengths.map((length) => {
    const body = bodyOf(length);
    warmUp(() => void judge(longest, body, UNLIMITED), 300);
    const rounds = Array.from({ length: lab.of(ROUNDS) }, () => judge(longest, body, UNLIMITED));
    return { length, ms: rounds.map(({ ms }) => ms), cost: rounds[0]?.cost };
  });
  const caught = shortestCaught(nesting.rule, admitted);
  const asAdmitted = compiledFor(nesting.rule, admitted);
  const costOf = (length: number): number | undefined => judge(asAdmitted, bodyOf(length), UNLIMITED).cost;
  return {
    depth: nesting.depth,
    rule: nesting.rule,
    points,
    admitted,
    caught: caught === undefined ? undefined : { length: caught, cost: costOf(caught), before: costOf(caught - 1) },
  };
}

/** A definition that is taken although its estimate may be too high. */
const compiledFor = (rule: string, maxItems: number): CompiledDefinition => compiledAsStored(definitionOf(rule, maxItems));

function judge(
  definition: CompiledDefinition,
  body: Buffer,
  costLimit: number,
): { readonly ms: number; readonly cost: number | undefined; readonly accepted: boolean } {
  const { phases, cost, accepted } = judgeExactly(definition, body, { costLimit, budget: UNLIMITED });
  return { ms: phases.cel, cost: cost.cel, accepted };
}

/** The boundary between what holds for small numbers and not for large ones. */
function largest(holds: (value: number) => boolean, most: number): number {
  let [low, high] = [0, most];
  while (low < high) {
    const middle = Math.ceil((low + high) / 2);
    if (holds(middle)) low = middle;
    else high = middle - 1;
  }
  return low;
}

const MOST_ITEMS = 4_000_000;

const largestAdmitted = (rule: string): number =>
  largest(
    (maxItems) => maxItems === 0 || judgeDefinition(definitionOf(rule, maxItems), undefined, { minor: LATEST_MINOR }).accepted,
    MOST_ITEMS,
  );

function shortestCaught(rule: string, admitted: number): number | undefined {
  const definition = compiledFor(rule, admitted);
  const passes = largest((length) => judge(definition, bodyOf(length), PER_CALL_LIMIT).accepted, admitted);
  return passes === admitted ? undefined : passes + 1;
}

function findings(nestings: readonly NestingFigures[]): Findings {
  const cubic = nestings.find(({ depth }) => depth === 3);
  const nsPerUnit = extent(
    nestings.flatMap(({ points }) => points.slice(-1).map(({ ms, cost }) => quotient(median(ms.map((one) => 1e6 * one)), cost))),
  );
  return {
    finding: sentence([
      `three loops in each other are admitted up to maxItems: ${countText(cubic?.admitted)}`,
      `a cost unit takes: ${rangeText(nsPerUnit, (ns) => timeText(ns / 1e6))}`,
      missing(NESTINGS.filter(({ depth }) => !nestings.some((one) => one.depth === depth)).map(({ depth }) => `${depth} deep`)),
    ]),
    charts: [growthChart(nestings)],
    tables: [
      {
        title: 'Where the limits cut in',
        columns: ['nesting', 'rule', 'largest maxItems admitted', 'shortest list stopped at run time'],
        rows: nestings.map(({ depth, rule, admitted, caught }) => [
          String(depth),
          `\`${rule}\``,
          countText(admitted),
          caught === undefined ? 'none that maxItems allows' : countText(caught.length),
        ]),
        notes: [
          `The estimate of a rule may be ${countText(Number(EXPRESSION_COST_LIMIT))} units, one evaluation may spend ${countText(PER_CALL_LIMIT)}: lists between the two columns are admitted by the definition and refused by the object's evaluation.`,
        ],
      },
    ],
    gates: [...nestings.map(costGate), ...nestings.flatMap(caughtGate)],
    cells: nestings.flatMap(({ depth, points }) =>
      points.flatMap(({ length, ms }) => medianCell({ id: `${depth} deep/${length}`, unit: 'ms', samples: ms })),
    ),
  };
}

const timesOf = ({ points }: NestingFigures) => plotted(points.map(({ length, ms }) => ({ x: length, y: median(ms) })));

function growthChart(nestings: readonly NestingFigures[]): Chart {
  const growths = nestings.flatMap((one) => {
    const growth = growthOf(timesOf(one));
    return growth === undefined ? [] : [`${one.depth} deep ${growthText(growth.exponent)}`];
  });
  return {
    kind: 'scaling',
    id: 'growth',
    title: growths.length === 0 ? 'Time of nested loops' : `Time by nesting: ${growths.join(', ')}`,
    subtitle: 'Evaluation alone, by the exact way, limits lifted, median of the rounds, by the length of the one list that all loops walk.',
    x: { label: 'list elements', unit: 'count' },
    y: { label: 'time of one evaluation', unit: 'ms' },
    series: nestings.map((one) => ({
      name: `${one.depth} deep`,
      role: (['assay', 'experiment', 'peer'] as const)[one.depth - 1] ?? 'assay',
      points: timesOf(one),
    })),
    reading: 'A steeper line is a deeper loop. Lines begin at different lengths, because deep loops can only be run over short lists.',
    notShown: 'where the limits cut in: that is the table.',
  };
}

/** Cost is a polynomial of the length whose degree is the nesting. */
function costGate({ depth, points }: NestingFigures): Gate {
  const growth = growthOf(points.map(({ length, cost }) => ({ x: length, y: cost })));
  return gate(
    {
      name: `${depth} deep: units grow with n^${depth}`,
      measure: 'cost units',
      expected: `n^${depth}`,
      actual: growth && growthText(growth.last),
    },
    () => growth !== undefined && Math.abs(growth.last - depth) < 0.12,
  );
}

/** The first list that is stopped is the first one that costs more than the limit. */
function caughtGate({ depth, caught }: NestingFigures): Gate[] {
  if (caught === undefined) return [];
  const { cost, before } = caught;
  const exact = cost === undefined || before === undefined ? undefined : String(before <= PER_CALL_LIMIT && cost > PER_CALL_LIMIT);
  return [equalGate(`${depth} deep: the limit stops the first list above it`, 'cost units', 'true', exact)];
}
