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
import { countText, timesText, timeText } from '../measure/figures.ts';
import { growthOf } from '../measure/growth.ts';
import type { Growth } from '../measure/growth.ts';
import { median } from '../measure/percentile.ts';
import { warmUp } from '../measure/warm-up.ts';
import type { Chart } from '../result/chart.ts';
import type { ReportCell, ReportClaim, Gate } from '../result/summary.ts';
import { equalGate } from '../result/equal-gate.ts';
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

/** KEP-2876's experiment: does one rule over the longest possible list stay within the time that the KEP allows? */
export const listLength: Experiment = {
  name: 'list-length',
  question: 'How does the time of one rule grow with the list, and where do the limits cut in?',
  async run(lab) {
    const bodies: BodyFigures[] = [];
    for await (const workload of lab.each(KEP_LISTS)) {
      lab.say(`${workload.name}: from bytes to verdict`);
      bodies.push(measureBody(workload, lab.of(BODY_ROUNDS)));
    }
    const go = lab.thoroughness === 'full' ? buildGoValidator() : 'a quick run';
    const engines = [...NODE_ENGINES, ...(typeof go === 'string' ? [] : goEngines(go))];
    const figures = await measureCases(lab, engines);
    if (typeof go !== 'string') go.close();
    return findings(bodies, figures, typeof go === 'string' ? go : undefined);
  },
};

/** Figures of all engines, by case. */
type Figures = ReadonlyMap<CelCase, ReadonlyMap<MeasuredEngine, readonly Figure[]>>;

async function measureCases(lab: Lab, engines: readonly MeasuredEngine[]): Promise<Figures> {
  const figures = new Map<CelCase, ReadonlyMap<MeasuredEngine, readonly Figure[]>>();
  const cases = lab.thoroughness === 'full' ? CEL_CASES : CEL_CASES.filter(({ name }) => name === SCALED);
  for await (const test of lab.each(cases)) {
    lab.say(`${test.name}: ${engines.length} engines`);
    const sizes = test.name === SCALED ? lab.of(SIZES) : test.nested === true ? [300] : [COMPARED_SIZE];
    figures.set(test, measureInTurns(engines, test, sizes, { rounds: lab.of(ROUNDS), milliseconds: lab.of(CELL_MS) }));
  }
  return figures;
}

/** One list of the KEP through the whole write path. */
interface BodyFigures {
  readonly workload: ListWorkload;
  /** ms of each phase, a figure a round. */
  readonly phases: Readonly<Record<(typeof PHASES)[number], readonly number[]>>;
  readonly cost: number;
  readonly accepted: boolean;
  /** The same write under the server's own limits. */
  readonly limited: ObjectVerdict;
}

function measureBody(workload: ListWorkload, rounds: number): BodyFigures {
  const outcome = compileDefinition(listDefinition(workload), { minor: LATEST_MINOR, engine: NODE_ENGINE });
  if (!outcome.ok) throw new Error(`the experiment's definition was refused: ${outcome.status.message}`);
  const body = Buffer.from(listBody(workload));
  const unlimited = { costLimit: UNLIMITED, budget: UNLIMITED };
  warmUp(() => void write(outcome.definition, body, unlimited), 1000);
  const phases: Record<(typeof PHASES)[number], number[]> = { parse: [], prune: [], openapi: [], lists: [], cel: [] };
  let cost = -1;
  let accepted = false;
  for (let round = 0; round < rounds; round++) {
    const verdict = write(outcome.definition, body, unlimited);
    if ('cancelled' in verdict || !verdict.phases) throw new Error('the experiment was cancelled');
    for (const phase of PHASES) phases[phase].push(verdict.phases[phase]);
    cost = verdict.cost.cel ?? -1;
    accepted = verdict.accepted;
  }
  return { workload, phases, cost, accepted, limited: write(outcome.definition, body, {}) };
}

function write(definition: CompiledDefinition, body: Buffer, limits: { costLimit?: number; budget?: number }): ObjectVerdict {
  const options = { operation: 'CREATE', body, contentType: 'application/json', fieldValidation: 'Warn' } as const;
  return validateObject(definition, options, { timings: true, ...limits });
}

function findings(bodies: readonly BodyFigures[], figures: Figures, noGo: string | undefined): Findings {
  const scaled = [...figures].find(([test]) => test.name === SCALED)?.[1];
  const growths = [...(scaled ?? [])].flatMap(([engine, cells]) => {
    const growth = growthOf(cells.map(({ size, nsPerStep }) => ({ x: size, y: nsPerStep * size })));
    return growth === undefined ? [] : [{ engine, growth }];
  });
  const shipped = growths.find(({ engine }) => engine.role === 'shipped');
  const ours = growths.find(({ engine }) => engine.role === 'ours');
  const compared = [...figures].filter(([test]) => test.name !== SCALED);
  return {
    finding: findingText(ours?.growth, shipped?.growth, bodies),
    charts: [
      ...(scaled === undefined ? [] : [scalingChart(scaled)]),
      ...(growths.length === 0 ? [] : [exponentsChart(growths)]),
      ...(compared.length === 0 ? [] : [rulesChart([...figures])]),
      ...(bodies.length === 0 ? [] : [phasesChart(bodies)]),
    ],
    claims: claimsOf(bodies, scaled),
    gates: [...bodies.flatMap(bodyGates), ...[...figures].flatMap(([test, engines]) => costGates(test, engines))],
    cells: [...bodies.flatMap(bodyCells), ...[...figures].flatMap(([test, engines]) => engineCells(test, engines))],
    notes: noGo === undefined ? [] : [`The Go validator was not measured: ${noGo}.`],
  };
}

function findingText(ours: Growth | undefined, shipped: Growth | undefined, bodies: readonly BodyFigures[]): string {
  const slowest = bodies.length === 0 ? Number.NaN : Math.max(...bodies.map(({ phases }) => median(phases.cel)));
  const within = bodies.every(({ workload, phases }) => median(phases.cel) <= workload.kepMs);
  const lists = `one rule over the KEP's longest lists takes at most ${timeText(slowest)}${within ? ', within its raw figures' : ''}`;
  if (shipped !== undefined && shipped.lo > 1.5)
    return `Kubernetes' rule validator needs n^${shipped.exponent.toFixed(1)} time for n elements, ours n^${(ours?.exponent ?? Number.NaN).toFixed(1)}: ${lists}`;
  return ours === undefined
    ? `${lists.charAt(0).toUpperCase()}${lists.slice(1)}`
    : `Time grows with n^${ours.exponent.toFixed(2)} of the list: ${lists}`;
}

function scalingChart(scaled: ReadonlyMap<MeasuredEngine, readonly Figure[]>): Chart {
  const cut = Math.ceil((PER_CALL_LIMIT - 3) / 5);
  const largest = Math.max(...[...scaled.values()].flatMap((cells) => cells.map(({ size }) => size)));
  const atMost = (engine: MeasuredEngine): Figure | undefined => scaled.get(engine)?.at(-1);
  const ours = [...scaled.keys()].find(({ role }) => role === 'ours');
  const slowest = [...scaled.keys()].toSorted((a, b) => (atMost(b)?.nsPerStep ?? 0) - (atMost(a)?.nsPerStep ?? 0))[0];
  const oursAt = ours && atMost(ours);
  return {
    kind: 'scaling',
    id: 'growth',
    title: `At ${countText(oursAt?.size ?? 0)} elements ours needs ${timeText(((oursAt?.nsPerStep ?? 0) * (oursAt?.size ?? 0)) / 1e6)}${slowest === undefined || slowest === ours ? '' : `; the steepest line is ${slowest.name}`}`,
    subtitle:
      'Rule `self.list.all(e, e >= 0)`, limits lifted, evaluation alone, fastest round. Both axes logarithmic: parallel lines grow alike.',
    x: { label: 'list elements', unit: 'count' },
    y: { label: 'time for one evaluation', unit: 'ms' },
    series: [...scaled].map(([{ name, role }, cells]) => {
      const points = cells.map(({ size, nsPerStep }) => ({ x: size, y: (nsPerStep * size) / 1e6 }));
      const growth = growthOf(points);
      const last = points.at(-1);
      // A line that ended early because its engine is too slow is drawn on dotted, as the fit has it.
      const extrapolated =
        growth === undefined || last === undefined || last.x >= largest
          ? []
          : [{ x: largest, y: last.y * (largest / last.x) ** growth.last }];
      return { name, role, points, ...(extrapolated.length > 0 && { extrapolated }) };
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

function exponentsChart(growths: readonly { readonly engine: MeasuredEngine; readonly growth: Growth }[]): Chart {
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

function rulesChart(figures: readonly (readonly [CelCase, ReadonlyMap<MeasuredEngine, readonly Figure[]>])[]): Chart {
  const rows = figures.map(([test, engines]) => ({
    name: test.rule.replaceAll('self.list', 'list'),
    values: [...engines].flatMap(([{ name, role }, cells]) => {
      const cell = cells.find(({ size }) => size === COMPARED_SIZE || test.nested === true);
      return cell === undefined ? [] : [{ series: name, role, value: cell.nsPerStep }];
    }),
  }));
  const ratios = rows.flatMap(({ values }) => {
    const own = values.find(({ role }) => role === 'ours')?.value;
    const rivals = values.filter(({ role }) => role === 'peer' || role === 'reference').map(({ value }) => value);
    return own === undefined || rivals.length === 0 ? [] : [Math.min(...rivals) / own];
  });
  return {
    kind: 'dots',
    id: 'rules',
    title:
      ratios.length === 0
        ? 'No rival finished'
        : `The fastest rival takes ${timesText(Math.min(...ratios))} to ${timesText(Math.max(...ratios))} the time of ours`,
    subtitle: `Rules of several shapes at ${countText(COMPARED_SIZE)} elements (the nested one: 300, per inner step), fastest round.`,
    x: { label: 'time per element', unit: 'ns' },
    rows,
    reading: 'Only ours and the Go validator count cost and know schema types; the other engines do neither. Patterns gain least.',
    notShown: 'compiling, and the first evaluation of a fresh process.',
  };
}

function phasesChart(bodies: readonly BodyFigures[]): Chart {
  const share = bodies.map(({ phases }) => median(phases.cel) / PHASES.reduce((sum, phase) => sum + median(phases[phase]), 0));
  return {
    kind: 'shares',
    id: 'phases',
    title: `Rules take ${(100 * Math.min(...share)).toFixed(0)} to ${(100 * Math.max(...share)).toFixed(0)} % of a write; the rest is reading and the schema`,
    subtitle: 'From the bytes of one object to its verdict, by phase; median of the rounds, limits lifted.',
    unit: 'ms',
    parts: ['parse', 'prune + default', 'OpenAPI', 'list types', 'CEL'],
    rows: bodies.map(({ workload, phases }) => ({
      group: 'ours',
      name: workload.name,
      values: PHASES.map((phase) => median(phases[phase])),
    })),
    reading: 'Bars have equal length, since totals differ; totals stand at the right.',
    notShown: 'HTTP and the way between processes (see the experiment http).',
  };
}

/** The KEP's limits, for the system it is about where that was measured, and for ours. */
function claimsOf(bodies: readonly BodyFigures[], scaled: ReadonlyMap<MeasuredEngine, readonly Figure[]> | undefined): ReportClaim[] {
  const claims = bodies.map(({ workload, phases }): ReportClaim => {
    const ms = median(phases.cel);
    return {
      source: 'KEP-2876',
      claim: `${workload.name}: iterating takes ${workload.kepMs} ms, and may take ${5 * workload.kepMs} ms`,
      system: 'ours',
      found: `${timeText(ms)}, ${timesText(workload.kepMs / ms)} faster than the raw figure`,
      verdict: ms <= workload.kepMs ? 'holds' : ms <= 5 * workload.kepMs ? 'in part' : 'fails',
    };
  });
  const shipped = [...(scaled ?? [])].find(([{ role }]) => role === 'shipped')?.[1] ?? [];
  const growth = growthOf(shipped.map(({ size, nsPerStep }) => ({ x: size, y: nsPerStep * size })));
  const last = shipped.at(-1);
  if (growth === undefined || last === undefined) return claims;
  return [
    ...claims,
    {
      source: 'KEP-2876',
      claim: 'iteration is O(n): 254 ns an element at any length',
      system: 'Go, as Kubernetes ships it',
      found: `n^${growth.exponent.toFixed(2)} [${growth.lo.toFixed(2)}, ${growth.hi.toFixed(2)}]; ${timeText(last.nsPerStep / 1e6)} an element at ${countText(last.size)}`,
      verdict: growth.lo > 1.2 ? 'fails' : growth.hi < 1.2 && last.nsPerStep < 5 * KEP_NS ? 'holds' : 'undecided',
    },
  ];
}

/** Cost units and verdicts are exact, so they are gates. */
function bodyGates({ workload, cost, accepted, limited }: BodyFigures): Gate[] {
  const units = 5 * workload.elements + 3;
  const isCut = units > PER_CALL_LIMIT;
  const verdict = 'cancelled' in limited ? 'cancelled' : limited.accepted ? 'accepted' : 'rejected';
  return [
    equalGate(`${workload.name}: cost`, 'cost units', String(units), String(cost)),
    equalGate(`${workload.name}: verdict without limits`, 'verdicts', 'accepted', accepted ? 'accepted' : 'rejected'),
    equalGate(`${workload.name}: verdict under the server's limits`, 'verdicts', isCut ? 'rejected' : 'accepted', verdict),
  ];
}

/** Every engine that counts must count the same. */
function costGates(test: CelCase, engines: ReadonlyMap<MeasuredEngine, readonly Figure[]>): Gate[] {
  const sizes = new Set([...engines.values()].flatMap((cells) => cells.map(({ size }) => size)));
  return [...sizes].flatMap((size) => {
    const costs = [...engines].flatMap(([engine, cells]) => {
      const cost = cells.find((cell) => cell.size === size)?.cost;
      return cost === undefined ? [] : [{ engine, cost }];
    });
    const first = costs.find(({ engine }) => engine.role === 'shipped') ?? costs[0];
    return costs
      .filter((cost) => cost !== first)
      .map(({ engine, cost }) =>
        equalGate(`${test.name}, ${countText(size)}: units of ${engine.name}`, 'cost units', String(first?.cost), String(cost)),
      );
  });
}

function bodyCells({ workload, phases }: BodyFigures): ReportCell[] {
  return PHASES.map((phase) => ({
    id: `${workload.name}/${phase}`,
    unit: 'ms',
    samples: [...phases[phase]],
    statistic: 'median',
    value: median(phases[phase]),
  }));
}

function engineCells(test: CelCase, engines: ReadonlyMap<MeasuredEngine, readonly Figure[]>): ReportCell[] {
  return [...engines].flatMap(([{ name }, cells]) =>
    cells.map(({ size, nsPerStep, rounds }): ReportCell => ({
      id: `${test.name}/${size}/${name}`,
      unit: 'ns',
      samples: [...rounds],
      statistic: 'minimum',
      value: nsPerStep,
    })),
  );
}
