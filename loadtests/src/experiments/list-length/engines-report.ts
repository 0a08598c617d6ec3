import { PER_CALL_LIMIT } from '#kube';
import { countText, growthText, plotted, rangeText, timesText, timeText } from '#charts';
import type { Chart } from '#charts';
import { growthOf } from '../../measure/growth.ts';
import type { Growth } from '../../measure/growth.ts';
import { extent, quotient } from '../../measure/quotient.ts';
import { equalGate } from '../../result/gates.ts';
import { sentence } from '../../result/sentence.ts';
import type { Gate, ReportCell, ReportClaim } from '../../result/summary.ts';
import type { Findings } from '../experiment.ts';
import { COMPARED_SIZE, SCALED } from './engine-cases.ts';
import type { CaseFigures, EngineCells } from './engine-cases.ts';
import { KEP_NS } from './kep-lists.ts';

/** Returns the findings about engines: how each engine's time grows, and that all count the same cost. */
export function engineFindings(
  cases: readonly CaseFigures[],
): Required<Pick<Findings, 'finding' | 'charts' | 'claims' | 'gates' | 'cells'>> {
  const scaled = cases.find(({ test }) => test.name === SCALED)?.engines ?? [];
  const growths = scaled.flatMap((engine): EngineGrowth[] => {
    const growth = growthOf(linePoints(engine));
    return growth === undefined ? [] : [{ engine, growth }];
  });
  const compared = cases.filter(({ test }) => test.name !== SCALED);
  const shipped = growths.find(({ engine }) => engine.role === 'shipped');
  return {
    finding: growthSentence(growths),
    charts: [
      ...(scaled.length === 0 ? [] : [scalingChart(scaled)]),
      ...(growths.length === 0 ? [] : [exponentsChart(growths)]),
      ...(compared.length === 0 ? [] : [rulesChart(cases)]),
    ],
    claims: shipped === undefined ? [] : shippedClaim(shipped),
    gates: cases.flatMap(costGates),
    cells: cases.flatMap(engineCells),
  };
}

/** Points of an engine's line: ms of one evaluation by length. */
const linePoints = ({ cells }: EngineCells) => plotted(cells.map(({ size, nsPerStep }) => ({ x: size, y: (nsPerStep * size) / 1e6 })));

interface EngineGrowth {
  readonly engine: EngineCells;
  readonly growth: Growth;
}

function growthSentence(growths: readonly EngineGrowth[]): string {
  const [assay, shipped] = (['assay', 'shipped'] as const).map((role) => growths.find(({ engine }) => engine.role === role)?.growth);
  if (shipped !== undefined && shipped.lo > 1.5)
    return `Kubernetes' rule validator needs ${growthText(shipped.exponent, 1)} time for n elements; Assay: ${growthText(assay?.exponent, 1)}`;
  return `growth of time with the list: ${growthText(assay?.exponent)}`;
}

function scalingTitle(scaled: readonly EngineCells[], largest: number): string {
  const assay = scaled.find(({ role }) => role === 'assay');
  const last = assay && linePoints(assay).at(-1);
  const steepest = scaled
    .flatMap((engine) => {
      const growth = growthOf(linePoints(engine));
      return growth === undefined ? [] : [{ engine, exponent: growth.exponent }];
    })
    .toSorted((a, b) => b.exponent - a.exponent)[0];
  const parts = [
    last && `at ${countText(last.x)} elements ${assay.name} needs ${timeText(last.y)}`,
    steepest && steepest.engine !== assay ? `the steepest line is ${steepest.engine.name}` : undefined,
  ];
  return parts.every((part) => part === undefined) ? `Lists of up to ${countText(largest)} elements` : sentence(parts);
}

function scalingChart(scaled: readonly EngineCells[]): Chart {
  const cut = Math.ceil((PER_CALL_LIMIT - 3) / 5);
  const largest = Math.max(0, ...scaled.flatMap(({ cells }) => cells.map(({ size }) => size)));
  return {
    kind: 'scaling',
    id: 'growth',
    title: scalingTitle(scaled, largest),
    subtitle:
      'Rule `self.list.all(e, e >= 0)`, limits lifted, evaluation alone, fastest round. Both axes logarithmic: parallel lines grow alike.',
    x: { label: 'list elements', unit: 'count' },
    y: { label: 'time for one evaluation', unit: 'ms' },
    series: scaled.map((engine) => {
      const points = linePoints(engine);
      const growth = growthOf(points);
      const last = points.at(-1);
      // A line that ended early because its engine is too slow is drawn on dotted, as the fit has it.
      const extrapolated =
        growth === undefined || last === undefined || last.x >= largest
          ? []
          : [{ x: largest, y: last.y * (largest / last.x) ** growth.last }];
      return { name: engine.name, role: engine.role, points, ...(extrapolated.length > 0 && { extrapolated }) };
    }),
    bands: [
      {
        name: "KEP-2876's raw figure, and five times that",
        points: [1000, largest].map((x) => ({ x, lo: (KEP_NS * x) / 1e6, hi: (5 * KEP_NS * x) / 1e6 })),
      },
    ],
    verticals: cut <= largest ? [{ x: cut, label: `the per-call limit stops the rule at ${countText(cut)}` }] : [],
    reading: `A rule of this shape costs 5 units an element and 3 more, in every engine that counts; the limit of ${countText(PER_CALL_LIMIT)} units a call ends it at ${countText(cut)} elements. The band is what the KEP gives for iterating: three points, of which a diagonal is a reading. Lines that end in dots were not measured there, since one evaluation would have taken longer than the cap.`,
    notShown: 'reading and schema checks (see the shares below); and the values do not matter, since all elements pass.',
  };
}

function exponentsChart(growths: readonly EngineGrowth[]): Chart {
  const steep = growths.filter(({ growth }) => growth.lo > 1.2);
  return {
    kind: 'exponents',
    id: 'exponents',
    title:
      steep.length === 0
        ? 'No engine is measurably worse than linear'
        : `Worse than linear: ${steep.map(({ engine }) => engine.name).join(', ')}`,
    subtitle: 'Least-squares slope of log time on log length, with its 95 % interval.',
    rows: growths.map(({ engine: { name, role }, growth: { exponent, lo, hi, points } }) => ({ name, role, exponent, lo, hi, points })),
    reading:
      'An interval that holds 1 is linear for all that these lengths tell; one that holds 2 is quadratic. In the Go validator each element searches the stack of the cost tracker down to its bottom, which grows by two entries an element.',
    notShown: 'n log n: over these lengths its slope is 1.10 to 1.13, too near to 1 for a clock. Gates count work instead.',
  };
}

function rulesChart(cases: readonly CaseFigures[]): Chart {
  const rows = cases.map(({ test, engines }) => ({
    name: test.rule.replaceAll('self.list', 'list'),
    values: engines.flatMap(({ name, role, cells }) => {
      const cell = cells.find(({ size }) => size === COMPARED_SIZE || test.nested);
      return cell === undefined ? [] : [{ series: name, role, value: cell.nsPerStep }];
    }),
  }));
  const ratios = extent(
    rows.map(({ values }) => {
      const own = values.find(({ role }) => role === 'assay')?.value;
      return quotient(extent(values.filter(({ role }) => role === 'peer' || role === 'reference').map(({ value }) => value))?.least, own);
    }),
  );
  return {
    kind: 'dots',
    id: 'rules',
    title:
      ratios === undefined
        ? 'Time per element by rule'
        : `The fastest other engine takes ${rangeText(ratios, timesText)} the time of Assay`,
    subtitle: `Rules of several shapes at ${countText(COMPARED_SIZE)} elements (the nested one: 300, per inner step), fastest round.`,
    x: { label: 'time per element', unit: 'ns' },
    rows,
    reading: 'Only Assay and the Go validator count cost and know schema types; the other engines do neither. Patterns gain least.',
    notShown: 'compiling, and the first evaluation of a fresh process.',
  };
}

function shippedClaim({ engine, growth }: EngineGrowth): ReportClaim[] {
  const last = engine.cells.at(-1);
  if (last === undefined) return [];
  return [
    {
      source: 'KEP-2876',
      claim: 'iteration is O(n): 254 ns an element at any length',
      system: engine.name,
      found: `${growthText(growth.exponent)} [${growth.lo.toFixed(2)}, ${growth.hi.toFixed(2)}]; ${timeText(last.nsPerStep / 1e6)} an element at ${countText(last.size)}`,
      verdict: growth.lo > 1.2 ? 'fails' : growth.hi < 1.2 && last.nsPerStep < 5 * KEP_NS ? 'holds' : 'undecided',
    },
  ];
}

/** Every engine that counts must count the same. */
function costGates({ test, engines }: CaseFigures): Gate[] {
  const sizes = new Set(engines.flatMap(({ cells }) => cells.map(({ size }) => size)));
  return [...sizes].flatMap((size) => {
    const costs = engines.flatMap(({ name, role, cells }) => {
      const cost = cells.find((cell) => cell.size === size)?.cost;
      return cost === undefined ? [] : [{ name, role, cost }];
    });
    const first = costs.find(({ role }) => role === 'shipped') ?? costs[0];
    if (first === undefined) return [];
    return costs
      .filter((cost) => cost !== first)
      .map(({ name, cost }) =>
        equalGate(`${test.name}, ${countText(size)}: units of ${name}, as of ${first.name}`, 'cost units', first.cost, cost),
      );
  });
}

function engineCells({ test, engines }: CaseFigures): ReportCell[] {
  return engines.flatMap(({ name, cells }) =>
    cells.map(({ size, nsPerStep, rounds }): ReportCell => ({
      id: `${test.name}/${size}/${name}`,
      unit: 'ns',
      samples: [...rounds],
      statistic: 'minimum',
      value: nsPerStep,
    })),
  );
}
