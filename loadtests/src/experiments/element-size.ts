import { boundCeilings, explainDefinition, RecentDefinitions } from '#crd';
import { writeJson } from '#go';
import { EXPRESSION_COST_LIMIT, latestServer, MAX_BODY_BYTES } from '#kube';
import type { JsonObject } from '#go';
import { countedText, countText, NOT_MEASURED, rangeText, timesText } from '#numbers';
import { NODE_ENGINE } from '#runner/linker';
import { extent, quotient } from '../measure/quotient.ts';
import { casesOf, growthChart, numberOf, studyOf } from '../study/study-report.ts';
import type { CaseFigures, Facts, Line } from '../study/study.ts';
import { compiledAsStored, judge, largeBody, largeDefinition, NO_LIMITS } from '../workloads/judging.ts';
import { withRules } from '../workloads/rule-definition.ts';

/** Rule over a list whose elements have a size bound. */
interface SizedRule {
  readonly name: string;
  readonly rule: string;
  /** Keyword that limits the size of an element. */
  readonly keyword: 'maxLength' | 'maxItems';
  /** Returns the schema of an element with the bound `size`. */
  readonly element: (size: number) => object;
  /** Returns the most expensive element of size `size`. */
  readonly costliest: (size: number) => unknown;
}

const texts = (letter: string): Pick<SizedRule, 'keyword' | 'element' | 'costliest'> => ({
  keyword: 'maxLength',
  element: (maxLength) => ({ type: 'string', maxLength }),
  costliest: (size) => letter.repeat(size),
});
const RULES: readonly SizedRule[] = [
  { name: 'startsWith', rule: "self.all(s, s.startsWith('a'))", ...texts('a') },
  { name: 'matches', rule: "self.all(s, s.matches('^a+$'))", ...texts('a') },
  { name: 'contains', rule: "self.all(s, !s.contains('needle'))", ...texts('n') },
  {
    name: 'inner list',
    rule: 'self.all(l, l.all(e, e >= 0))',
    keyword: 'maxItems',
    element: (maxItems) => ({ type: 'array', maxItems, items: { type: 'integer' } }),
    costliest: (size) => Array.from({ length: size }, () => 7),
  },
];
/** Number of bytes reserved for the parts of a request body around the list. */
const AROUND = 300;
const LIMIT = Number(EXPRESSION_COST_LIMIT);

/**
 * Experiment about bounds on elements: their effect on a cost estimate, and the ratio of the estimate to the cost of the worst possible
 * object.
 */
export const elementSize = studyOf({
  name: 'element-size',
  question:
    'How far is the cost estimate of a rule above its cost for the most expensive possible object, and with which limits of the list would a server accept the rule?',
  lines: RULES.map((rule): Line => ({
    name: rule.name,
    sizes: { quick: [8, 64, 512], full: [2, 8, 32, 128, 512, 2048, 8192] },
    expected: () => ({ 'the estimate is not exceeded': 'true', 'admitted with the suggested bound': 'true' }),
    work: (size) => ({ after: () => ({ facts: costsOf(rule, size) }) }),
  })),
  conclude(cases) {
    const ratios = extent(cases.map(aboveWorst));
    const over = cases.filter((one) => (numberOf(one, 'estimated') ?? 0) > LIMIT && numberOf(one, 'actual') !== undefined);
    const needless = over.filter((one) => (numberOf(one, 'actual') ?? Infinity) <= LIMIT);
    return {
      finding: [
        ratios &&
          `estimates are ${rangeText(ratios, timesText)} the cost of the most expensive object that fits into a request; a server refuses the definitions of ${countedText(over.length, 'rule')} because of their estimate, although ${needless.length} of them could never exceed the cost limit`,
      ],
      charts: [
        growthChart({
          id: 'estimate',
          title: ratios
            ? `Estimates are up to ${timesText(ratios.most)} the cost of the most expensive object`
            : 'Estimates and worst objects',
          subtitle:
            'For rules over a list without maxItems: the estimate, and the cost for the most expensive object of 3 MiB. The x axis is the largest allowed size of an element (maxLength of a text, or maxItems of an inner list).',
          x: { label: 'bound on an element (maxLength, or maxItems of an inner list)', unit: 'count' },
          y: { label: 'cost units', unit: 'units' },
          lines: RULES.flatMap(({ name }) => [
            { name: `${name}, estimated`, role: 'shipped', cases: casesOf(cases, name), what: 'estimated' } as const,
            { name: `${name}, worst object`, role: 'assay', cases: casesOf(cases, name), what: 'actual' } as const,
          ]),
          horizontals: [{ y: LIMIT, label: 'limit of an estimate' }],
          reading:
            'The estimate assumes the longest possible list, and also that each element has the largest possible size. Such a list does not fit into one request, so the estimate is higher than the cost of any object.',
          notShown: 'time. Estimates and costs are exactly the same as in the Go code of Kubernetes.',
        }),
      ],
      tables: [
        {
          title: 'Which maxItems a definition needs',
          columns: [
            'rule',
            'keyword that limits the size of each element',
            'estimate ÷ highest real cost (object up to 3 MiB)',
            'maxItems that the list needs, at most',
          ],
          rows: RULES.flatMap(({ name, rule, keyword }) =>
            casesOf(cases, name).map((one) => [
              `\`${rule}\``,
              `\`${keyword}: ${one.size}\``,
              timesText(aboveWorst(one)),
              String(one.facts['suggested'] ?? NOT_MEASURED),
            ]),
          ),
          notes: [
            'In each rule, `self` is the list, and `s` or `l` an element of the list. The last column has the largest values of maxItems with which Assay accepts the definition, as `assay ceiling` shows them. The load lab put each value into the definition, and Assay then accepted it.',
          ],
        },
      ],
    };
  },
});

function definitionOf({ rule, element }: SizedRule, size: number, maxItems?: number): JsonObject {
  const list = { type: 'array', ...(maxItems !== undefined && { maxItems }), items: element(size) };
  return largeDefinition({ list: withRules(list, [rule]) });
}

/**
 * Returns costs in cost units:
 *
 * - `estimated`: estimate for a list without maxItems. Such a list may have as many elements of the smallest size as fit into a request.
 * - `actual`: cost of the worst object that fits into a request.
 * - `suggested`: largest maxItems with which the rule is admitted, if it is not admitted without one.
 */
function costsOf(rule: SizedRule, size: number): Facts {
  const explain = (document: JsonObject) => explainDefinition(writeJson(document), { ...latestServer(), engine: NODE_ENGINE });
  const { rules, verdict } = explain(definitionOf(rule, size));
  const [explained] = rules;
  const suggested = exactMaxItems(definitionOf(rule, size));
  const length = Math.floor((MAX_BODY_BYTES - AROUND) / (Buffer.byteLength(JSON.stringify(rule.costliest(size))) + 1));
  const body = largeBody({ list: Array.from({ length }, () => rule.costliest(size)) });
  const estimated = explained && Number(explained.totalCost);
  const actual = judge(compiledAsStored(definitionOf(rule, size)), body, NO_LIMITS).cost.cel;
  const bounded = suggested === undefined ? verdict : explain(definitionOf(rule, size, suggested)).verdict;
  return {
    estimated,
    actual,
    suggested: suggested === undefined ? (verdict.accepted ? 'none is needed' : '–') : countText(suggested),
    'the estimate is not exceeded': String(estimated !== undefined && actual !== undefined && actual <= estimated),
    'admitted with the suggested bound': String(bounded.accepted),
  };
}

/** Returns the largest maxItems with which a server accepts the definition; undefined if it accepts all values, or none. */
function exactMaxItems(definition: JsonObject): number | undefined {
  const question = { field: 'list', servers: [latestServer()], recent: new RecentDefinitions() };
  const [found] = boundCeilings(writeJson(definition), question);
  return found?.ceiling.kind === 'limited' ? Number(found.ceiling.highest) : undefined;
}

/** Returns the estimate as a multiple of the worst object's cost; undefined if it is not known. */
const aboveWorst = (one: CaseFigures): number | undefined => quotient(numberOf(one, 'estimated'), numberOf(one, 'actual'));
