import { compileDefinition, validateObject } from '#crd';
import type { CompiledDefinition } from '#crd';
import { LATEST_MINOR } from '#kube';
import { NODE_ENGINE } from '#runner/linker';
import type { Lab, Thoroughness } from '../lab.ts';
import { countText, timeText } from '../measure/figures.ts';
import { growthOf } from '../measure/growth.ts';
import { median } from '../measure/percentile.ts';
import { warmUp } from '../measure/warm-up.ts';
import { equalGate } from '../result/equal-gate.ts';
import { largeBody, timed } from '../workloads/judging.ts';
import { fieldsDefinition, withRules } from '../workloads/rule-definition.ts';
import type { Experiment, Findings } from './experiment.ts';

const COUNTS: Readonly<Record<Thoroughness, readonly number[]>> = {
  quick: [1, 10, 100, 1000],
  full: [1, 3, 10, 30, 100, 300, 1000, 3000],
};
const ROUNDS = { quick: 7, full: 31 } as const;
/** An object may wait so long for its rules without anybody minding, ms: what a request takes anyway. */
const UNNOTICED_MS = 1;

/** Rules of the kinds that definitions hold most of, in turn. */
const RULES = [
  "self.size() > 2 && self.startsWith('v')",
  "self == 'value' || self.contains('-')",
  "self.matches('^[a-z]([-a-z0-9]*[a-z0-9])?$')",
  "self in ['value', 'other', 'third']",
] as const;

/** KEP-2876: "many (100s) expressions are fine"? */
export const manyRules: Experiment = {
  name: 'many-rules',
  question: 'How many rules may a definition have before anybody notices?',
  async run(lab) {
    const figures: CountFigures[] = [];
    for await (const count of lab.each(lab.of(COUNTS))) {
      lab.say(`${count} rules`);
      figures.push(measure(lab, count));
    }
    return findings(figures);
  },
};

interface CountFigures {
  readonly count: number;
  /** ms to admit and compile the definition, a figure a round. */
  readonly compiling: readonly number[];
  /** ms of the rules of one object, a figure a round. */
  readonly evaluating: readonly number[];
  /** ms of the whole write. */
  readonly whole: readonly number[];
  readonly cost: number;
  readonly accepted: boolean;
}

function measure(lab: Lab, count: number): CountFigures {
  const document = fieldsDefinition(count, (i) => withRules({ type: 'string', maxLength: 30 }, [RULES[i % RULES.length] ?? 'true']));
  const rounds = lab.of(ROUNDS);
  const compile = (): CompiledDefinition => {
    const outcome = compileDefinition(document, { minor: LATEST_MINOR, engine: NODE_ENGINE });
    if (!outcome.ok) throw new Error(outcome.status.message);
    outcome.definition.serve('v1');
    return outcome.definition;
  };
  warmUp(() => void compile(), 200);
  const compiling = Array.from({ length: Math.ceil(rounds / 3) }, () => timed(compile).ms);
  const definition = compile();
  const body = largeBody({ spec: Object.fromEntries(Array.from({ length: count }, (_, i) => [`field${i}`, 'value'])) });
  const judge = () => {
    const verdict = validateObject(
      definition,
      { operation: 'CREATE', body, contentType: 'application/json', fieldValidation: 'Warn' },
      { timings: true },
    );
    if ('cancelled' in verdict || verdict.phases === undefined) throw new Error('the experiment was cancelled');
    return { cel: verdict.phases.cel, cost: verdict.cost.cel ?? -1, accepted: verdict.accepted };
  };
  warmUp(() => void judge(), 400);
  const runs = Array.from({ length: rounds }, () => timed(judge));
  const last = runs.at(-1)?.value;
  return {
    count,
    compiling,
    evaluating: runs.map(({ value }) => value.cel),
    whole: runs.map(({ ms }) => ms),
    cost: last?.cost ?? -1,
    accepted: last?.accepted ?? false,
  };
}

function findings(figures: readonly CountFigures[]): Findings {
  const growth = growthOf(figures.map(({ count, evaluating }) => ({ x: count, y: median(evaluating) })));
  const unnoticed = figures.filter(({ evaluating }) => median(evaluating) <= UNNOTICED_MS).at(-1);
  const hundreds = figures.find(({ count }) => count >= 300) ?? figures.at(-1);
  const perRule = hundreds === undefined ? Number.NaN : median(hundreds.evaluating) / hundreds.count;
  const costs = figures.map(({ cost, count }) => cost / count);
  return {
    finding: `${countText(unnoticed?.count ?? 0)} rules take ${timeText(median(unnoticed?.evaluating ?? []))} an object; each adds ${timeText(perRule)}, and ${timeText(median(hundreds?.compiling ?? []) / (hundreds?.count ?? 1))} when the definition is compiled`,
    charts: [
      {
        kind: 'scaling',
        id: 'growth',
        title: `Time per object grows with n^${(growth?.exponent ?? Number.NaN).toFixed(2)} of the rules`,
        subtitle: 'One field and one rule each, of four common kinds in turn; median of the rounds.',
        x: { label: 'rules in the definition', unit: 'count' },
        y: { label: 'time', unit: 'ms' },
        series: [
          {
            name: 'rules of an object',
            role: 'ours',
            points: figures.map(({ count, evaluating }) => ({ x: count, y: median(evaluating) })),
          },
          { name: 'the whole write', role: 'reference', points: figures.map(({ count, whole }) => ({ x: count, y: median(whole) })) },
          {
            name: 'admit and compile',
            role: 'experiment',
            points: figures.map(({ count, compiling }) => ({ x: count, y: median(compiling) })),
          },
        ],
        horizontals: [{ y: UNNOTICED_MS, label: 'a request takes that anyway' }],
        reading:
          'A definition is compiled once for many objects, so its line matters only to those who compile many. Fields grow with the rules: part of the whole write is theirs.',
        notShown: 'rules near the cost limits, which are refused long before their number matters (see nested-lists).',
      },
    ],
    claims: [
      {
        source: 'KEP-2876',
        claim: 'many (100s) expressions are fine',
        system: 'ours',
        found:
          hundreds === undefined
            ? 'not measured'
            : `${countText(hundreds.count)} rules: ${timeText(median(hundreds.evaluating))} an object`,
        verdict: hundreds === undefined ? 'undecided' : median(hundreds.evaluating) <= UNNOTICED_MS ? 'holds' : 'in part',
      },
    ],
    gates: [
      ...figures.map(({ count, accepted }) =>
        equalGate(`${count} rules: verdict`, 'verdicts', 'accepted', accepted ? 'accepted' : 'rejected'),
      ),
      equalGate(
        'cost of four rules is the same at any number',
        'cost units',
        'true',
        String(
          new Set(figures.filter(({ count }) => count % 4 === 0).map(({ cost, count }) => cost / count)).size <= 1 &&
            costs.every((cost) => cost > 0),
        ),
      ),
    ],
    cells: figures.flatMap(({ count, compiling, evaluating, whole }) =>
      Object.entries({ compiling, evaluating, whole }).map(([what, samples]) => ({
        id: `${count} rules/${what}`,
        unit: 'ms' as const,
        samples: [...samples],
        statistic: 'median' as const,
        value: median(samples),
      })),
    ),
  };
}
