import { addedTime, MIN_DECIDED_MS, sampleRounds } from '#benchmark';
import type { AddedTime } from '#benchmark';
import { isJsonObject } from '#go';
import type { JsonObject } from '#go';
import { KEP_FACTOR } from '#kube';
import { bytesText, countText, growthText, NOT_MEASURED, timeText } from '#numbers';
import type { Chart } from '#report/charts';
import { startApiServer } from '../engines/start-api-server.ts';
import type { Lab } from '../lab.ts';
import { pairsOf } from '../measure/compare-rounds.ts';
import { missing, sentence } from '../result/sentence.ts';
import type { ReportClaim, Table } from '../result/summary.ts';
import { casesOf, growthChart, numberOf, timeCells, timeOf } from '../study/study-report.ts';
import type { CaseFigures } from '../study/study.ts';
import { compiled, judge } from '../workloads/judging.ts';
import { KEP_LISTS, listBody, listDefinition, listTitle } from '../workloads/list-workload.ts';
import type { ListWorkload } from '../workloads/list-workload.ts';
import type { Experiment, Findings } from './experiment.ts';
import { KNOWN_GROWTH } from './real-server/known-growth.ts';
import type { KnownGrowth } from './real-server/known-growth.ts';
import { addedGrowth } from './real-server/added-growth.ts';
import { ServerMeasurement } from './real-server/measure-on-server.ts';

/** Names of the measured times: of the server without and with the rule, of their difference, and of Assay. */
export const [WITHOUT, WITH, ADDED, ASSAY] = ['without', 'with', 'added', 'assay'] as const;
/** Number of lists and of pairs, by thoroughness. Fewer than 11 pairs decide no difference. */
const [LISTS, PAIRS] = [
  { quick: 1, full: KEP_LISTS.length },
  { quick: 6, full: 16 },
] as const;
/**
 * Rounds in which the sizes of known growth are measured in turn, so that a slow phase of the machine slows all sizes. Each size gets these
 * pairs in each round.
 */
const [ROUNDS, ROUND_PAIRS] = [
  { quick: 1, full: 4 },
  { quick: 6, full: 5 },
] as const;
/** Longest time in ms of the pairs of one case, and time for measuring Assay. */
const [CASE_MS, ASSAY_MS] = [150_000, 1500] as const;
/** Largest difference between the exponents of time and cost for which the claim of equal growth holds. */
const TOLERANCE = 0.2;

/** Case of the experiment: one object of one definition. */
interface Measured {
  readonly line: string;
  readonly size: number;
  readonly definition: JsonObject;
  readonly body: string;
  readonly pairs: number;
}

/** Experiment on a real API server with etcd. It answers how much time a rule adds to a write from its bytes to the server's answer. */
export const realServer: Experiment<readonly CaseFigures[]> = {
  name: 'real-server',
  question: 'How much time does a rule add to a write on a real API server?',
  isRunByName: true,
  async measure(lab) {
    lab.say('building and starting the API server');
    const server = lab.thoroughness === 'smallest' ? 'not in the smallest runs' : await startApiServer();
    if (typeof server === 'string') lab.say(`the API server is not measured: ${server}`);
    const client = typeof server === 'string' ? undefined : new ServerMeasurement(server.kubeconfig, lab.signal, lab.say);
    try {
      const cases: CaseFigures[] = [];
      for await (const one of lab.each(casesToMeasure(lab))) {
        lab.say(`${one.line}: ${one.size}`);
        cases.push(await figuresOf(one, client, lab, typeof server === 'string' ? server : undefined));
      }
      return merged(cases);
    } finally {
      client?.close();
      if (typeof server !== 'string') await server.stop();
    }
  },
  findings,
};

function casesToMeasure(lab: Lab): Measured[] {
  const lists = KEP_LISTS.slice(0, lab.of(LISTS)).map((list): Measured => {
    const definition = listDefinition(list);
    if (!isJsonObject(definition)) throw new Error('no definition');
    return { line: list.name, size: list.elements, definition, body: listBody(list), pairs: lab.of(PAIRS) };
  });
  const growing = KNOWN_GROWTH.flatMap(({ name, sizes, definition, body }) =>
    lab.of(sizes).map((size): Measured => ({ line: name, size, definition, body: body(size), pairs: lab.of(ROUND_PAIRS) })),
  );
  const rounds = Array.from({ length: lab.of(ROUNDS) }, () => growing);
  // The long lists come last. A server that could not answer them in time may still be busy afterwards.
  const [first = [], ...longer] = lists.map((list) => [list]);
  return [...first, ...rounds.flat(), ...longer.flat()];
}

/** Joins the times of the same case in all rounds. */
function merged(cases: readonly CaseFigures[]): CaseFigures[] {
  return [...Map.groupBy(cases, ({ line, size }) => `${line} ${size}`).values()].flatMap((rounds) => {
    const [first] = rounds;
    if (first === undefined) return [];
    const names = new Set(rounds.flatMap(({ times }) => Object.keys(times)));
    const times = Object.fromEntries([...names].map((name) => [name, rounds.flatMap((one) => one.times[name] ?? [])]));
    return [{ ...first, times }];
  });
}

async function figuresOf(
  { line, size, definition, body, pairs: most }: Measured,
  client: ServerMeasurement | undefined,
  lab: Lab,
  why: string | undefined,
): Promise<CaseFigures> {
  const [assay, bytes] = [compiled(definition), Buffer.from(body)];
  const [own = []] = sampleRounds([() => void judge(assay, bytes)], { now: () => performance.now(), ms: ASSAY_MS });
  const verdict = judge(assay, bytes);
  const server = await client?.measure({ definition, body, pairs: most, durationMs: CASE_MS });
  const pairs = pairsOf(server?.without ?? [], server?.with ?? []);
  return {
    line,
    size,
    times: {
      [ASSAY]: own,
      ...(server && server.without.length > 0 && { [WITHOUT]: server.without }),
      ...(server && server.with.length > 0 && { [WITH]: server.with, [ADDED]: pairs.map(({ a, b }) => b - a) }),
    },
    facts: {
      bytes: bytes.length,
      cost: costOf(verdict.cost.cel),
      verdict: verdict.accepted ? 'accepted' : 'rejected',
      server: server?.code === undefined ? undefined : server.code === 201 ? 'accepted' : 'rejected',
      problem: server?.problem ?? why,
    },
  };
}

/** Returns the cost of a verdict; undefined if a cost limit ended the rule, because the verdict then has no cost. */
const costOf = (cost: number | undefined): number | undefined => (cost === undefined || cost < 0 ? undefined : cost);

/** Returns true if the server ended the writes of a case with 504 before a verdict. */
const isEnded = ({ facts: { problem } }: CaseFigures): boolean => typeof problem === 'string' && problem.includes('(504)');

/** Returns the time that the rule adds, as the comparison of the pairs decides it. Undefined if the server was not measured. */
function addedOf({ times }: CaseFigures): AddedTime | undefined {
  const pairs = pairsOf(times[WITHOUT] ?? [], times[WITH] ?? []);
  return pairs.length === 0 ? undefined : addedTime(pairs);
}

function addedText(one: CaseFigures): string {
  const added = addedOf(one);
  if (added === undefined) return NOT_MEASURED;
  const { p50 } = added;
  const interval = p50 === undefined ? '' : ` [${timeText(p50.lo)}, ${timeText(p50.hi)}]`;
  if (added.verdict === 'adds') return `${timeText(added.p50.ms)}${interval}`;
  return `${added.verdict === 'noDifference' ? 'no difference found' : 'undecided'}${interval}`;
}

/** List of the KEP with its figures. */
interface MeasuredList {
  readonly list: ListWorkload;
  readonly one: CaseFigures;
}

function findings(cases: readonly CaseFigures[]): Findings {
  const lists = KEP_LISTS.flatMap((list) => casesOf(cases, list.name).map((one): MeasuredList => ({ list, one })));
  const unmeasured = KEP_LISTS.filter(({ name }) => casesOf(cases, name).length === 0).map(({ name }) => `list ${name}`);
  return {
    finding: sentence([...lists.map(listText), missing(unmeasured)]),
    charts: [listsChart(lists), addedChart(cases)],
    tables: [...(lists.length === 0 ? [] : [listsTable(lists)]), growthTable(cases)],
    claims: [
      ...KEP_LISTS.map((list) => listClaim(list, casesOf(cases, list.name)[0])),
      ...KNOWN_GROWTH.map((one) => growthClaim(one, cases)),
    ],
    cells: timeCells(cases),
    notes: [
      'The API server is the apiextensions-apiserver of Kubernetes with etcd, on the same machine as its client. It has no admission policies, no namespaces and no access reviews. All writes are dry runs.',
      'The server refuses requests of more than 3 MiB, and ends a request after 34 s with 504. Its rules have the cost limits of a server, also in Assay.',
      ...new Set(cases.flatMap(({ facts: { problem } }) => (problem === undefined ? [] : [`A part was not measured: ${problem}.`]))),
    ],
  };
}

function listText({ list, one }: MeasuredList): string {
  const [without, own] = [timeOf(one, WITHOUT), timeOf(one, ASSAY)];
  const beside = `list of ${listTitle(list)}: ${timeText(own)} in Assay`;
  if (without === undefined && isEnded(one)) return `${beside}, no verdict of the API server in time, even without the rule`;
  if (without === undefined) return `${beside}, API server ${NOT_MEASURED}`;
  const ruled = timeOf(one, WITH);
  return `${beside}, ${timeText(without)} on the API server without the rule, ${ruled === undefined ? 'no verdict in time' : timeText(ruled)} with it`;
}

function listsChart(lists: readonly MeasuredList[]): Chart {
  const series = [
    { name: 'API server, without the rule', role: 'reference', what: WITHOUT },
    { name: 'API server, with the rule', role: 'shipped', what: WITH },
    { name: 'Assay, with the rule', role: 'assay', what: ASSAY },
  ] as const;
  return {
    kind: 'dots',
    id: 'lists',
    title: 'The lists of KEP-2876 on a real API server, with and without their rule',
    subtitle: 'Time of one dry run from sending to the end of the answer, and time of Assay from the same bytes to the verdict; medians.',
    x: { label: 'time', unit: 'ms' },
    rows: lists.map(({ list, one }) => ({
      name: list.name,
      values: series.flatMap(({ name, role, what }) => {
        const value = timeOf(one, what);
        return value === undefined ? [] : [{ series: name, role, value }];
      }),
    })),
    reading:
      'Both writes of a pair have the same object and were sent one after the other, in turns. If a list has no dot with the rule, the server ended the request before its verdict.',
    notShown: 'the network, admission webhooks and policies, and the work of storing an object.',
  };
}

function listsTable(lists: readonly MeasuredList[]): Table {
  const row = (what: string, figure: (list: MeasuredList) => string): string[] => [what, ...lists.map(figure)];
  return {
    title: 'The lists of KEP-2876 on a real API server',
    below: 'lists',
    columns: ['what was measured', ...lists.map(({ list }) => `list of ${listTitle(list)}`)],
    rows: [
      row('size of the object', ({ one }) => bytesText(numberOf(one, 'bytes'))),
      row('API server, without the rule', ({ one }) => serverText(one, WITHOUT)),
      row('API server, with the rule', ({ one }) => serverText(one, WITH)),
      row('time that the rule adds [95 % interval]', ({ one }) => addedText(one)),
      row('Assay, with the rule', ({ one }) => timeText(timeOf(one, ASSAY))),
      row('cost of the rule, in cost units', ({ one }) =>
        one.facts['verdict'] === 'rejected' ? 'over the limit' : countText(numberOf(one, 'cost')),
      ),
      row('verdict of Assay', ({ one }) => String(one.facts['verdict'] ?? NOT_MEASURED)),
      row('verdict of the API server', ({ one }) => String(one.facts['server'] ?? 'none in time')),
    ],
    notes: [],
  };
}

/** Returns a time of the server in words. */
const serverText = (one: CaseFigures, what: string): string =>
  timeOf(one, what) === undefined && isEnded(one) ? 'no verdict within 34 s' : timeText(timeOf(one, what));

function listClaim(list: ListWorkload, one: CaseFigures | undefined): ReportClaim {
  const allowed = KEP_FACTOR * list.kepMs;
  const claim = {
    source: 'KEP-2876',
    claim: `a rule over a list of ${listTitle(list)} takes at most ${timeText(allowed)}`,
    system: 'API server of Kubernetes',
  };
  const added = one && addedOf(one);
  if (added?.p50 !== undefined) {
    const { lo, hi } = added.p50;
    const verdict = hi <= allowed ? 'holds' : lo > allowed ? 'fails' : 'undecided';
    return { ...claim, found: `the rule adds ${timeText(added.p50.ms)} [${timeText(lo)}, ${timeText(hi)}]`, verdict };
  }
  if (one !== undefined && isEnded(one) && timeOf(one, WITHOUT) !== undefined)
    return { ...claim, found: 'the server ends the write after 34 s, without a verdict', verdict: 'fails' };
  if (one !== undefined && isEnded(one))
    return { ...claim, found: 'the server ends the write after 34 s, even without the rule', verdict: 'undecided' };
  return { ...claim, found: NOT_MEASURED, verdict: 'not measured' };
}

function addedChart(cases: readonly CaseFigures[]): Chart {
  const roles = ['assay', 'shipped', 'experiment'] as const;
  return growthChart({
    id: 'growth',
    title: 'Time that rules of known growth add on a real API server, by size',
    subtitle: 'Median of the differences of all pairs: a write with the rule minus the same write without it.',
    x: { label: 'size', unit: 'count' },
    lines: KNOWN_GROWTH.map(({ name }, i) => ({ name, role: roles[i] ?? 'peer', cases: casesOf(cases, name), what: ADDED })),
    reading:
      'The cost of these rules grows with n, n² and n·m. They match texts of 1,000 characters, which takes longer than the searches of the cost tracker of Kubernetes. In a loop of short steps, the time of these searches grows faster than the cost.',
    notShown: 'the time of the same writes without the rules.',
  });
}

function growthTable(cases: readonly CaseFigures[]): Table {
  return {
    title: 'Rules of known growth on a real API server',
    below: 'growth',
    columns: [
      'rule',
      'size',
      'cost units',
      'API server, without the rule',
      'API server, with the rule',
      'time that the rule adds',
      'Assay',
    ],
    rows: KNOWN_GROWTH.flatMap(({ name, rule }) =>
      casesOf(cases, name).map((one) => [
        `\`${rule}\``,
        countText(one.size),
        countText(numberOf(one, 'cost')),
        timeText(timeOf(one, WITHOUT)),
        timeText(timeOf(one, WITH)),
        addedText(one),
        timeText(timeOf(one, ASSAY)),
      ]),
    ),
    notes: [],
  };
}

function growthClaim({ name, exponent }: KnownGrowth, cases: readonly CaseFigures[]): ReportClaim {
  const claim = {
    source: 'aim of this project',
    claim: `the time of a rule grows with n^${exponent}, within ${TOLERANCE}: ${name}`,
    system: 'API server of Kubernetes',
  };
  const long = casesOf(cases, name).filter((one) => (timeOf(one, WITH) ?? 0) >= MIN_DECIDED_MS);
  if (long.length === 0) return { ...claim, found: NOT_MEASURED, verdict: 'not measured' };
  const growth = addedGrowth(long.map(({ size, times }) => ({ size, differences: times[ADDED] ?? [] })));
  if (growth === undefined) return { ...claim, found: 'the times do not decide an exponent', verdict: 'undecided' };
  const { lo, hi } = growth;
  const isInside = lo >= exponent - TOLERANCE && hi <= exponent + TOLERANCE;
  const isOutside = hi < exponent - TOLERANCE || lo > exponent + TOLERANCE;
  return {
    ...claim,
    found: `${growthText(growth.exponent)} [${lo.toFixed(2)}, ${hi.toFixed(2)}]`,
    verdict: isInside ? 'holds' : isOutside ? 'fails' : 'undecided',
  };
}
