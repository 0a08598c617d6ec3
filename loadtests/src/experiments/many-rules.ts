import { countedText, countText, NOT_MEASURED, timeText } from '#charts';
import { measured, quotient } from '../measure/quotient.ts';
import { sentence } from '../result/sentence.ts';
import type { ReportClaim } from '../result/summary.ts';
import { judgingWork } from '../study/judging-work.ts';
import { casesOf, growthChart, sameCostGate, timeCells, timeOf, verdictGates } from '../study/study-report.ts';
import { studyOf } from '../study/study.ts';
import type { CaseFigures, Line } from '../study/study.ts';
import { compiledToServe, largeBody } from '../workloads/judging.ts';
import { fieldsDefinition, withRules } from '../workloads/rule-definition.ts';
import type { Findings } from './experiment.ts';

const COUNTS = { quick: [1, 8, 100, 1000], full: [1, 4, 12, 32, 100, 300, 1000, 3000] } as const;
/** An object may wait so long for its rules without anybody minding, ms: a request takes that anyway. */
const UNNOTICED_MS = 1;
const HUNDREDS = 100;

/** Rules of the kinds that definitions hold most of, in turn. */
const RULES = [
  "self.size() > 2 && self.startsWith('v')",
  "self == 'value' || self.contains('-')",
  "self.matches('^[a-z]([-a-z0-9]*[a-z0-9])?$')",
  "self in ['value', 'other', 'third']",
] as const;

const definitionOf = (count: number) =>
  fieldsDefinition(count, (i) => withRules({ type: 'string', maxLength: 30 }, [RULES[i % RULES.length] ?? 'true']));

const LINES: readonly Line[] = [
  {
    name: 'judging',
    sizes: COUNTS,
    work: (count) => {
      const spec = Object.fromEntries(Array.from({ length: count }, (_, i) => [`field${i}`, 'value']));
      return judgingWork(compiledToServe(definitionOf(count)), largeBody({ spec }));
    },
  },
  {
    name: 'compiling',
    sizes: COUNTS,
    work: (count) => {
      const document = definitionOf(count);
      return { runs: { compile: () => compiledToServe(document) } };
    },
  },
];

/** KEP-2876: "many (100s) expressions are fine"? */
export const manyRules = studyOf({
  name: 'many-rules',
  question: 'How many rules may a definition have before anybody notices?',
  lines: LINES,
  findings,
});

function findings(cases: readonly CaseFigures[]): Findings {
  const [judging, compiling] = [casesOf(cases, 'judging'), casesOf(cases, 'compiling')];
  const evaluated = measured(judging, (one) => timeOf(one, 'cel'));
  const unnoticed = evaluated.filter(({ value }) => value <= UNNOTICED_MS).at(-1);
  // Many rules tell what one adds: few are hidden by what is spent once.
  const many = evaluated.find(({ item }) => item.size >= 3 * HUNDREDS) ?? evaluated.at(-1);
  const compiled = compiling.find(({ size }) => size === many?.item.size);
  return {
    finding: sentence([
      unnoticed && `${countedText(unnoticed.item.size, 'rule')} take ${timeText(unnoticed.value)} an object`,
      many &&
        `of ${countText(many.item.size)}, each adds to an object: ${timeText(many.value / many.item.size)}, to compiling the definition: ${timeText(quotient(compiled && timeOf(compiled, 'compile'), many.item.size))}`,
    ]),
    charts: [
      growthChart({
        id: 'growth',
        title: ['Time per object', 'the rules'],
        subtitle: 'One field and one rule each, of four common kinds in turn; median of the rounds.',
        x: { label: 'rules in the definition', unit: 'count' },
        lines: [
          { name: 'rules of an object, exact way', role: 'assay', cases: judging, what: 'cel' },
          { name: 'the whole write, as judged', role: 'reference', cases: judging, what: 'whole' },
          { name: 'admit and compile', role: 'experiment', cases: compiling, what: 'compile' },
        ],
        horizontals: [{ y: UNNOTICED_MS, label: 'a request takes that anyway' }],
        reading:
          'A definition is compiled once for many objects, so its line matters only to those who compile many. Fields grow with the rules: part of the whole write is theirs.',
        notShown: 'rules near the cost limits, which are refused long before their number matters (see nested-lists).',
      }),
    ],
    claims: [hundredsClaim(evaluated)],
    gates: [
      ...verdictGates(judging, ({ size }) => countedText(size, 'rule')),
      sameCostGate(
        'cost of four rules is the same at any number',
        judging.filter(({ size }) => size % RULES.length === 0),
      ),
    ],
    cells: timeCells(cases),
  };
}

/** Returns the claim about hundreds of rules: fewer do not decide it. */
function hundredsClaim(evaluated: readonly { readonly item: CaseFigures; readonly value: number }[]): ReportClaim {
  const hundreds = evaluated.find(({ item }) => item.size >= 3 * HUNDREDS) ?? evaluated.findLast(({ item }) => item.size >= HUNDREDS);
  return {
    source: 'KEP-2876',
    claim: 'many (100s) expressions are fine',
    system: 'Assay',
    found: hundreds === undefined ? NOT_MEASURED : `${countedText(hundreds.item.size, 'rule')}: ${timeText(hundreds.value)} an object`,
    verdict: hundreds === undefined ? 'not measured' : hundreds.value <= UNNOTICED_MS ? 'holds' : 'in part',
  };
}
