import type { JsonObject } from '#go';
import { PER_CALL_LIMIT } from '#kube';
import { bytesText, countText, NOT_MEASURED, rangeText, timesText, timeText } from '#charts';
import type { Chart, ChartOf } from '#charts';
import type { GoListFigures } from '../../engines/go-kep-lists.ts';
import { extent, measured, quotient } from '../../measure/quotient.ts';
import { equalGate } from '../../result/gates.ts';
import type { Gate, ReportClaim, Table } from '../../result/summary.ts';
import { judgingWork, PHASES, READER } from '../../study/judging-work.ts';
import { casesOf, numberOf, timeCells, timeOf } from '../../study/study-report.ts';
import type { CaseFigures, Line } from '../../study/study.ts';
import { compiled, judge, NO_LIMITS } from '../../workloads/judging.ts';
import { KEP_LISTS, listBody, listDefinition } from '../../workloads/list-workload.ts';
import type { ListWorkload } from '../../workloads/list-workload.ts';
import type { Findings } from '../experiment.ts';

/** The KEP's figure for iterating, ns an element: 400 ms for 1,572k elements. Its limit is five times that. */
export const KEP_NS = 254;
/** Identifies the plot below which the table stands. */
const PLOT = 'kep-lists';
const SIZES_SOURCE =
  'KEP-2876 takes its sizes from the largest request: 3 MiB divided by the bytes of an element gives 1,572k elements of 2 bytes, about 300k of 10 bytes and 30k of 100 bytes. Its figure is the time of iterating alone, and its limit is five times that figure.';

/** The lists of the KEP from the bytes of their object to the verdict, limits lifted. The fact `limited` is the verdict under the server's own limits. */
export const KEP_LINES = KEP_LISTS.map((workload): Line => ({
  name: workload.name,
  sizes: { quick: [workload.elements], full: [workload.elements] },
  work: () => {
    const definition = compiled(listDefinition(workload) as JsonObject);
    const body = Buffer.from(listBody(workload));
    return judgingWork(definition, body, NO_LIMITS, () => ({ limited: judge(definition, body).accepted ? 'accepted' : 'rejected' }));
  },
}));

/** A list of the KEP that was measured, here and in Go. */
interface MeasuredList {
  readonly workload: ListWorkload;
  readonly one: CaseFigures;
  readonly go: GoListFigures | undefined;
}

/** Returns the findings about the KEP's lists: time from bytes to verdict, beside the Go libraries and the KEP's own figures. */
export function kepFindings(
  cases: readonly CaseFigures[],
  go: readonly GoListFigures[],
): Required<Pick<Findings, 'finding' | 'charts' | 'tables' | 'claims' | 'gates' | 'cells'>> {
  const lists = KEP_LISTS.flatMap((workload) =>
    casesOf(cases, workload.name).map((one): MeasuredList => ({ workload, one, go: go.find(({ name }) => name === workload.name) })),
  );
  const of = (workload: ListWorkload) => casesOf(cases, workload.name)[0];
  return {
    finding: listsText(lists),
    charts: [listsChart(lists)],
    tables: lists.length === 0 ? [] : [listsTable(lists)],
    claims: KEP_LISTS.map((workload) => iterationClaim(workload, of(workload))),
    gates: KEP_LISTS.flatMap((workload) => listGates(workload, of(workload))),
    cells: timeCells(cases),
  };
}

function listsText(lists: readonly MeasuredList[]): string {
  const all = measured(lists, ({ one }) => timeOf(one, 'whole'));
  const slowest = extent(all.map(({ value }) => value))?.most;
  const which =
    all.length === KEP_LISTS.length ? "the KEP's longest lists" : `${all.length} of the KEP's ${KEP_LISTS.length} longest lists`;
  if (slowest === undefined) return `the KEP's longest lists from bytes to verdict: ${NOT_MEASURED}`;
  const within = all.every(({ item, value }) => value <= item.workload.kepMs);
  const raw = within ? ', within what the KEP measured for iterating alone' : '';
  return `from bytes to verdict, ${which} take at most ${timeText(slowest)}${raw}`;
}

function listsChart(lists: readonly MeasuredList[]): Chart {
  const below = extent(lists.map(({ workload, one }) => quotient(workload.kepMs, timeOf(one, 'whole'))));
  return {
    kind: 'dots',
    id: PLOT,
    title:
      below === undefined
        ? 'The lists of KEP-2876'
        : `The KEP's raw figures for iterating are ${rangeText(below, timesText)} the whole write here`,
    subtitle:
      'From the bytes of one object to its verdict, limits lifted, median of the rounds. The bar is what the KEP gives for iterating alone.',
    x: { label: 'time', unit: 'ms' },
    rows: lists.map((list) => ({ name: list.workload.name, values: dotsOf(list) })),
    reading: SIZES_SOURCE,
    notShown: 'HTTP and the way between processes (see the experiment http), and times of Go that were extrapolated (see the table).',
  };
}

function dotsOf({ workload: { kepMs }, one, go }: MeasuredList): ChartOf<'dots'>['rows'][number]['values'] {
  const values = [
    { series: 'Assay, as it judges', role: 'assay', value: timeOf(one, 'whole') },
    { series: 'Assay, exact way', role: 'experiment', value: timeOf(one, 'exact') },
    { series: 'Go, reading and schema', role: 'reference', value: go?.schemaMs },
    { series: 'Go, the rule', role: 'shipped', value: go?.rule?.extrapolated === false ? go.rule.ms : undefined },
    { series: 'KEP-2876: raw to 5 ×', role: 'peer', value: kepMs, lo: kepMs, hi: 5 * kepMs },
  ] as const;
  return values.flatMap(({ value, ...rest }) => (value === undefined ? [] : [{ ...rest, value }]));
}

const PHASE_NAMES: Readonly<Record<(typeof PHASES)[number], string>> = {
  parse: 'parsing',
  prune: 'pruning and defaulting',
  openapi: 'OpenAPI',
  lists: 'list types',
  cel: 'the rule',
};

function listsTable(lists: readonly MeasuredList[]): Table {
  const row = (what: string, figure: (list: MeasuredList) => string): string[] => [what, ...lists.map(figure)];
  const time = (what: string) => (list: MeasuredList) => timeText(timeOf(list.one, what));
  const fact = (name: string) => (list: MeasuredList) => String(list.one.facts[name] ?? NOT_MEASURED);
  return {
    title: 'The lists of KEP-2876, from bytes to verdict',
    below: PLOT,
    columns: ['', ...lists.map(({ workload }) => workload.name)],
    rows: [
      row('bytes of the object', ({ one }) => bytesText(numberOf(one, 'bytes'))),
      row('Assay, as it judges', time('whole')),
      row('… judged by', fact('judgedBy')),
      row('Assay, exact way', time('exact')),
      ...PHASES.map((phase) => row(`… of it ${PHASE_NAMES[phase]}`, time(phase))),
      row('Go, reading and schema', ({ go }) => timeText(go?.schemaMs)),
      row('Go, the rule', ({ go }) => `${go?.rule?.extrapolated === true ? '≈ ' : ''}${timeText(go?.rule?.ms)}`),
      row("KEP's figure for iterating, raw", ({ workload }) => timeText(workload.kepMs)),
      row('KEP × 5, its limit', ({ workload }) => timeText(5 * workload.kepMs)),
      row('cost units', ({ one }) => countText(numberOf(one, 'cost'))),
      row("verdict under a server's limits", fact('limited')),
    ],
    notes: [
      SIZES_SOURCE,
      'Assay judges long lists by a generated reader, which checks a list in place as a column; the exact way goes step by step. Go: the libraries of apiextensions-apiserver over lists of as many elements; ≈ is extrapolated from shorter lists, because the time of its cost tracker grows with the square of the length.',
    ],
  };
}

/** The KEP's limit of iterating, beside the rule alone. */
function iterationClaim({ name, kepMs }: ListWorkload, one: CaseFigures | undefined): ReportClaim {
  const ms = one && timeOf(one, 'cel');
  const times = quotient(kepMs, ms);
  return {
    source: 'KEP-2876',
    claim: `${name}: iterating takes ${kepMs} ms, and may take ${5 * kepMs} ms`,
    system: 'Assay, exact way',
    found: times === undefined ? timeText(ms) : `${timeText(ms)}; the raw figure is ${timesText(times)} that`,
    verdict: ms === undefined ? 'not measured' : ms <= kepMs ? 'holds' : ms <= 5 * kepMs ? 'in part' : 'fails',
  };
}

/** Cost units, verdicts and the way that judged are exact, so they are gates. */
function listGates({ name, elements }: ListWorkload, one: CaseFigures | undefined): Gate[] {
  const [units, facts] = [5 * elements + 3, one?.facts ?? {}];
  return [
    equalGate(`${name}: cost`, 'cost units', units, facts['cost']),
    equalGate(`${name}: verdict without limits`, 'verdicts', 'accepted', facts['verdict']),
    equalGate(`${name}: verdict under the server's limits`, 'verdicts', units > PER_CALL_LIMIT ? 'rejected' : 'accepted', facts['limited']),
    equalGate(`${name}: judged by`, 'work done', READER, facts['judgedBy']),
  ];
}
