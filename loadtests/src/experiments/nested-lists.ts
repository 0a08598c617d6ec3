import { judgeDefinition, validateObject } from '#crd';
import type { CompiledDefinition } from '#crd';
import { EXPRESSION_COST_LIMIT, LATEST_MINOR, PER_CALL_LIMIT } from '#kube';
import type { Lab } from '../lab.ts';
import { countText, timeText } from '../measure/figures.ts';
import { growthOf } from '../measure/growth.ts';
import { median } from '../measure/percentile.ts';
import { warmUp } from '../measure/warm-up.ts';
import { equalGate } from '../result/equal-gate.ts';
import type { Gate } from '../result/summary.ts';
import { compiledAsStored, largeBody, largeDefinition, UNLIMITED } from '../workloads/judging.ts';
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
export const nestedLists: Experiment = {
  name: 'nested-lists',
  question: 'Where are nested loops refused by their estimate, and what does the limit at run time still catch?',
  async run(lab) {
    const nestings: NestingFigures[] = [];
    for await (const nesting of lab.each(NESTINGS)) {
      lab.say(`nested ${nesting.depth} deep`);
      nestings.push(measure(lab, nesting));
    }
    return findings(nestings);
  },
};

interface NestingFigures {
  readonly nesting: Nesting;
  readonly points: readonly { readonly length: number; readonly ms: readonly number[]; readonly cost: number }[];
  /** The largest maxItems with which the rule's estimate is admitted. */
  readonly admitted: number;
  /** The shortest list at which the run-time limit ends the rule, what that costs without the limit, and one shorter; undefined if none that maxItems allows. */
  readonly caught: { readonly length: number; readonly cost: number; readonly before: number } | undefined;
}

const listSchema = (rule: string, maxItems: number): object => withRules({ type: 'array', maxItems, items: { type: 'integer' } }, [rule]);
const definitionOf = (rule: string, maxItems: number) => largeDefinition({ list: listSchema(rule, maxItems) });
const bodyOf = (length: number): Buffer => largeBody({ list: Array.from({ length }, (_, i) => i) });

function measure(lab: Lab, nesting: Nesting): NestingFigures {
  const admitted = largestAdmitted(nesting.rule);
  const lengths = lab.of<readonly number[]>(nesting.lengths);
  const longest = compiledFor(nesting.rule, Math.max(...lengths));
  const points = lengths.map((length) => {
    const body = bodyOf(length);
    warmUp(() => void judge(longest, body, UNLIMITED), 300);
    const rounds = Array.from({ length: lab.of(ROUNDS) }, () => judge(longest, body, UNLIMITED));
    return { length, ms: rounds.map(({ ms }) => ms), cost: rounds[0]?.cost ?? -1 };
  });
  const caught = shortestCaught(nesting.rule, admitted);
  const asAdmitted = compiledFor(nesting.rule, admitted);
  const costOf = (length: number): number => judge(asAdmitted, bodyOf(length), UNLIMITED).cost;
  return {
    nesting,
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
): { readonly ms: number; readonly cost: number; readonly accepted: boolean } {
  const verdict = validateObject(
    definition,
    { operation: 'CREATE', body, contentType: 'application/json', fieldValidation: 'Warn' },
    { timings: true, costLimit, budget: UNLIMITED },
  );
  if ('cancelled' in verdict || verdict.phases === undefined) throw new Error('the experiment was cancelled');
  return { ms: verdict.phases.cel, cost: verdict.cost.cel ?? -1, accepted: verdict.accepted };
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
  const growths = nestings.flatMap(({ nesting, points }) => {
    const growth = growthOf(points.map(({ length, ms }) => ({ x: length, y: median(ms) })));
    return growth === undefined ? [] : [{ nesting, growth }];
  });
  const cubic = nestings.find(({ nesting }) => nesting.depth === 3);
  const nsPerUnit = nestings.flatMap(({ points }) => points.slice(-1).map(({ ms, cost }) => (1e6 * median(ms)) / cost));
  return {
    finding: `Three loops in each other are admitted up to maxItems ${countText(cubic?.admitted ?? 0)}; a unit takes ${timeText(Math.min(...nsPerUnit) / 1e6)} to ${timeText(Math.max(...nsPerUnit) / 1e6)} whatever the nesting`,
    charts: [
      {
        kind: 'scaling',
        id: 'growth',
        title: `Time follows the nesting: ${growths.map(({ nesting, growth }) => `${nesting.depth} deep n^${growth.exponent.toFixed(2)}`).join(', ')}`,
        subtitle: 'Evaluation alone, limits lifted, median of the rounds, by the length of the one list that all loops walk.',
        x: { label: 'list elements', unit: 'count' },
        y: { label: 'time of one evaluation', unit: 'ms' },
        series: nestings.map(({ nesting, points }) => ({
          name: `${nesting.depth} deep`,
          role: (['ours', 'experiment', 'peer'] as const)[nesting.depth - 1] ?? 'ours',
          points: points.map(({ length, ms }) => ({ x: length, y: median(ms) })),
        })),
        reading:
          'A steeper line is a deeper loop. Lines do not start at the same place, since deep loops are only bearable over short lists.',
        notShown: 'where the limits cut in: that is the table.',
      },
    ],
    tables: [
      {
        title: 'Where the limits cut in',
        columns: ['nesting', 'rule', 'largest maxItems admitted', 'shortest list stopped at run time'],
        rows: nestings.map(({ nesting, admitted, caught }) => [
          String(nesting.depth),
          `\`${nesting.rule}\``,
          countText(admitted),
          caught === undefined ? 'none that maxItems allows' : countText(caught.length),
        ]),
        notes: [
          `The estimate of a rule may be ${countText(Number(EXPRESSION_COST_LIMIT))} units, one evaluation may spend ${countText(PER_CALL_LIMIT)}: lists between the two columns are admitted by the definition and refused by the object's evaluation.`,
        ],
      },
    ],
    gates: [...nestings.flatMap(costGates), ...nestings.flatMap(({ nesting, caught }) => caughtGate(nesting, caught))],
    cells: nestings.flatMap(({ nesting, points }) =>
      points.map(({ length, ms }) => ({
        id: `${nesting.depth} deep/${length}`,
        unit: 'ms' as const,
        samples: [...ms],
        statistic: 'median' as const,
        value: median(ms),
      })),
    ),
  };
}

/** Cost is a polynomial of the length whose degree is the nesting. */
function costGates({ nesting, points }: NestingFigures): Gate[] {
  const growth = growthOf(points.map(({ length, cost }) => ({ x: length, y: cost })));
  if (growth === undefined) return [];
  const holds = Math.abs(growth.last - nesting.depth) < 0.12;
  return [
    {
      name: `${nesting.depth} deep: units grow with n^${nesting.depth}`,
      measure: 'cost units',
      expected: `n^${nesting.depth}`,
      actual: `n^${growth.last.toFixed(2)}`,
      holds,
    },
  ];
}

/** The first list that is stopped is the first one that costs more than the limit. */
function caughtGate({ depth }: Nesting, caught: NestingFigures['caught']): Gate[] {
  if (caught === undefined) return [];
  const exact = caught.before <= PER_CALL_LIMIT && caught.cost > PER_CALL_LIMIT;
  return [equalGate(`${depth} deep: the limit stops the first list above it`, 'cost units', 'true', String(exact))];
}
