import { PER_CALL_LIMIT } from '#kube';
import { bytesText, countText, NOT_MEASURED, rangeText, timesText, timeText } from '#charts';
import type { Chart, ChartOf } from '#charts';
import type { GoListFigures } from '../../engines/go-kep-lists.ts';
import { median } from '#benchmark';
import { extent, measured, quotient } from '../../measure/quotient.ts';
import { equalGate } from '../../result/gates.ts';
import { medianCell } from '../../result/report-cell.ts';
import type { Gate, ReportCell, ReportClaim, Table } from '../../result/summary.ts';
import { KEP_LISTS } from '../../workloads/list-workload.ts';
import type { ListWorkload } from '../../workloads/list-workload.ts';
import type { Findings } from '../experiment.ts';
import { PHASES } from './kep-lists.ts';
import type { ListFigures } from './kep-lists.ts';

/** Identifies the plot below which the table stands. */
const PLOT = 'kep-lists';
const SIZES_SOURCE =
  'KEP-2876 takes its sizes from the largest request: 3 MiB divided by the bytes of an element gives 1,572k elements of 2 bytes, about 300k of 10 bytes and 30k of 100 bytes. Its figure is the time of iterating alone, and its limit is five times that figure.';

/** Returns the findings about the KEP's lists: time from bytes to verdict, beside the Go libraries and the KEP's own figures. */
export function kepFindings(
  lists: readonly ListFigures[],
  go: readonly GoListFigures[],
): Required<Pick<Findings, 'finding' | 'charts' | 'tables' | 'claims' | 'gates' | 'cells'>> {
  const of = (workload: ListWorkload): ListFigures | undefined => lists.find((one) => one.workload.name === workload.name);
  return {
    finding: listsText(lists),
    charts: lists.length === 0 ? [] : [listsChart(lists, go)],
    tables: lists.length === 0 ? [] : [listsTable(lists, go)],
    claims: KEP_LISTS.map((workload) => iterationClaim(workload, of(workload))),
    gates: KEP_LISTS.flatMap((workload) => listGates(workload, of(workload))),
    cells: lists.flatMap(listCells),
  };
}

function listsText(lists: readonly ListFigures[]): string {
  const all = measured(lists, ({ whole }) => median(whole));
  const slowest = all.toSorted((a, b) => b.value - a.value)[0];
  const which =
    all.length === KEP_LISTS.length ? "the KEP's longest lists" : `${all.length} of the KEP's ${KEP_LISTS.length} longest lists`;
  if (slowest === undefined) return `the KEP's longest lists from bytes to verdict: ${NOT_MEASURED}`;
  const within = all.every(({ item, value }) => value <= item.workload.kepMs);
  const raw = within ? ', within what the KEP measured for iterating alone' : '';
  return `from bytes to verdict, ${which} take at most ${timeText(slowest.value)}${raw}`;
}

function listsChart(lists: readonly ListFigures[], go: readonly GoListFigures[]): Chart {
  const below = extent(lists.map(({ workload, whole }) => quotient(workload.kepMs, median(whole))));
  const title =
    below === undefined
      ? 'The lists of KEP-2876'
      : `The KEP's raw figures for iterating are ${rangeText(below, timesText)} the whole write here`;
  return {
    kind: 'dots',
    id: PLOT,
    title,
    subtitle:
      'From the bytes of one object to its verdict, limits lifted, median of the rounds. The bar is what the KEP gives for iterating alone.',
    x: { label: 'time', unit: 'ms' },
    rows: lists.map((list) => ({ name: list.workload.name, values: dotsOf(list, go) })),
    reading: SIZES_SOURCE,
    notShown: 'HTTP and the way between processes (see the experiment http), and times of Go that were extrapolated (see the table).',
  };
}

function dotsOf({ workload, whole, exact }: ListFigures, go: readonly GoListFigures[]): ChartOf<'dots'>['rows'][number]['values'] {
  const peer = go.find(({ name }) => name === workload.name);
  const rule = peer?.rule?.extrapolated === false ? peer.rule.ms : undefined;
  const values = [
    { series: 'Assay, as it judges', role: 'assay', value: median(whole) },
    { series: 'Assay, exact way', role: 'experiment', value: median(exact) },
    { series: 'Go, reading and schema', role: 'reference', value: peer?.schemaMs },
    { series: 'Go, the rule', role: 'shipped', value: rule },
    { series: 'KEP-2876: raw to 5 ×', role: 'peer', value: workload.kepMs, lo: workload.kepMs, hi: 5 * workload.kepMs },
  ] as const;
  return values.flatMap(({ value, ...one }) => (value === undefined ? [] : [{ ...one, value }]));
}

function listsTable(lists: readonly ListFigures[], go: readonly GoListFigures[]): Table {
  const row = (what: string, figure: (list: ListFigures) => string): string[] => [what, ...lists.map(figure)];
  const peer = ({ workload }: ListFigures): GoListFigures | undefined => go.find(({ name }) => name === workload.name);
  const ruleText = ({ rule }: Partial<GoListFigures> = {}): string => `${rule?.extrapolated === true ? '≈ ' : ''}${timeText(rule?.ms)}`;
  const phaseRows = [...PHASES.keys()].map((i) =>
    row(`… of it ${PHASE_NAMES[i] ?? ''}`, ({ phases }) => timeText(median(phases[PHASES[i] ?? 'cel']))),
  );
  return {
    title: 'The lists of KEP-2876, from bytes to verdict',
    below: PLOT,
    columns: ['', ...lists.map(({ workload }) => workload.name)],
    rows: [
      row('bytes of the object', ({ bytes }) => bytesText(bytes)),
      row('Assay, as it judges', ({ whole }) => timeText(median(whole))),
      row('… judged by', ({ byReader }) => wayText(byReader)),
      row('Assay, exact way', ({ exact }) => timeText(median(exact))),
      ...phaseRows,
      row('Go, reading and schema', (list) => timeText(peer(list)?.schemaMs)),
      row('Go, the rule', (list) => ruleText(peer(list))),
      row("KEP's figure for iterating, raw", ({ workload }) => timeText(workload.kepMs)),
      row('KEP × 5, its limit', ({ workload }) => timeText(5 * workload.kepMs)),
      row('cost units', ({ cost }) => countText(cost)),
      row("verdict under a server's limits", ({ limited }) => limited ?? NOT_MEASURED),
    ],
    notes: [
      SIZES_SOURCE,
      'Assay judges long lists by a generated reader, which checks a list in place as a column; the exact way goes step by step. Go: the libraries of apiextensions-apiserver over lists of as many elements; ≈ is extrapolated from shorter lists, because the time of its cost tracker grows with the square of the length.',
    ],
  };
}

const PHASE_NAMES: readonly string[] = ['parsing', 'pruning and defaulting', 'OpenAPI', 'list types', 'the rule'];
const READER = 'generated reader';
const wayText = (byReader: boolean | undefined): string => (byReader === undefined ? NOT_MEASURED : byReader ? READER : 'the exact way');

/** The KEP's limit of iterating, beside the rule alone. */
function iterationClaim({ name, kepMs }: ListWorkload, list: ListFigures | undefined): ReportClaim {
  const ms = list && median(list.phases.cel);
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
function listGates({ name, elements }: ListWorkload, list: ListFigures | undefined): Gate[] {
  const units = 5 * elements + 3;
  const verdict = list?.accepted === undefined ? undefined : list.accepted ? 'accepted' : 'rejected';
  return [
    equalGate(`${name}: cost`, 'cost units', units, list?.cost),
    equalGate(`${name}: verdict without limits`, 'verdicts', 'accepted', verdict),
    equalGate(`${name}: verdict under the server's limits`, 'verdicts', units > PER_CALL_LIMIT ? 'rejected' : 'accepted', list?.limited),
    equalGate(`${name}: judged by`, 'work done', READER, list?.byReader === undefined ? undefined : wayText(list.byReader)),
  ];
}

function listCells({ workload, whole, exact, phases }: ListFigures): ReportCell[] {
  const samples = { whole, exact, ...phases };
  return Object.entries(samples).flatMap(([what, figures]) => medianCell({ id: `${workload.name}/${what}`, unit: 'ms', samples: figures }));
}
