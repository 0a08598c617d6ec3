import { explainDefinition } from '#crd';
import { writeJson } from '#go';
import { EXPRESSION_COST_LIMIT, latestServer, MAX_BODY_BYTES } from '#kube';
import type { JsonObject } from '#go';
import { NODE_ENGINE } from '#runner/linker';
import { countedText, countText, NOT_MEASURED, rangeText, timesText } from '#charts';
import { extent, quotient } from '../measure/quotient.ts';
import { equalGate } from '../result/gates.ts';
import { sentence } from '../result/sentence.ts';
import type { Gate } from '../result/summary.ts';
import { casesOf, growthChart, numberOf } from '../study/study-report.ts';
import { studyOf } from '../study/study.ts';
import type { CaseFigures, Facts, Line } from '../study/study.ts';
import { compiledAsStored, judge, largeBody, largeDefinition, NO_LIMITS } from '../workloads/judging.ts';
import { withRules } from '../workloads/rule-definition.ts';
import type { Findings } from './experiment.ts';

/** A rule over a list whose elements have a bound of their own. */
interface SizedRule {
  readonly name: string;
  readonly rule: string;
  /** The schema of an element bounded by `size`. */
  readonly element: (size: number) => object;
  /** The dearest element of that size. */
  readonly dearest: (size: number) => unknown;
}

const text = (maxLength: number): object => ({ type: 'string', maxLength });
const RULES: readonly SizedRule[] = [
  { name: 'startsWith', rule: "self.all(s, s.startsWith('a'))", element: text, dearest: (size) => 'a'.repeat(size) },
  { name: 'matches', rule: "self.all(s, s.matches('^a+$'))", element: text, dearest: (size) => 'a'.repeat(size) },
  { name: 'contains', rule: "self.all(s, !s.contains('needle'))", element: text, dearest: (size) => 'n'.repeat(size) },
  {
    name: 'inner list',
    rule: 'self.all(l, l.all(e, e >= 0))',
    element: (maxItems) => ({ type: 'array', maxItems, items: { type: 'integer' } }),
    dearest: (size) => Array.from({ length: size }, () => 7),
  },
];
/** Room for what is around the list in a body, bytes. */
const AROUND = 300;
const LIMIT = Number(EXPRESSION_COST_LIMIT);

/** What do bounds on elements do to an estimate, and how far is that from the worst object that there can be? */
export const elementSize = studyOf({
  name: 'element-size',
  question: 'How far above the worst real object is the estimate of a rule, and which bounds would admit it?',
  lines: RULES.map((rule): Line => ({
    name: rule.name,
    sizes: { quick: [8, 64, 512], full: [2, 8, 32, 128, 512, 2048, 8192] },
    work: (size) => ({ after: () => ({ facts: costsOf(rule, size) }) }),
  })),
  findings,
});

function definitionOf({ rule, element }: SizedRule, size: number, maxItems?: number): JsonObject {
  const list = { type: 'array', ...(maxItems !== undefined && { maxItems }), items: element(size) };
  return largeDefinition({ list: withRules(list, [rule]) });
}

/**
 * Returns costs in units. `estimated`: of a list without maxItems, which may have as many elements as fit into a request by their least size.
 * `actual`: of the worst object that fits into a request. `suggested`: a maxItems of the explanation; undefined if the rule is admitted without.
 * `admitted`: whether the definition with that bound is.
 */
function costsOf(rule: SizedRule, size: number): Facts {
  const explain = (document: JsonObject) => explainDefinition(writeJson(document), { ...latestServer(), engine: NODE_ENGINE });
  const { rules, verdict } = explain(definitionOf(rule, size));
  const [explained] = rules;
  const change = explained?.suggestions?.find(({ changes }) => changes.length === 1)?.changes[0];
  const suggested = change?.bound.keyword === 'maxItems' ? Number(change.value) : undefined;
  const length = Math.floor((MAX_BODY_BYTES - AROUND) / (Buffer.byteLength(JSON.stringify(rule.dearest(size))) + 1));
  const body = largeBody({ list: Array.from({ length }, () => rule.dearest(size)) });
  return {
    estimated: explained && Number(explained.totalCost),
    actual: judge(compiledAsStored(definitionOf(rule, size)), body, NO_LIMITS).cost.cel,
    suggested,
    admitted: String(suggested === undefined ? verdict.accepted : explain(definitionOf(rule, size, suggested)).verdict.accepted),
  };
}

/** Returns how many times the worst object the estimate is. */
const aboveWorst = (one: CaseFigures): number | undefined => quotient(numberOf(one, 'estimated'), numberOf(one, 'actual'));

function findings(cases: readonly CaseFigures[]): Findings {
  const ratios = extent(cases.map(aboveWorst));
  const over = cases.filter((one) => (numberOf(one, 'estimated') ?? 0) > LIMIT && numberOf(one, 'actual') !== undefined);
  const needless = over.filter((one) => (numberOf(one, 'actual') ?? Infinity) <= LIMIT);
  return {
    finding: sentence([
      ratios &&
        `estimates are ${rangeText(ratios, timesText)} the cost of the worst object that fits into a request: of ${countedText(over.length, 'rule')} refused, ${needless.length} could never cost too much`,
    ]),
    charts: [
      growthChart({
        id: 'estimate',
        title:
          ratios === undefined
            ? 'Estimates and worst objects'
            : `Estimates are up to ${timesText(ratios.most)} what the worst object costs`,
        subtitle: 'A list without maxItems. Estimate of the rule, and cost of the worst object of 3 MiB, by the bound on its elements.',
        x: { label: 'bound on an element (maxLength, or maxItems of an inner list)', unit: 'count' },
        y: { label: 'cost units', unit: 'units' },
        lines: RULES.flatMap(({ name }) => [
          { name: `${name}, estimated`, role: 'shipped', cases: casesOf(cases, name), what: 'estimated' } as const,
          { name: `${name}, worst object`, role: 'assay', cases: casesOf(cases, name), what: 'actual' } as const,
        ]),
        horizontals: [{ y: LIMIT, label: 'limit of an estimate' }],
        reading:
          'The estimator takes each list to be as long as a request allows if all elements were as small as they can be, and each element as large as it may be: both at once cannot happen, and the gap between the lines is that.',
        notShown: 'time. Both estimate and actual cost are exact: the same as of the Go code.',
      }),
    ],
    tables: [
      {
        title: 'What to write in a definition',
        columns: ['rule', 'bound on the element', 'estimate', 'worst object', 'estimate ÷ worst', 'maxItems that admits it'],
        rows: RULES.flatMap(({ name, rule }) =>
          casesOf(cases, name).map((one) => [
            `\`${rule}\``,
            String(one.size),
            countText(numberOf(one, 'estimated')),
            countText(numberOf(one, 'actual')),
            timesText(aboveWorst(one)),
            suggestionText(one),
          ]),
        ),
        notes: ['The bound is that of `assay explain`; each was put into the definition and the definition judged again.'],
      },
    ],
    gates: cases.flatMap(gatesOf),
  };
}

function suggestionText(one: CaseFigures): string {
  const [suggested, estimated] = [numberOf(one, 'suggested'), numberOf(one, 'estimated')];
  if (suggested !== undefined) return countText(suggested);
  return estimated === undefined ? NOT_MEASURED : estimated <= LIMIT ? 'none needed' : '–';
}

function gatesOf(one: CaseFigures): Gate[] {
  const [name, estimated, actual] = [`${one.line}, ${one.size}`, numberOf(one, 'estimated'), numberOf(one, 'actual')];
  const within = estimated === undefined || actual === undefined ? undefined : String(actual <= estimated);
  return [
    equalGate(`${name}: the estimate is not exceeded`, 'cost units', 'true', within),
    equalGate(
      `${name}: with the suggested bound it is admitted`,
      'verdicts',
      'true',
      estimated === undefined ? undefined : one.facts['admitted'],
    ),
  ];
}
