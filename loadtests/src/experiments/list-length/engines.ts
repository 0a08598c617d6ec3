import { KEP_FACTOR } from '#kube';
import { PER_CALL_LIMIT } from '#kube';
import { countText, growthText, timeText } from '#numbers';
import { caseEvaluation, CEL_CASES } from '../../engines/cel-cases.ts';
import type { CelCase } from '../../engines/cel-cases.ts';
import type { GoPeer, GoValidator } from '../../engines/go-validator.ts';
import type { ByThoroughness, Lab } from '../../lab.ts';
import { equalGate } from '../../result/gates.ts';
import type { Gate, ReportClaim } from '../../result/summary.ts';
import { casesOf, growthChart, growthOf, growthsText, numberOf, pointsOf } from '../../study/study-report.ts';
import type { DrawnLine } from '../../study/study-report.ts';
import type { CaseFigures, Line } from '../../study/study.ts';

/** Name of the rule that is measured at all lengths. */
const SCALED = 'ints-all';
const SCALED_SIZES = {
  smallest: [1000, 16_000],
  quick: [4000, 16_000, 64_000, 256_000],
  full: [1000, 4000, 16_000, 64_000, 300_000, 1_572_000],
} as const;
/**
 * List lengths at which the cost of all rules except `SCALED` is counted. `NESTED_SIZE` applies to nested rules, whose steps grow with the
 * square of the length, and `COUNTED_SIZE` to all others.
 */
const [COUNTED_SIZE, NESTED_SIZE] = [16_000, 300] as const;
/** Number of rounds of the Go validator. Each round measures each length once. */
const GO_ROUNDS = 5;
/** Exponent of growth. Growth counts as worse than linear if the whole confidence interval of the measured exponent is above this value. */
const STEEP = 1.2;
/** Time that the KEP states for iterating over a list, in ns per element: 400 ms for 1,572k elements. */
const KEP_NS = 254;

const sizesOf = ({ name, nested = false }: CelCase): ByThoroughness<readonly number[]> =>
  name === SCALED ? SCALED_SIZES : { quick: [], full: [nested ? NESTED_SIZE : COUNTED_SIZE] };

const OWN_ENGINES = [
  { name: 'Assay, generated code', role: 'assay', engine: 'compiled' },
  { name: 'Assay, interpreted', role: 'experiment', engine: 'interpreted' },
] as const;
const GO_ENGINES: readonly { readonly name: string; readonly role: DrawnLine['role']; readonly peer: GoPeer }[] = [
  { name: 'Go, as Kubernetes ships it', role: 'shipped', peer: 'validator' },
  { name: 'Go, no cost tracking', role: 'reference', peer: 'raw-notrack' },
];

/** Lines of measurements for rules of several shapes in Assay's engines, with one line for each rule and engine. */
export const ENGINE_LINES: readonly Line[] = CEL_CASES.flatMap((test) =>
  OWN_ENGINES.map(({ name, engine }) => ({
    name: `${test.name}/${name}`,
    sizes: sizesOf(test),
    work(size) {
      const evaluation = caseEvaluation(test, size, engine);
      return { runs: { evaluation }, after: () => ({ facts: { cost: evaluation().cost } }) };
    },
  })),
);

/** Measures the rules of {@link CEL_CASES} with Kubernetes' own validator, and with cel-go without cost tracking. */
export async function measureGoEngines(lab: Lab, go: GoValidator): Promise<CaseFigures[]> {
  const figures: CaseFigures[] = [];
  for await (const test of lab.each(CEL_CASES)) {
    lab.say(`${test.name}: Go`);
    for (const { name, peer } of GO_ENGINES) {
      const cells = Array.from({ length: GO_ROUNDS }, () => go.measure(test, lab.of(sizesOf(test)), peer)).flat();
      for (const [size, own] of Map.groupBy(cells, (cell) => cell.size)) {
        const steps = test.nested === true ? size * size : size;
        const evaluation = own.flatMap(({ ns }) => ns.map((one) => (one * steps) / 1e6));
        figures.push({ line: `${test.name}/${name}`, size, times: { evaluation }, facts: { cost: own[0]?.cost } });
      }
    }
  }
  return figures;
}

/** Returns the conclusions about engines: how the time of each engine grows, and that all engines count the same cost. */
export function engineConclusions(cases: readonly CaseFigures[]) {
  const lines = [...OWN_ENGINES, ...GO_ENGINES]
    .map(({ name, role }): DrawnLine => ({ name, role, cases: casesOf(cases, `${SCALED}/${name}`), what: 'evaluation' }))
    .filter((line) => line.cases.length > 0);
  const cut = Math.ceil((PER_CALL_LIMIT - 3) / 5);
  const largest = Math.max(0, ...lines.flatMap((line) => line.cases.map(({ size }) => size)));
  return {
    finding: [`growth of the evaluation time with the length n of the list: ${growthsText(lines)}`],
    charts: [
      growthChart({
        id: 'growth',
        title: ['The evaluation time of a rule', 'the length of the list'],
        subtitle:
          'Time of one evaluation of the rule `self.list.all(e, e >= 0)`, without cost limits; median of the rounds. Both axes are logarithmic, so parallel lines grow equally fast.',
        x: { label: 'list elements', unit: 'count' },
        y: { label: 'time for one evaluation', unit: 'ms' },
        lines,
        until: largest,
        bands: [
          {
            name: "KEP-2876's raw figure, and five times that",
            points: [1000, largest].map((x) => ({ x, lo: (KEP_NS * x) / 1e6, hi: (KEP_FACTOR * KEP_NS * x) / 1e6 })),
          },
        ],
        verticals: cut <= largest ? [{ x: cut, label: `the per-call limit stops the rule at ${countText(cut)}` }] : [],
        reading: `If the interval of an exponent contains 1, the growth is linear as far as a clock can show: n log n looks almost the same. In Go, the time grows faster. For each element, the cost tracker searches its whole stack and adds two entries to the stack. The cost of this rule is 5 units for each element, plus 3 units, in every engine that counts costs. The limit of ${countText(PER_CALL_LIMIT)} units for one evaluation stops the rule at ${countText(cut)} elements. The band begins at the time that KEP-2876 gives for iterating, and ends at five times this time. The KEP has only three points, so the diagonal through them is an interpretation. If a line ends in dots, longer lists were not measured, because one evaluation would have taken too long.`,
        notShown:
          'reading the object and checking its schema. The values of the elements do not matter, because all elements satisfy the rule.',
      }),
    ],
    claims: lines.filter(({ role }) => role === 'shipped').flatMap(shippedClaim),
    gates: costGates(cases),
  };
}

function shippedClaim(line: DrawnLine): ReportClaim[] {
  const [growth, last] = [growthOf(line.cases, line.what), pointsOf(line).at(-1)];
  if (growth === undefined || last === undefined) return [];
  const [{ exponent, lo, hi }, ns] = [growth, (1e6 * last.y) / last.x];
  return [
    {
      source: 'KEP-2876',
      claim: 'the time of iterating grows linearly with the list: 254 ns for each element, at any length',
      system: line.name,
      found: `the time grows with ${growthText(exponent)} [${lo.toFixed(2)}, ${hi.toFixed(2)}]; ${timeText(ns / 1e6)} for each element of a list of ${countText(last.x)} elements`,
      verdict: lo > STEEP ? 'fails' : hi < STEEP && ns < KEP_FACTOR * KEP_NS ? 'holds' : 'undecided',
    },
  ];
}

/** Returns gates that hold if all engines with cost counting count the same cost. */
function costGates(cases: readonly CaseFigures[]): Gate[] {
  const engineCases = cases.filter(({ line }) => line.includes('/'));
  return [...Map.groupBy(engineCases, ({ line, size }) => `${line.split('/')[0]}, ${size}`)].flatMap(([name, own]) => {
    const [first, ...others] = own.flatMap((one) => numberOf(one, 'cost') ?? []);
    if (first === undefined || others.length === 0) return [];
    const all = [...new Set([first, ...others])].join(', ');
    return [equalGate(`${name}: units of every engine that counts`, 'cost units', first, all)];
  });
}
