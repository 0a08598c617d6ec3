import { explainDefinition, validateObject } from '#crd';
import { writeJson } from '#go';
import { EXPRESSION_COST_LIMIT, latestServer, MAX_BODY_BYTES } from '#kube';
import type { JsonObject } from '#go';
import { NODE_ENGINE } from '#runner/linker';
import { countedText, countText, NOT_MEASURED, plotted, rangeText, timesText } from '#charts';
import type { Chart } from '#charts';
import type { Choice } from '../lab.ts';
import { extent, quotient } from '../measure/quotient.ts';
import { equalGate } from '../result/gates.ts';
import { sentence } from '../result/sentence.ts';
import type { Gate } from '../result/summary.ts';
import { compiledAsStored, largeBody, largeDefinition, UNLIMITED } from '../workloads/judging.ts';
import { withRules } from '../workloads/rule-definition.ts';
import type { Experiment, Findings } from './experiment.ts';

/** A rule over a list whose elements have a bound of their own. */
interface SizedRule {
  readonly name: string;
  readonly rule: string;
  /** The schema of an element bounded by `size`. */
  readonly element: (size: number) => object;
  /** The dearest element of that size. */
  readonly dearest: (size: number) => unknown;
}

const RULES: readonly SizedRule[] = [
  {
    name: 'startsWith',
    rule: "self.all(s, s.startsWith('a'))",
    element: (maxLength) => ({ type: 'string', maxLength }),
    dearest: (size) => 'a'.repeat(size),
  },
  {
    name: 'matches',
    rule: "self.all(s, s.matches('^a+$'))",
    element: (maxLength) => ({ type: 'string', maxLength }),
    dearest: (size) => 'a'.repeat(size),
  },
  {
    name: 'contains',
    rule: "self.all(s, !s.contains('needle'))",
    element: (maxLength) => ({ type: 'string', maxLength }),
    dearest: (size) => 'n'.repeat(size),
  },
  {
    name: 'inner list',
    rule: 'self.all(l, l.all(e, e >= 0))',
    element: (maxItems) => ({ type: 'array', maxItems, items: { type: 'integer' } }),
    dearest: (size) => Array.from({ length: size }, () => 7),
  },
];
const SIZES: Choice<readonly number[]> = { quick: [8, 64, 512], full: [2, 8, 32, 128, 512, 2048, 8192] };
/** Room for what is around the list in a body, bytes. */
const AROUND = 300;

/** What do bounds on elements do to an estimate, and how far is that from the worst object that there can be? */
export const elementSize: Experiment<readonly SizedFigures[]> = {
  name: 'element-size',
  question: 'How far above the worst real object is the estimate of a rule, and which bounds would admit it?',
  async measure(lab) {
    const figures: SizedFigures[] = [];
    const cases = RULES.flatMap((rule) => lab.of(SIZES).map((size) => ({ rule, size })));
    for await (const { rule, size } of lab.each(cases)) {
      lab.say(`${rule.name}, elements of at most ${size}`);
      figures.push(judgeSized(rule, size));
    }
    return figures;
  },
  findings,
};

/** One rule with one bound on the elements. Costs are in units. */
export interface SizedFigures {
  readonly name: string;
  readonly rule: string;
  readonly size: number;
  /** The estimate of a list without maxItems: it counts on as many elements as fit into a request by their least size. Undefined where there was none. */
  readonly estimated: number | undefined;
  /** What the worst object that fits into a request costs; undefined where it was not judged. */
  readonly actual: number | undefined;
  /** A maxItems with which the rule is admitted, by the explanation; undefined where it is admitted without. */
  readonly suggested: number | undefined;
  /** Whether a definition with that bound is admitted. */
  readonly admitted: boolean;
}

function definitionOf({ rule, element }: SizedRule, size: number, maxItems?: number): JsonObject {
  const list = { type: 'array', ...(maxItems !== undefined && { maxItems }), items: element(size) };
  return largeDefinition({ list: withRules(list, [rule]) });
}

function judgeSized(rule: SizedRule, size: number): SizedFigures {
  const explain = (document: JsonObject) => explainDefinition(writeJson(document), { ...latestServer(), engine: NODE_ENGINE });
  const { rules, verdict } = explain(definitionOf(rule, size));
  const [explained] = rules;
  const changes = explained?.suggestions?.find((suggestion) => suggestion.changes.length === 1)?.changes[0];
  const suggested = changes === undefined || changes.bound.keyword !== 'maxItems' ? undefined : Number(changes.value);
  const element = JSON.stringify(rule.dearest(size));
  const count = Math.floor((MAX_BODY_BYTES - AROUND) / (Buffer.byteLength(element) + 1));
  const body = largeBody({ list: Array.from({ length: count }, () => rule.dearest(size)) });
  const judged = validateObject(
    compiledAsStored(definitionOf(rule, size)),
    { operation: 'CREATE', body, contentType: 'application/json', fieldValidation: 'Warn' },
    { costLimit: UNLIMITED, budget: UNLIMITED },
  );
  return {
    name: rule.name,
    rule: rule.rule,
    size,
    estimated: explained === undefined ? undefined : Number(explained.totalCost),
    actual: 'cancelled' in judged ? undefined : judged.cost.cel,
    suggested,
    admitted: suggested === undefined ? verdict.accepted : explain(definitionOf(rule, size, suggested)).verdict.accepted,
  };
}

const LIMIT = Number(EXPRESSION_COST_LIMIT);

/** How many times the worst object the estimate is. */
const aboveWorst = ({ estimated, actual }: SizedFigures): number | undefined => quotient(estimated, actual);

function findings(figures: readonly SizedFigures[]): Findings {
  const ratios = extent(figures.map(aboveWorst));
  const judged = figures.filter((one) => one.estimated !== undefined && one.actual !== undefined);
  const over = judged.filter(({ estimated = 0 }) => estimated > LIMIT);
  const needless = over.filter(({ actual }) => actual !== undefined && actual <= LIMIT);
  return {
    finding: sentence([
      ratios &&
        `estimates are ${rangeText(ratios, timesText)} the cost of the worst object that fits into a request: of ${countedText(over.length, 'rule')} refused, ${needless.length} could never cost too much`,
    ]),
    charts: [estimateChart(figures, ratios?.most)],
    tables: [
      {
        title: 'What to write in a definition',
        columns: ['rule', 'bound on the element', 'estimate', 'worst object', 'estimate ÷ worst', 'maxItems that admits it'],
        rows: figures.map((one) => [
          `\`${one.rule}\``,
          String(one.size),
          countText(one.estimated),
          countText(one.actual),
          timesText(aboveWorst(one)),
          suggestionText(one),
        ]),
        notes: ['The bound is that of `assay explain`; each was put into the definition and the definition judged again.'],
      },
    ],
    gates: figures.flatMap(gatesOf),
  };
}

function suggestionText({ suggested, estimated }: SizedFigures): string {
  if (suggested !== undefined) return countText(suggested);
  return estimated === undefined ? NOT_MEASURED : estimated <= LIMIT ? 'none needed' : '–';
}

function estimateChart(figures: readonly SizedFigures[], most: number | undefined): Chart {
  return {
    kind: 'scaling',
    id: 'estimate',
    title: most === undefined ? 'Estimates and worst objects' : `Estimates are up to ${timesText(most)} what the worst object costs`,
    subtitle: 'A list without maxItems. Estimate of the rule, and cost of the worst object of 3 MiB, by the bound on its elements.',
    x: { label: 'bound on an element (maxLength, or maxItems of an inner list)', unit: 'count' },
    y: { label: 'cost units', unit: 'units' },
    series: [...new Set(figures.map(({ name }) => name))].flatMap((name) => {
      const own = figures.filter((figure) => figure.name === name);
      return [
        {
          name: `${name}, estimated`,
          role: 'shipped' as const,
          points: plotted(own.map(({ size, estimated }) => ({ x: size, y: estimated }))),
        },
        { name: `${name}, worst object`, role: 'assay' as const, points: plotted(own.map(({ size, actual }) => ({ x: size, y: actual }))) },
      ];
    }),
    horizontals: [{ y: LIMIT, label: 'limit of an estimate' }],
    reading:
      'The estimator takes each list to be as long as a request allows if all elements were as small as they can be, and each element as large as it may be: both at once cannot happen, and the gap between the lines is that.',
    notShown: 'time. Both estimate and actual cost are exact: the same as of the Go code.',
  };
}

function gatesOf({ name, size, estimated, actual, admitted }: SizedFigures): Gate[] {
  const within = estimated === undefined || actual === undefined ? undefined : String(actual <= estimated);
  return [
    equalGate(`${name}, ${size}: the estimate is not exceeded`, 'cost units', 'true', within),
    equalGate(
      `${name}, ${size}: with the suggested bound it is admitted`,
      'verdicts',
      'true',
      estimated === undefined ? undefined : String(admitted),
    ),
  ];
}
