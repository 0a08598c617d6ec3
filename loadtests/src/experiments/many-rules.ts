import { compileDefinition } from '#crd';
import type { CompiledDefinition } from '#crd';
import { LATEST_MINOR } from '#kube';
import { NODE_ENGINE } from '#runner/linker';
import { countedText, countText, growthText, NOT_MEASURED, plotted, timeText } from '#charts';
import type { Chart } from '#charts';
import type { Lab, Choice } from '../lab.ts';
import { growthOf } from '../measure/growth.ts';
import { median } from '#benchmark';
import { measured, quotient } from '../measure/quotient.ts';
import { warmUp } from '../measure/warm-up.ts';
import { equalGate } from '../result/gates.ts';
import { medianCell } from '../result/report-cell.ts';
import { sentence } from '../result/sentence.ts';
import type { Gate, ReportClaim } from '../result/summary.ts';
import { judge, judgeExactly, largeBody, timed } from '../workloads/judging.ts';
import { fieldsDefinition, withRules } from '../workloads/rule-definition.ts';
import type { Experiment, Findings } from './experiment.ts';

const COUNTS: Choice<readonly number[]> = {
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
export const manyRules: Experiment<readonly CountFigures[]> = {
  name: 'many-rules',
  question: 'How many rules may a definition have before anybody notices?',
  async measure(lab) {
    const figures: CountFigures[] = [];
    for await (const count of lab.each(lab.of(COUNTS))) {
      lab.say(`${count} rules`);
      figures.push(measureCount(lab, count));
    }
    return figures;
  },
  findings,
};

/** Measurements of a definition with so many rules. */
export interface CountFigures {
  readonly count: number;
  /** ms to admit and compile the definition, a figure a round. */
  readonly compiling: readonly number[];
  /** ms of the rules of one object by the exact way, a figure a round. */
  readonly evaluating: readonly number[];
  /** ms of the whole write, as the product judges it. */
  readonly whole: readonly number[];
  /** Units of the last round; undefined if nothing was judged. */
  readonly cost: number | undefined;
  readonly accepted: boolean | undefined;
}

function measureCount(lab: Lab, count: number): CountFigures {
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
  warmUp(() => void judge(definition, body), 400);
  warmUp(() => void judgeExactly(definition, body), 400);
  const runs = Array.from({ length: rounds }, () => ({
    whole: timed(() => judge(definition, body)),
    exact: judgeExactly(definition, body),
  }));
  const last = runs.at(-1)?.whole.value;
  return {
    count,
    compiling,
    evaluating: runs.map(({ exact }) => exact.phases.cel),
    whole: runs.map(({ whole }) => whole.ms),
    cost: last?.cost.cel,
    accepted: last?.accepted,
  };
}

const HUNDREDS = 100;

function findings(figures: readonly CountFigures[]): Findings {
  const evaluated = measured(figures, ({ evaluating }) => median(evaluating));
  const unnoticed = evaluated.filter(({ value }) => value <= UNNOTICED_MS).at(-1);
  // What a rule adds is told by many: few are hidden by what is spent once.
  const many = evaluated.find(({ item }) => item.count >= 3 * HUNDREDS) ?? evaluated.at(-1);
  const compiling = many && median(many.item.compiling);
  return {
    finding: sentence([
      unnoticed && `${countedText(unnoticed.item.count, 'rule')} take ${timeText(unnoticed.value)} an object`,
      many &&
        `of ${countText(many.item.count)}, each adds to an object: ${timeText(many.value / many.item.count)}, to compiling the definition: ${timeText(quotient(compiling, many.item.count))}`,
    ]),
    charts: [growthChart(figures)],
    claims: [hundredsClaim(evaluated)],
    gates: [
      ...figures.map(({ count, accepted }) =>
        equalGate(
          `${countedText(count, 'rule')}: verdict`,
          'verdicts',
          'accepted',
          accepted === undefined ? undefined : accepted ? 'accepted' : 'rejected',
        ),
      ),
      costGate(figures),
    ],
    cells: figures.flatMap(({ count, compiling: compile, evaluating, whole }) =>
      Object.entries({ compiling: compile, evaluating, whole }).flatMap(([what, samples]) =>
        medianCell({ id: `${count} rules/${what}`, unit: 'ms', samples }),
      ),
    ),
  };
}

function growthChart(figures: readonly CountFigures[]): Chart {
  const points = (of: (one: CountFigures) => readonly number[]) => plotted(figures.map((one) => ({ x: one.count, y: median(of(one)) })));
  const evaluating = points((one) => one.evaluating);
  const growth = growthOf(evaluating);
  return {
    kind: 'scaling',
    id: 'growth',
    title: growth === undefined ? 'Time per object, by rules' : `Time per object grows with ${growthText(growth.exponent)} of the rules`,
    subtitle: 'One field and one rule each, of four common kinds in turn; median of the rounds.',
    x: { label: 'rules in the definition', unit: 'count' },
    y: { label: 'time', unit: 'ms' },
    series: [
      { name: 'rules of an object, exact way', role: 'assay', points: evaluating },
      { name: 'the whole write, as judged', role: 'reference', points: points((one) => one.whole) },
      { name: 'admit and compile', role: 'experiment', points: points((one) => one.compiling) },
    ],
    horizontals: [{ y: UNNOTICED_MS, label: 'a request takes that anyway' }],
    reading:
      'A definition is compiled once for many objects, so its line matters only to those who compile many. Fields grow with the rules: part of the whole write is theirs.',
    notShown: 'rules near the cost limits, which are refused long before their number matters (see nested-lists).',
  };
}

/** The claim is about hundreds of rules: fewer do not decide it. */
function hundredsClaim(evaluated: readonly { readonly item: CountFigures; readonly value: number }[]): ReportClaim {
  const hundreds = evaluated.find(({ item }) => item.count >= 3 * HUNDREDS) ?? evaluated.findLast(({ item }) => item.count >= HUNDREDS);
  return {
    source: 'KEP-2876',
    claim: 'many (100s) expressions are fine',
    system: 'Assay',
    found: hundreds === undefined ? NOT_MEASURED : `${countedText(hundreds.item.count, 'rule')}: ${timeText(hundreds.value)} an object`,
    verdict: hundreds === undefined ? 'not measured' : hundreds.value <= UNNOTICED_MS ? 'holds' : 'in part',
  };
}

/** Four rules, one of each kind, cost the same however often they stand in a definition. */
function costGate(figures: readonly CountFigures[]): Gate {
  const costs = figures.flatMap(({ count, cost }) => (count % RULES.length === 0 && cost !== undefined ? [cost / count] : []));
  // One figure alone has nothing to be the same as.
  const same = costs.length < 2 ? undefined : String(new Set(costs).size === 1 && costs.every((cost) => cost > 0));
  return equalGate('cost of four rules is the same at any number', 'cost units', 'true', same);
}
