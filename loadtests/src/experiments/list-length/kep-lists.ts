import { KEP_FACTOR } from '#kube';
import type { JsonObject } from '#go';
import { PER_CALL_LIMIT } from '#kube';
import { bytesText, countText, NOT_MEASURED, rangeText, timesText, timeText } from '#numbers';
import type { Chart, ChartRole } from '#report/charts';
import { goLineOf } from '../../engines/go-kep-lists.ts';
import { extent, measured, quotient } from '../../measure/quotient.ts';
import type { Table } from '../../result/summary.ts';
import { judgingWork, READER } from '../../study/judging-work.ts';
import { boundClaim, casesOf, numberOf, timeOf } from '../../study/study-report.ts';
import type { CaseFigures, Line } from '../../study/study.ts';
import { compiled, judge, NO_LIMITS } from '../../workloads/judging.ts';
import { KEP_LISTS, listBody, listDefinition, listTitle } from '../../workloads/list-workload.ts';
import type { ListWorkload } from '../../workloads/list-workload.ts';

/** Id of the chart of the KEP's lists. The table with the same figures is shown below this chart. */
const PLOT = 'kep-lists';
const SIZES_SOURCE =
  'KEP-2876 is the Kubernetes enhancement that introduced CEL rules. The KEP derives three list lengths from the largest request, which has 3 MiB. In the chart, `30k × 100 B` is a list of 30,000 elements of 100 bytes. The KEP gives the time that plain Go needs to iterate over each list, and allows CEL five times this time.';

const costOf = (elements: number): number => 5 * elements + 3;

/**
 * Lines of figures for the lists of the KEP. The time from the bytes of the object to the verdict is measured without cost limits. The fact
 * `limited` is the verdict under the server's limits.
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

/** Row of a table that shows one time in ms for each list. A row with a role is also drawn in the chart. */
interface TimeRow {
  /** Name in the chart, and in the table if there is no `row`. */
  readonly name: string;
  /** Name in the table. */
  readonly row?: string;
  readonly role?: ChartRole;
  readonly ms: (list: MeasuredList) => number | undefined;
  /** Returns the extrapolated time of a list, which is shown if the time of the list was not measured. */
  readonly about?: TimeRow['ms'];
}

const TIMES: readonly TimeRow[] = [
  { name: 'Assay, as it judges', row: 'time from bytes to verdict: Assay, with its fast reader', role: 'assay', ms: here('whole') },
  { name: 'Assay, exact way', row: 'time from bytes to verdict: Assay, with the exact way', role: 'experiment', ms: here('exact') },
  { name: 'exact way: part of the time for parsing', ms: here('parse') },
  { name: 'exact way: part of the time for pruning and defaulting', ms: here('prune') },
  { name: 'exact way: part of the time for schema keywords', ms: here('openapi') },
  { name: 'exact way: part of the time for list types', ms: here('lists') },
  { name: 'exact way: part of the time for the CEL rule', ms: here('cel') },
  {
    name: 'Go, reading and schema',
    row: 'Go libraries: time for reading the object and checking its schema',
    role: 'reference',
    ms: inGo('schema'),
  },
  {
    name: 'Go, the rule',
    row: 'Go libraries: time for the CEL rule',
    role: 'shipped',
    ms: inGo('rule'),
    about: inGo('rule, extrapolated'),
  },
  { name: 'KEP-2876: time for iterating in plain Go', ms: ({ workload }) => workload.kepMs },
  { name: 'KEP-2876: longest allowed time of CEL (5 × the time in plain Go)', ms: ({ workload }) => KEP_FACTOR * workload.kepMs },
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
    claims: KEP_LISTS.map((workload) => {
      const { name, kepMs } = workload;
      return boundClaim({
        claim: `iterating over a list of ${listTitle(workload)} takes ${kepMs} ms in plain Go, and may take ${KEP_FACTOR * kepMs} ms in CEL`,
        system: 'general implementation of Assay (exact way), the CEL rule alone',
        figure: casesOf(cases, name).map((one) => timeOf(one, 'cel'))[0],
        found: (ms) => `${timeText(ms)}; the time in the KEP is ${timesText(quotient(kepMs, ms))} this time`,
        holds: kepMs,
        inPart: KEP_FACTOR * kepMs,
      });
    }),
  };
}

function listsText(lists: readonly MeasuredList[]): string {
  const all = measured(lists, here('whole'));
  const slowest = extent(all.map(({ value }) => value))?.most;
  const which =
    all.length === KEP_LISTS.length
      ? 'the three longest lists of KEP-2876'
      : `${all.length} of the ${KEP_LISTS.length} longest lists of KEP-2876`;
  if (slowest === undefined) return `time from bytes to verdict of the longest lists of KEP-2876: ${NOT_MEASURED}`;
  const within = all.every(({ item, value }) => value <= item.workload.kepMs);
  const raw = within ? ', which is less than the time in the KEP for iterating alone' : '';
  return `from the bytes to the verdict, objects with ${which} take at most ${timeText(slowest)}${raw}`;
}

function listsChart(lists: readonly MeasuredList[]): Chart {
  const below = extent(lists.map((list) => quotient(list.workload.kepMs, here('whole')(list))));
  return {
    kind: 'dots',
    id: PLOT,
    title:
      below === undefined
        ? 'The lists of KEP-2876'
        : `The times in KEP-2876 for iterating alone are ${rangeText(below, timesText)} the time that Assay needs for a whole write`,
    subtitle:
      'Time from the bytes of one object to its verdict, without cost limits; median of the rounds. The bar begins at the time that KEP-2876 gives for iterating alone, and ends at five times this time.',
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
    columns: ['what was measured', ...lists.map(({ workload }) => `list of ${listTitle(workload)}`)],
    rows: [
      row('size of the object', ({ one }) => bytesText(numberOf(one, 'bytes'))),
      ...TIMES.map(({ name, row: title = name, ms, about }) =>
        row(title, (list) => `${about?.(list) === undefined ? '' : '≈ '}${timeText(ms(list) ?? about?.(list))}`),
      ),
      row('code with which Assay judged the object', fact('judged by')),
      row('cost of the CEL rule, in cost units', ({ one }) => countText(numberOf(one, 'cost'))),
      row('verdict if the cost limits of a server apply', fact('limited')),
    ],
    notes: [
      'All times were measured without cost limits. Assay judges long lists with a *generated reader*: code for one schema that checks a list in a single pass. The *exact way* is the general implementation of Assay, which works step by step. The *Go libraries* are those of apiextensions-apiserver, with lists of the same length. A time with ≈ is extrapolated from shorter lists, because the time of the cost tracker in Go grows with the square of the length.',
    ],
  };
}
