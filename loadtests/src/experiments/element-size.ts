import { explainDefinition, validateObject } from '#crd';
import { writeJson } from '#go';
import { EXPRESSION_COST_LIMIT, latestServer, MAX_BODY_BYTES } from '#kube';
import type { JsonObject } from '#go';
import { NODE_ENGINE } from '#runner/linker';
import type { Lab, Thoroughness } from '../lab.ts';
import { countText, timesText } from '../measure/figures.ts';
import { equalGate } from '../result/equal-gate.ts';
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
const SIZES: Readonly<Record<Thoroughness, readonly number[]>> = { quick: [8, 64, 512], full: [2, 8, 32, 128, 512, 2048, 8192] };
/** Room for what is around the list in a body, bytes. */
const AROUND = 300;

/** What do bounds on elements do to an estimate, and how far is that from the worst object that there can be? */
export const elementSize: Experiment = {
  name: 'element-size',
  question: 'How far above the worst real object is the estimate of a rule, and which bounds would admit it?',
  async run(lab) {
    const figures: SizedFigures[] = [];
    const cases = RULES.flatMap((rule) => lab.of(SIZES).map((size) => ({ rule, size })));
    for await (const { rule, size } of lab.each(cases)) {
      lab.say(`${rule.name}, elements of at most ${size}`);
      figures.push(measure(lab, rule, size));
    }
    return findings(figures);
  },
};

interface SizedFigures {
  readonly rule: SizedRule;
  readonly size: number;
  /** The estimate of a list without maxItems: it counts on as many elements as fit into a request by their least size. */
  readonly estimated: number;
  /** What the worst object that fits into a request costs. */
  readonly actual: number;
  /** A maxItems with which the rule is admitted, by the explanation; undefined where it is admitted without. */
  readonly suggested: number | undefined;
  /** Whether a definition with that bound is admitted. */
  readonly admitted: boolean;
}

function definitionOf({ rule, element }: SizedRule, size: number, maxItems?: number): JsonObject {
  const list = { type: 'array', ...(maxItems !== undefined && { maxItems }), items: element(size) };
  return largeDefinition({ list: withRules(list, [rule]) });
}

function measure(lab: Lab, rule: SizedRule, size: number): SizedFigures {
  const explain = (document: JsonObject) => explainDefinition(writeJson(document), latestServer(), NODE_ENGINE);
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
  if ('cancelled' in judged || lab.signal.aborted) throw new Error('the experiment was cancelled');
  return {
    rule,
    size,
    estimated: Number(explained?.totalCost ?? 0n),
    actual: judged.cost.cel ?? -1,
    suggested,
    admitted: suggested === undefined ? verdict.accepted : explain(definitionOf(rule, size, suggested)).verdict.accepted,
  };
}

function findings(figures: readonly SizedFigures[]): Findings {
  const limit = Number(EXPRESSION_COST_LIMIT);
  const over = figures.filter(({ estimated }) => estimated > limit);
  const needless = over.filter(({ actual }) => actual <= limit);
  const ratios = figures.filter(({ actual }) => actual > 0).map(({ estimated, actual }) => estimated / actual);
  const rules = [...new Set(figures.map(({ rule }) => rule))];
  return {
    finding: `Estimates lie ${timesText(Math.min(...ratios))} to ${timesText(Math.max(...ratios))} above the worst object that fits into a request: of ${over.length} rules that are refused, ${needless.length} could never cost too much`,
    charts: [
      {
        kind: 'scaling',
        id: 'estimate',
        title: `The larger the elements may be, the further the estimate is off: up to ${timesText(Math.max(...ratios))}`,
        subtitle: 'A list without maxItems. Estimate of the rule, and cost of the worst object of 3 MiB, by the bound on its elements.',
        x: { label: 'bound on an element (maxLength, or maxItems of an inner list)', unit: 'count' },
        y: { label: 'cost units', unit: 'units' },
        series: rules.flatMap((rule) => {
          const own = figures.filter((figure) => figure.rule === rule);
          return [
            {
              name: `${rule.name}, estimated`,
              role: 'shipped' as const,
              points: own.map(({ size, estimated }) => ({ x: size, y: estimated })),
            },
            { name: `${rule.name}, worst object`, role: 'ours' as const, points: own.map(({ size, actual }) => ({ x: size, y: actual })) },
          ];
        }),
        horizontals: [{ y: limit, label: 'limit of an estimate' }],
        reading:
          'The estimator takes each list to be as long as a request allows if all elements were as small as they can be, and each element as large as it may be: both at once cannot happen, and the gap between the lines is that.',
        notShown: 'time. Both estimate and actual cost are exact: the same as of the Go code.',
      },
    ],
    tables: [
      {
        title: 'What to write in a definition',
        columns: ['rule', 'bound on the element', 'estimate', 'worst object', 'estimate ÷ worst', 'maxItems that admits it'],
        rows: figures.map(({ rule, size, estimated, actual, suggested }) => [
          `\`${rule.rule}\``,
          String(size),
          countText(estimated),
          countText(actual),
          timesText(estimated / actual),
          suggested === undefined ? (estimated <= limit ? 'none needed' : '–') : countText(suggested),
        ]),
        notes: ['The bound is that of `assay explain`; each was put into the definition and the definition judged again.'],
      },
    ],
    gates: figures.flatMap(gatesOf),
  };
}

function gatesOf({ rule, size, estimated, actual, admitted }: SizedFigures): Gate[] {
  const name = `${rule.name}, ${size}`;
  return [
    equalGate(`${name}: the estimate is not exceeded`, 'cost units', 'true', String(actual <= estimated)),
    equalGate(`${name}: with the suggested bound it is admitted`, 'verdicts', 'true', String(admitted)),
  ];
}
