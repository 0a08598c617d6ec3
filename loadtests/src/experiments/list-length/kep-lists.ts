import { KEP_FACTOR } from '#kube';
import type { JsonObject } from '#go';
import { PER_CALL_LIMIT } from '#kube';
import { bytesText, countText, NOT_MEASURED, rangeText, timesText, timeText } from '#charts';
import type { Chart, Role } from '#charts';
import { goLineOf } from '../../engines/go-kep-lists.ts';
import { extent, measured, quotient } from '../../measure/quotient.ts';
import type { Table } from '../../result/summary.ts';
import { judgingWork, READER } from '../../study/judging-work.ts';
import { boundClaim, casesOf, numberOf, timeOf } from '../../study/study-report.ts';
import type { CaseFigures, Line } from '../../study/study.ts';
import { compiled, judge, NO_LIMITS } from '../../workloads/judging.ts';
import { KEP_LISTS, listBody, listDefinition } from '../../workloads/list-workload.ts';
import type { ListWorkload } from '../../workloads/list-workload.ts';

/** Id of the plot below which the table is shown. */
const PLOT = 'kep-lists';
const SIZES_SOURCE =
  'KEP-2876 is the Kubernetes enhancement that introduced CEL rules. It derives its list sizes from the largest request, which has 3 MiB: 1,572k elements of 2 bytes, about 300k of 10 bytes, or 30k of 100 bytes. Its figure is the time of iterating alone, and its limit is five times that figure.';

const costOf = (elements: number): number => 5 * elements + 3;

/**
 * Lines for the lists of the KEP, measured from the bytes of the object to the verdict with limits lifted. The fact `limited` is the
 * verdict under the server's limits.
 */
export const KEP_LINES = KEP_LISTS.map((workload): Line => ({
  name: workload.name,
  sizes: { quick: [workload.elements], full: [workload.elements] },
  expected: (elements) => ({
    cost: costOf(elements),
    verdict: 'accepted',
    limited: costOf(elements) > PER_CALL_LIMIT ? 'rejected' : 'accepted',
    'judged by': READER,
  }),
  work: () => {
    const definition = compiled(listDefinition(workload) as JsonObject);
    const body = Buffer.from(listBody(workload));
    return judgingWork(definition, body, NO_LIMITS, () => ({ limited: judge(definition, body).accepted ? 'accepted' : 'rejected' }));
  },
}));

/** List of the KEP with its measurements in Assay and in Go. */
interface MeasuredList {
  readonly workload: ListWorkload;
  readonly one: CaseFigures;
  readonly go: CaseFigures | undefined;
}

const here = (what: string) => (list: MeasuredList) => timeOf(list.one, what);
const inGo = (what: string) => (list: MeasuredList) => list.go && timeOf(list.go, what);

/** Row of the table with a time of each list in ms. A row with a role is also drawn in the chart. */
interface TimeRow {
  readonly name: string;
  readonly role?: Role;
  readonly ms: (list: MeasuredList) => number | undefined;
  /** Returns the extrapolated time of a list, which is shown if the time of the list was not measured. */
  readonly about?: TimeRow['ms'];
}

const TIMES: readonly TimeRow[] = [
  { name: 'Assay, as it judges', role: 'assay', ms: here('whole') },
  { name: 'Assay, exact way', role: 'experiment', ms: here('exact') },
  { name: '… of this time, parsing', ms: here('parse') },
  { name: '… of this time, pruning and defaulting', ms: here('prune') },
  { name: '… of this time, schema keywords', ms: here('openapi') },
  { name: '… of this time, list types', ms: here('lists') },
  { name: '… of this time, the CEL rule', ms: here('cel') },
  { name: 'Go, reading and schema', role: 'reference', ms: inGo('schema') },
  { name: 'Go, the rule', role: 'shipped', ms: inGo('rule'), about: inGo('rule, extrapolated') },
  { name: "KEP's figure for iterating, raw", ms: ({ workload }) => workload.kepMs },
  { name: 'KEP × 5, its limit', ms: ({ workload }) => KEP_FACTOR * workload.kepMs },
];

/**
 * Returns the conclusions about the KEP's lists: the time from bytes to verdict, compared with the Go libraries and with the KEP's figures.
 */
export function kepConclusions(cases: readonly CaseFigures[]) {
  const lists = KEP_LISTS.flatMap((workload) =>
    casesOf(cases, workload.name).map((one): MeasuredList => ({ workload, one, go: casesOf(cases, goLineOf(workload))[0] })),
  );
  return {
    finding: [listsText(lists)],
    charts: [listsChart(lists)],
    tables: lists.length === 0 ? [] : [listsTable(lists)],
    claims: KEP_LISTS.map(({ name, kepMs }) =>
      boundClaim({
        claim: `${name}: iterating takes ${kepMs} ms, and may take ${KEP_FACTOR * kepMs} ms`,
        system: 'Assay, exact way',
        figure: casesOf(cases, name).map((one) => timeOf(one, 'cel'))[0],
        found: (ms) => `${timeText(ms)}; the figure of the KEP is ${timesText(quotient(kepMs, ms))} that`,
        holds: kepMs,
        inPart: KEP_FACTOR * kepMs,
      }),
    ),
  };
}

function listsText(lists: readonly MeasuredList[]): string {
  const all = measured(lists, here('whole'));
  const slowest = extent(all.map(({ value }) => value))?.most;
  const which =
    all.length === KEP_LISTS.length ? "the KEP's longest lists" : `${all.length} of the KEP's ${KEP_LISTS.length} longest lists`;
  if (slowest === undefined) return `the KEP's longest lists from bytes to verdict: ${NOT_MEASURED}`;
  const within = all.every(({ item, value }) => value <= item.workload.kepMs);
  const raw = within ? ', within what the KEP measured for iterating alone' : '';
  return `from bytes to verdict, ${which} take at most ${timeText(slowest)}${raw}`;
}

function listsChart(lists: readonly MeasuredList[]): Chart {
  const below = extent(lists.map((list) => quotient(list.workload.kepMs, here('whole')(list))));
  return {
    kind: 'dots',
    id: PLOT,
    title:
      below === undefined
        ? 'The lists of KEP-2876'
        : `The KEP's raw figures for iterating are ${rangeText(below, timesText)} the whole write here`,
    subtitle:
      'Time from the bytes of one object to its verdict, without cost limits; median of the rounds. The bar is the time that KEP-2876 gives for iterating alone.',
    x: { label: 'time', unit: 'ms' },
    rows: lists.map((list) => ({
      name: list.workload.name,
      values: [
        ...TIMES.flatMap(({ name: series, role, ms }) => {
          const value = ms(list);
          return value === undefined || role === undefined ? [] : [{ series, role, value }];
        }),
        {
          series: 'KEP-2876: raw to 5 ×',
          role: 'peer',
          value: list.workload.kepMs,
          lo: list.workload.kepMs,
          hi: KEP_FACTOR * list.workload.kepMs,
        },
      ],
    })),
    reading: SIZES_SOURCE,
    notShown:
      'HTTP and the communication between processes (see the experiment http), and times of Go that were extrapolated (see the table).',
  };
}

function listsTable(lists: readonly MeasuredList[]): Table {
  const row = (what: string, figure: (list: MeasuredList) => string): string[] => [what, ...lists.map(figure)];
  const fact = (name: string) => (list: MeasuredList) => String(list.one.facts[name] ?? NOT_MEASURED);
  return {
    title: 'The lists of KEP-2876, from bytes to verdict',
    below: PLOT,
    columns: ['', ...lists.map(({ workload }) => workload.name)],
    rows: [
      row('bytes of the object', ({ one }) => bytesText(numberOf(one, 'bytes'))),
      ...TIMES.map(({ name, ms, about }) =>
        row(name, (list) => `${about?.(list) === undefined ? '' : '≈ '}${timeText(ms(list) ?? about?.(list))}`),
      ),
      row('… judged by', fact('judged by')),
      row('cost units', ({ one }) => countText(numberOf(one, 'cost'))),
      row("verdict under a server's limits", fact('limited')),
    ],
    notes: [
      'Assay judges long lists with a generated reader: code for one schema that checks a list in a single pass. The exact way is the general implementation, which works step by step. The rows of Go show the libraries of apiextensions-apiserver with lists of the same length. A time with ≈ is extrapolated from shorter lists, because the time of the cost tracker in Go grows with the square of the length.',
    ],
  };
}
