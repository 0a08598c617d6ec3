import { KEP_FACTOR } from '#benchmark';
import { PER_CALL_LIMIT } from '#kube';
import { countText, growthText, rangeText, timesText, timeText } from '#charts';
import type { Chart } from '#charts';
import { CEL_CASES } from '../../engines/cel-cases.ts';
import { goEngines, measureInTurns, NODE_ENGINES, stepsOf } from '../../engines/measure-engines.ts';
import type { MeasuredEngine } from '../../engines/measure-engines.ts';
import type { Choice, Lab } from '../../lab.ts';
import { extent, quotient } from '../../measure/quotient.ts';
import { equalGate } from '../../result/gates.ts';
import type { Gate, ReportClaim } from '../../result/summary.ts';
import { casesOf, growthChart, growthOf, growthsText, numberOf, pointsOf, timeOf } from '../../study/study-report.ts';
import type { DrawnLine, Growth } from '../../study/study-report.ts';
import type { CaseFigures } from '../../study/study.ts';

const SIZES: Choice<readonly number[]> = {
  smallest: [1000, 16_000],
  quick: [4000, 16_000, 64_000, 256_000],
  full: [1000, 4000, 16_000, 64_000, 300_000, 1_572_000],
};
const ROUNDS = { quick: 1, full: 5 } as const;
const CELL_MS = { quick: 60, full: 400 } as const;
/** One rule, measured at all lengths. */
const SCALED = 'ints-all';
/** Lengths at which rules of all shapes are compared. */
const [COMPARED_SIZE, NESTED_SIZE] = [16_000, 300] as const;
/** An exponent whose interval lies above is worse than linear. */
const STEEP = 1.2;
/** The KEP's figure for iterating, ns an element: 400 ms for 1,572k elements. */
const KEP_NS = 254;

const ENGINES = [...NODE_ENGINES, ...goEngines(undefined)];

/** Measures rules of several shapes in engines, in turns. */
export async function measureCases(lab: Lab, engines: readonly MeasuredEngine[]): Promise<CaseFigures[]> {
  const figures: CaseFigures[] = [];
  const tests = lab.thoroughness === 'full' ? CEL_CASES : CEL_CASES.filter(({ name }) => name === SCALED);
  for await (const test of lab.each(tests)) {
    lab.say(`${test.name}: ${engines.length} engines`);
    const sizes = test.name === SCALED ? lab.of(SIZES) : [test.nested === true ? NESTED_SIZE : COMPARED_SIZE];
    figures.push(...measureInTurns(engines, test, sizes, { rounds: lab.of(ROUNDS), milliseconds: lab.of(CELL_MS) }));
  }
  return figures;
}

/** Returns an engine's line of a rule, for each engine that was measured. */
const linesOf = (cases: readonly CaseFigures[], test: string): DrawnLine[] =>
  ENGINES.map(({ name, role }) => ({ name, role, cases: casesOf(cases, `${test}/${name}`), what: 'evaluation' })).filter(
    (line) => line.cases.length > 0,
  );

/** Returns the conclusions about engines: how each engine's time grows, and that all count the same cost. */
export function engineConclusions(cases: readonly CaseFigures[]) {
  const scaled = linesOf(cases, SCALED);
  const [assay, shipped] = (['assay', 'shipped'] as const).map((role) => {
    const line = scaled.find((one) => one.role === role);
    return line && growthOf(line.cases, line.what);
  });
  return {
    finding: [
      shipped && shipped.lo > STEEP
        ? `Kubernetes' rule validator needs ${growthText(shipped.exponent, 1)} time for n elements; Assay: ${growthText(assay?.exponent, 1)}`
        : `growth of time with the list: ${growthText(assay?.exponent)}`,
    ],
    charts: [scalingChart(scaled), rulesChart(cases)],
    claims: scaled.filter(({ role }) => role === 'shipped').flatMap((line) => (shipped ? shippedClaim(line, shipped) : [])),
    gates: costGates(cases),
  };
}

function scalingChart(scaled: readonly DrawnLine[]): Chart {
  const cut = Math.ceil((PER_CALL_LIMIT - 3) / 5);
  const largest = Math.max(0, ...scaled.flatMap(({ cases }) => cases.map(({ size }) => size)));
  return growthChart({
    id: 'growth',
    title: ['The time of a rule', 'the list'],
    subtitle:
      'Rule `self.list.all(e, e >= 0)`, limits lifted, evaluation alone, median of the fastest runs of spans of time. Both axes logarithmic: parallel lines grow alike.',
    x: { label: 'list elements', unit: 'count' },
    y: { label: 'time for one evaluation', unit: 'ms' },
    lines: scaled,
    until: largest,
    bands: [
      {
        name: "KEP-2876's raw figure, and five times that",
        points: [1000, largest].map((x) => ({ x, lo: (KEP_NS * x) / 1e6, hi: (KEP_FACTOR * KEP_NS * x) / 1e6 })),
      },
    ],
    verticals: cut <= largest ? [{ x: cut, label: `the per-call limit stops the rule at ${countText(cut)}` }] : [],
    reading: `Exponents with their 95 % intervals: ${growthsText(scaled)}. An interval that holds 1 is linear for all that these lengths tell, and n log n is too near to 1 for a clock. In the Go validator each element searches the stack of the cost tracker down to its bottom, which grows by two entries an element. A rule of this shape costs 5 units an element and 3 more, in every engine that counts; the limit of ${countText(PER_CALL_LIMIT)} units a call ends it at ${countText(cut)} elements. The band is what the KEP gives for iterating: three points, of which a diagonal is a reading. Lines that end in dots were not measured there, since one evaluation would have taken longer than the cap.`,
    notShown: 'reading and schema checks; and the values do not matter, since all elements pass.',
  });
}

function rulesChart(cases: readonly CaseFigures[]): Chart {
  const shaped = CEL_CASES.filter(({ name }) => name !== SCALED || cases.some(({ line }) => !line.startsWith(`${SCALED}/`)));
  const rows = shaped.map((test) => ({
    name: test.rule.replaceAll('self.list', 'list'),
    values: linesOf(cases, test.name).flatMap(({ name, role, cases: own }) => {
      const one = own.find(({ size }) => size === COMPARED_SIZE || test.nested === true);
      const ms = one && timeOf(one, 'evaluation');
      return one === undefined || ms === undefined ? [] : [{ series: name, role, value: (1e6 * ms) / stepsOf(test, one.size) }];
    }),
  }));
  const ratios = extent(
    rows.map(({ values }) => {
      const others = values.filter(({ role }) => role === 'peer' || role === 'reference').map(({ value }) => value);
      return quotient(extent(others)?.least, values.find(({ role }) => role === 'assay')?.value);
    }),
  );
  return {
    kind: 'dots',
    id: 'rules',
    title:
      ratios === undefined
        ? 'Time per element by rule'
        : `The fastest other engine takes ${rangeText(ratios, timesText)} the time of Assay`,
    subtitle: `Rules of several shapes at ${countText(COMPARED_SIZE)} elements (the nested one: ${NESTED_SIZE}, per inner step), fastest runs.`,
    x: { label: 'time per element', unit: 'ns' },
    rows,
    reading: 'Only Assay and the Go validator count cost and know schema types; the other engines do neither. Patterns gain least.',
    notShown: 'compiling, and the first evaluation of a fresh process.',
  };
}

function shippedClaim(line: DrawnLine, { exponent, lo, hi }: Growth): ReportClaim[] {
  const last = pointsOf(line).at(-1);
  if (last === undefined) return [];
  const ns = (1e6 * last.y) / last.x;
  return [
    {
      source: 'KEP-2876',
      claim: 'iteration is O(n): 254 ns an element at any length',
      system: line.name,
      found: `${growthText(exponent)} [${lo.toFixed(2)}, ${hi.toFixed(2)}]; ${timeText(ns / 1e6)} an element at ${countText(last.x)}`,
      verdict: lo > STEEP ? 'fails' : hi < STEEP && ns < KEP_FACTOR * KEP_NS ? 'holds' : 'undecided',
    },
  ];
}

/** Every engine that counts must count the same. */
function costGates(cases: readonly CaseFigures[]): Gate[] {
  const engineCases = cases.filter(({ line }) => line.includes('/'));
  return [...Map.groupBy(engineCases, ({ line, size }) => `${line.split('/')[0]}, ${size}`)].flatMap(([name, own]) => {
    const costs = own.flatMap((one) => numberOf(one, 'cost') ?? []);
    const [first, ...others] = costs;
    if (first === undefined || others.length === 0) return [];
    return [equalGate(`${name}: units of every engine that counts`, 'cost units', first, [...new Set(costs)].join(', '))];
  });
}
