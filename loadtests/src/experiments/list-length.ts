import { compileDefinition, validateObject } from '#crd';
import type { CompiledDefinition, ObjectVerdict } from '#crd';
import { LATEST_MINOR, PER_CALL_LIMIT } from '#kube';
import { NODE_ENGINE } from '#runner/linker';
import { CEL_CASES } from '../engines/cel-cases.ts';
import type { CelCase } from '../engines/cel-cases.ts';
import { buildGoValidator } from '../engines/go-validator.ts';
import { goEngines, measureInTurns, NODE_ENGINES } from '../engines/measure-engines.ts';
import type { MeasuredEngine, Figure } from '../engines/measure-engines.ts';
import type { Lab, Thoroughness } from '../lab.ts';
import { countText, growthText, NOT_MEASURED, rangeText, shareText, timesText, timeText } from '../measure/figures.ts';
import { growthOf } from '../measure/growth.ts';
import type { Growth } from '../measure/growth.ts';
import { median } from '../measure/percentile.ts';
import { extent, measured, quotient } from '../measure/quotient.ts';
import { warmUp } from '../measure/warm-up.ts';
import type { Chart, Role } from '../result/chart.ts';
import { plotted } from '../result/drawable.ts';
import type { ReportCell, ReportClaim, Gate } from '../result/summary.ts';
import { equalGate } from '../result/gates.ts';
import { medianCell } from '../result/report-cell.ts';
import { sentence } from '../result/sentence.ts';
import { KEP_LISTS, listBody, listDefinition } from '../workloads/list-workload.ts';
import type { ListWorkload } from '../workloads/list-workload.ts';
import { UNLIMITED } from '../workloads/judging.ts';
import type { Experiment, Findings } from './experiment.ts';

const SIZES: Readonly<Record<Thoroughness, readonly number[]>> = {
  quick: [1000, 16_000, 64_000],
  full: [1000, 4000, 16_000, 64_000, 300_000, 1_572_000],
};
const ROUNDS = { quick: 1, full: 5 } as const;
const CELL_MS = { quick: 60, full: 400 } as const;
const BODY_ROUNDS = { quick: 5, full: 25 } as const;
/** One rule, measured at all lengths. */
const SCALED = 'ints-all';
/** Length at which rules of all shapes are compared. */
const COMPARED_SIZE = 16_000;
/** What the KEP measured for iterating, ns an element: 400 ms for 1,572k, and 70 and 7 ms for the others; its limits are five times that. */
const KEP_NS = 254;
const PHASES = ['parse', 'prune', 'openapi', 'lists', 'cel'] as const;

/** Lists through the write path, and rules in all engines, as far as the lab got. */
export interface ListLengthData {
  readonly bodies: readonly BodyFigures[];
  readonly cases: readonly CaseFigures[];
  /** Why the Go validator was not measured. */
  readonly noGo: string | undefined;
}

/** KEP-2876's experiment: does one rule over the longest possible list stay within the time that the KEP allows? */
export const listLength: Experiment<ListLengthData> = {
  name: 'list-length',
  question: 'How does the time of one rule grow with the list, and where do the limits cut in?',
  async measure(lab) {
    const bodies: BodyFigures[] = [];
    for await (const workload of lab.each(KEP_LISTS)) {
      lab.say(`${workload.name}: from bytes to verdict`);
      bodies.push(measureBody(workload, lab.of(BODY_ROUNDS)));
    }
    const go = lab.thoroughness === 'full' ? buildGoValidator() : 'a quick run';
    const engines = [...NODE_ENGINES, ...(typeof go === 'string' ? [] : goEngines(go))];
    const cases = await measureCases(lab, engines);
    if (typeof go !== 'string') go.close();
    return { bodies, cases, noGo: typeof go === 'string' ? go : undefined };
  },
  findings,
};

/** One engine's figures of a case, by length; lengths that it did not finish are missing. */
export interface EngineCells {
  readonly name: string;
  readonly role: Role;
  readonly cells: readonly Figure[];
}

/** One rule in all engines. */
export interface CaseFigures {
  readonly test: Pick<CelCase, 'name' | 'rule'> & { readonly nested: boolean };
  readonly engines: readonly EngineCells[];
}

async function measureCases(lab: Lab, engines: readonly MeasuredEngine[]): Promise<CaseFigures[]> {
  const figures: CaseFigures[] = [];
  const cases = lab.thoroughness === 'full' ? CEL_CASES : CEL_CASES.filter(({ name }) => name === SCALED);
  for await (const test of lab.each(cases)) {
    lab.say(`${test.name}: ${engines.length} engines`);
    const sizes = test.name === SCALED ? lab.of(SIZES) : test.nested === true ? [300] : [COMPARED_SIZE];
    const byEngine = measureInTurns(engines, test, sizes, { rounds: lab.of(ROUNDS), milliseconds: lab.of(CELL_MS) });
    figures.push({
      test: { name: test.name, rule: test.rule, nested: test.nested === true },
      engines: [...byEngine].map(([{ name, role }, cells]) => ({ name, role, cells })),
    });
  }
  return figures;
}

/** One list of the KEP through the whole write path. */
export interface BodyFigures {
  readonly workload: Omit<ListWorkload, 'elementBytes'>;
  /** ms of each phase, a figure a round. */
  readonly phases: Readonly<Record<(typeof PHASES)[number], readonly number[]>>;
  /** Units of the last round; undefined where there was none. */
  readonly cost: number | undefined;
  readonly accepted: boolean | undefined;
  /** What became of the same write under the server's own limits; undefined where that was not tried. */
  readonly limited: 'accepted' | 'rejected' | 'cancelled' | undefined;
}

function measureBody(workload: ListWorkload, rounds: number): BodyFigures {
  const outcome = compileDefinition(listDefinition(workload), { minor: LATEST_MINOR, engine: NODE_ENGINE });
  if (!outcome.ok) throw new Error(`the experiment's definition was refused: ${outcome.status.message}`);
  const body = Buffer.from(listBody(workload));
  const unlimited = { costLimit: UNLIMITED, budget: UNLIMITED };
  warmUp(() => void write(outcome.definition, body, unlimited), 1000);
  const phases: Record<(typeof PHASES)[number], number[]> = { parse: [], prune: [], openapi: [], lists: [], cel: [] };
  let cost: number | undefined;
  let accepted: boolean | undefined;
  for (let round = 0; round < rounds; round++) {
    const verdict = write(outcome.definition, body, unlimited);
    if ('cancelled' in verdict || !verdict.phases) throw new Error('the experiment was cancelled');
    for (const phase of PHASES) phases[phase].push(verdict.phases[phase]);
    cost = verdict.cost.cel;
    accepted = verdict.accepted;
  }
  const limited = write(outcome.definition, body, {});
  const verdict = 'cancelled' in limited ? 'cancelled' : limited.accepted ? 'accepted' : 'rejected';
  return { workload, phases, cost, accepted, limited: verdict };
}

function write(definition: CompiledDefinition, body: Buffer, limits: { costLimit?: number; budget?: number }): ObjectVerdict {
  const options = { operation: 'CREATE', body, contentType: 'application/json', fieldValidation: 'Warn' } as const;
  return validateObject(definition, options, { timings: true, ...limits });
}

/** Points of an engine's line: ms of one evaluation by length. */
const linePoints = ({ cells }: EngineCells) => plotted(cells.map(({ size, nsPerStep }) => ({ x: size, y: (nsPerStep * size) / 1e6 })));

interface EngineGrowth {
  readonly engine: EngineCells;
  readonly growth: Growth;
}

function findings({ bodies, cases, noGo }: ListLengthData): Findings {
  const scaled = cases.find(({ test }) => test.name === SCALED)?.engines ?? [];
  const growths = scaled.flatMap((engine): EngineGrowth[] => {
    const growth = growthOf(linePoints(engine));
    return growth === undefined ? [] : [{ engine, growth }];
  });
  const compared = cases.filter(({ test }) => test.name !== SCALED);
  return {
    finding: sentence([growthSentence(growths), listsText(bodies)]),
    charts: [
      ...(scaled.length === 0 ? [] : [scalingChart(scaled)]),
      ...(growths.length === 0 ? [] : [exponentsChart(growths)]),
      ...(compared.length === 0 ? [] : [rulesChart(cases)]),
      ...(bodies.length === 0 ? [] : [phasesChart(bodies)]),
    ],
    claims: claimsOf(bodies, growths),
    gates: [...KEP_LISTS.flatMap((workload) => bodyGates(workload, bodies)), ...cases.flatMap(costGates)],
    cells: [...bodies.flatMap(bodyCells), ...cases.flatMap(engineCells)],
    notes: noGo === undefined ? [] : [`The Go validator was not measured: ${noGo}.`],
  };
}

function growthSentence(growths: readonly EngineGrowth[]): string {
  const [assay, shipped] = (['assay', 'shipped'] as const).map((role) => growths.find(({ engine }) => engine.role === role)?.growth);
  if (shipped !== undefined && shipped.lo > 1.5)
    return `Kubernetes' rule validator needs ${growthText(shipped.exponent, 1)} time for n elements; Assay: ${growthText(assay?.exponent, 1)}`;
  return `growth of time with the list: ${growthText(assay?.exponent)}`;
}

function listsText(bodies: readonly BodyFigures[]): string {
  const slowest = measured(bodies, ({ phases }) => median(phases.cel)).toSorted((a, b) => b.value - a.value);
  const [first] = slowest;
  const within = slowest.every(({ item, value }) => value <= item.workload.kepMs);
  const all = slowest.length === KEP_LISTS.length;
  const which = all ? "the KEP's longest lists" : `${slowest.length} of the KEP's ${KEP_LISTS.length} longest lists`;
  return first === undefined
    ? `one rule over the KEP's longest lists: ${NOT_MEASURED}`
    : `one rule over ${which} takes at most ${timeText(first.value)}${within ? ', within its raw figures' : ''}`;
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

function phasesChart(bodies: readonly BodyFigures[]): Chart {
  const rows = bodies.flatMap(({ workload, phases }) => {
    const values = PHASES.flatMap((phase) => median(phases[phase]) ?? []);
    return values.length < PHASES.length ? [] : [{ group: 'Assay', name: workload.name, values }];
  });
  const share = extent(
    rows.map(({ values }) =>
      quotient(
        values.at(-1),
        values.reduce((sum, ms) => sum + ms, 0),
      ),
    ),
  );
  return {
    kind: 'shares',
    id: 'phases',
    title:
      share === undefined ? 'A write by phase' : `Rules take ${rangeText(share, shareText)} of a write; the rest is reading and the schema`,
    subtitle: 'From the bytes of one object to its verdict, by phase; median of the rounds, limits lifted.',
    unit: 'ms',
    parts: ['parse', 'prune + default', 'OpenAPI', 'list types', 'CEL'],
    rows,
    reading: 'Bars have equal length, since totals differ; totals stand at the right.',
    notShown: 'HTTP and the way between processes (see the experiment http).',
  };
}

/** The KEP's limits, for the system it is about where that was measured, and for Assay. */
function claimsOf(bodies: readonly BodyFigures[], growths: readonly EngineGrowth[]): ReportClaim[] {
  const shipped = growths.find(({ engine }) => engine.role === 'shipped');
  return [
    ...KEP_LISTS.map((workload) => {
      const body = bodies.find((one) => one.workload.name === workload.name);
      return iterationClaim(workload, body && median(body.phases.cel));
    }),
    ...(shipped === undefined ? [] : shippedClaim(shipped)),
  ];
}

/** `ms`: of the rules; undefined where the list was not measured. */
function iterationClaim({ name, kepMs }: ListWorkload, ms: number | undefined): ReportClaim {
  const times = quotient(kepMs, ms);
  return {
    source: 'KEP-2876',
    claim: `${name}: iterating takes ${kepMs} ms, and may take ${5 * kepMs} ms`,
    system: 'Assay',
    found: times === undefined ? timeText(ms) : `${timeText(ms)}; the raw figure is ${timesText(times)} that`,
    verdict: ms === undefined ? 'not measured' : ms <= kepMs ? 'holds' : ms <= 5 * kepMs ? 'in part' : 'fails',
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

/** Cost units and verdicts are exact, so they are gates. */
function bodyGates({ name, elements }: ListWorkload, bodies: readonly BodyFigures[]): Gate[] {
  const units = 5 * elements + 3;
  const body = bodies.find(({ workload }) => workload.name === name);
  const verdict = body?.accepted === undefined ? undefined : body.accepted ? 'accepted' : 'rejected';
  return [
    equalGate(`${name}: cost`, 'cost units', units, body?.cost),
    equalGate(`${name}: verdict without limits`, 'verdicts', 'accepted', verdict),
    equalGate(`${name}: verdict under the server's limits`, 'verdicts', units > PER_CALL_LIMIT ? 'rejected' : 'accepted', body?.limited),
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

function bodyCells({ workload, phases }: BodyFigures): ReportCell[] {
  return PHASES.flatMap((phase) => medianCell({ id: `${workload.name}/${phase}`, unit: 'ms', samples: phases[phase] }));
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
