import { countText, NOT_MEASURED, shareText, timeText } from '#numbers';
import type { Chart } from '#report/charts';
import type { PairComparison } from '#benchmark';
import { measureApiServer } from '../engines/go-api-server.ts';
import type { Lab } from '../lab.ts';
import { answeredGate, loadTable, openLoads, PERCENTILES } from '../load/load-figures.ts';
import { LoadRounds } from '../load/load-rounds.ts';
import type { RoundLoad } from '../load/load-rounds.ts';
import { startBareServer } from '../load/start-bare-server.ts';
import { startService } from '../load/start-service.ts';
import { startTogether } from '../load/start-together.ts';
import { compareRounds, comparisonText } from '../measure/compare-rounds.ts';
import { missing, sentence } from '../result/sentence.ts';
import type { ReportClaim } from '../result/summary.ts';
import { boundClaim, casesOf, growthChart, numberOf, pointsOf, rateOf, timeCells } from '../study/study-report.ts';
import type { CaseFigures } from '../study/study.ts';
import { KEP_LISTS, withListTitles } from '../workloads/list-workload.ts';
import { listRequest, smallBody } from '../workloads/request-bodies.ts';
import type { EvaluateBody } from '../workloads/request-bodies.ts';
import type { Experiment, Findings } from './experiment.ts';

const ROUNDS = { quick: 2, full: 12 } as const;
const CLOSED_SECONDS = { quick: 0.35, full: 2 } as const;
const OPEN_SECONDS = { quick: 0.6, full: 20 } as const;
const LISTS = { quick: 1, full: KEP_LISTS.length } as const;
/** Load for small bodies: the fewest connections that keep both cores busy, and the number of warm-up requests. */
const SMALL = { connections: 8, warmUp: { quick: 60, full: 3000 } } as const;
const LARGE = { connections: 2, warmUp: { quick: 4, full: 60 } } as const;
const LARGE_BYTES = 100_000;
/**
 * Fixed request rates as shares of the rate at saturation. At the first rate, requests hardly wait for each other. If client and servers
 * share few cores, the client may keep its schedule only at this rate.
 */
const SHARES = [0.1, 0.5, 0.8] as const;
const [LOWEST_SHARE] = SHARES;
/** Lowest wanted throughput of Assay, as a share of the throughput of the bare Fastify server. */
const WANTED_SHARE = 0.8;
/** Highest wanted median latency for one small object, in ms. */
const WANTED_MS = 3;

/** Ways in which a body is sent. A line of figures combines a body with one way of sending it. */
export const [ASSAY, BARE, OPEN, PEER] = [
  'Assay',
  'Fastify that parses the bytes in a thread',
  'open load',
  'API server of Kubernetes, dry run',
] as const;
/** Returns the name of the line for a body and a way of sending it. */
export const lineOf = (body: string, way: string): string => `${body}: ${way}`;
const SMALL_BODY = smallBody(1).name;

/** Experiment about the time from a client's request to its answer, compared with a server that only parses. */
export const http: Experiment<readonly CaseFigures[]> = {
  name: 'http',
  question: 'How much time does HTTP add to judging, and how long do users wait for an answer?',
  async measure(lab) {
    const bodies = [smallBody(1), ...KEP_LISTS.slice(0, lab.of(LISTS)).map(listRequest)];
    const [assay, bare] = await startTogether([() => startService(), startBareServer]);
    try {
      const loads = bodies.flatMap((body): RoundLoad[] => {
        const { connections, warmUp } = body.text.length > LARGE_BYTES ? LARGE : SMALL;
        const load = { connections, warmUp: { requests: lab.of<number>(warmUp) }, length: { seconds: lab.of(CLOSED_SECONDS) } };
        return [
          { ...load, line: lineOf(body.name, ASSAY), url: assay.url, body },
          { ...load, line: lineOf(body.name, BARE), url: bare.url, body: { ...body, accepted: isParsed } },
        ];
      });
      const rounds = new LoadRounds(lab, loads);
      await rounds.run(lab.of(ROUNDS));
      return [...rounds.cases, ...(await atFixedRates(lab, assay.url, bodies, rounds.cases)), await peer(lab)];
    } finally {
      await Promise.all([assay.stop(), bare.stop()]);
    }
  },
  findings,
};

const isParsed = (answer: string): boolean => answer.startsWith('{"members"');

async function atFixedRates(
  lab: Lab,
  url: string,
  bodies: readonly EvaluateBody[],
  closed: readonly CaseFigures[],
): Promise<CaseFigures[]> {
  const cases: CaseFigures[] = [];
  for await (const body of lab.each(bodies)) {
    const saturation = casesOf(closed, lineOf(body.name, ASSAY)).map((one) => rateOf(one))[0];
    const load = { url, body, saturation, shares: SHARES, seconds: lab.of(OPEN_SECONDS) };
    cases.push(...(await openLoads(lab, { ...load, line: lineOf(body.name, OPEN) })));
  }
  return cases;
}

/**
 * Measures the API server of Kubernetes with the small object that is also sent to Assay. If the server cannot be measured, returns a case
 * with the reason.
 */
async function peer(lab: Lab): Promise<CaseFigures> {
  const seen = lab.thoroughness !== 'full' ? 'only in full runs' : lab.over ? 'the run was stopped' : await measureApiServer();
  const line = lineOf(SMALL_BODY, PEER);
  return typeof seen === 'string'
    ? { line, size: 1, times: {}, facts: { why: seen } }
    : { line, size: 1, times: {}, rates: { rate: [seen.perSecond] }, facts: {} };
}

/** Body with the figures that were measured for it. */
interface BodyFigures {
  readonly name: string;
  readonly assay: CaseFigures | undefined;
  readonly bare: CaseFigures | undefined;
  readonly open: readonly CaseFigures[];
  /** Comparison of Assay with the bare server; undefined if only one server was measured. */
  readonly beside: PairComparison | undefined;
}

function bodiesOf(cases: readonly CaseFigures[]): BodyFigures[] {
  const names = [...new Set(cases.flatMap(({ line }) => (line.endsWith(ASSAY) ? [line.slice(0, -lineOf('', ASSAY).length)] : [])))];
  return names.map((name) => {
    const [assay, bare] = [ASSAY, BARE].map((way) => casesOf(cases, lineOf(name, way))[0]);
    const beside = compareRounds(bare?.rates?.['rate'] ?? [], assay?.rates?.['rate'] ?? []);
    return { name, assay, bare, open: casesOf(cases, lineOf(name, OPEN)), beside: beside.pairs === 0 ? undefined : beside };
  });
}

function findings(cases: readonly CaseFigures[]): Findings {
  const bodies = bodiesOf(cases);
  const small = bodies.find(({ name }) => name === SMALL_BODY);
  const lowest = small?.open.find((one) => numberOf(one, 'share') === LOWEST_SHARE);
  const without = bodies.filter(({ beside }) => beside === undefined).map(({ name }) => name);
  return {
    finding: sentence([small && smallText(small, lowest), missing(without)]),
    charts: [waitingChart(small?.open ?? []), throughputChart(cases, bodies)],
    tables: [
      loadTable(
        'What was sent, and how long answers took',
        cases
          .filter(({ line, facts }) => 'sent' in facts && !line.endsWith(BARE))
          .map((one) => ({ ...one, line: withListTitles(one.line) })),
      ),
    ],
    claims: [
      ...bodies.map(shareClaim),
      boundClaim({
        source: 'aim of this project',
        claim: `a service without Redis answers a request with a small object within ${WANTED_MS} ms at the median`,
        figure: lowest && numberOf(lowest, 'p50'),
        found: (p50) => `${timeText(p50)}, if clients send ${shareText(LOWEST_SHARE)} of the highest possible requests a second`,
        holds: WANTED_MS,
        inPart: WANTED_MS,
      }),
    ],
    gates: bodies.map(({ name, assay, open }) =>
      answeredGate(`${name}: answers that accept the object, or refuse the request with 429 under open load`, [
        ...(assay ? [assay] : []),
        ...open,
      ]),
    ),
    cells: timeCells(cases),
    notes: [
      'The load generators use the same cores of the machine as the two servers.',
      ...casesOf(cases, lineOf(SMALL_BODY, PEER)).flatMap(({ facts: { why } }) =>
        why === undefined ? [] : [`The API server of Kubernetes was not measured: ${why}.`],
      ),
    ],
  };
}

function smallText({ assay, bare, beside }: BodyFigures, lowest: CaseFigures | undefined): string {
  const rate = assay && rateOf(assay);
  const bareRate = bare && rateOf(bare);
  // A few rounds allow no conclusion.
  const ratio =
    beside?.kind === 'tooFew'
      ? `${countText(bareRate)} by a server that only parses (too few rounds for a ratio)`
      : `${shareText(beside?.ratio)} of a server that only parses`;
  const [p50, p99] = ['p50', 'p99'].map((what) => lowest && numberOf(lowest, what));
  const at99 = p99 === undefined ? '' : `, ${timeText(p99)} at the 99th percentile`;
  return `one small object: ${countText(rate && Math.round(rate))} requests/s at most, ${ratio}; time that users wait if they send ${shareText(LOWEST_SHARE)} of these requests: ${timeText(p50)} at the median${at99}`;
}

/** Returns a chart of the latency that users experience, by request rate. */
function waitingChart(open: readonly CaseFigures[]): Chart {
  const [highest] = PERCENTILES.flatMap(([what, name]) =>
    pointsOf({ cases: open, what })
      .slice(-1)
      .map(({ x, y }) => ({ name, x, y })),
  );
  return growthChart({
    id: 'waiting',
    title:
      highest === undefined
        ? 'What users wait, by rate'
        : `At ${countText(highest.x)} requests/s users wait ${timeText(highest.y)} (${highest.name})`,
    subtitle:
      'Latency of POST /evaluate with one small object at several request rates. Each rate is a share of the rate at *saturation*, the most requests a second that the service can answer. Requests start at a fixed rate (an open load), and the latency begins when a request was due.',
    x: { label: 'requests a second', unit: 'count' },
    y: { label: 'latency', unit: 'ms' },
    lines: PERCENTILES.map(([what, name], i) => ({
      name,
      role: (['shipped', 'experiment', 'assay'] as const)[i] ?? 'peer',
      cases: open,
      what,
    })),
    reading:
      'If a line bends upwards, requests wait in a growing queue. A percentile is shown only if at least ten samples are above it. The table also has the latencies at saturation, where each connection sends its next request after the last answer (a closed load).',
    notShown:
      'rates at which the client was late or the service was too slow (see the table), the network, and clients that are slower than this machine.',
  });
}

function throughputChart(cases: readonly CaseFigures[], bodies: readonly BodyFigures[]): Chart {
  const ways = [
    [ASSAY, 'assay'],
    [BARE, 'reference'],
    [PEER, 'shipped'],
  ] as const;
  const shares = bodies.flatMap(({ name, beside }) => (beside?.kind === 'compared' ? [`${name} ${shareText(beside.ratio)}`] : []));
  return {
    kind: 'dots',
    id: 'throughput',
    title:
      shares.length === 0
        ? 'Requests that Assay answers, compared with a server that only parses: too few rounds for a ratio'
        : `Requests that Assay answers, as a share of a server that only parses: ${shares.join(', ')}`,
    subtitle:
      'The most requests a second that each server can answer, sent by the program autocannon as a closed load. The servers were measured in turns; median of the rounds.',
    x: { label: 'requests a second', unit: 'count' },
    rows: bodies.map(({ name }) => ({
      name,
      values: ways.flatMap(([series, role]) =>
        pointsOf({ cases: casesOf(cases, lineOf(name, series)), what: 'rate' }).map(({ y: value, lo, hi }) => ({
          series,
          role,
          value,
          lo,
          hi,
        })),
      ),
    })),
    reading:
      'The bars show the slowest and the fastest round. Assay answers fewer requests than the server that only parses. The reason is that Assay also cuts the request into documents, sends them to the threads of the engine, judges them, and writes their verdicts.',
    notShown: 'latency (see above), batches (see the section batch-size), and several processes (see the section replicas).',
  };
}

function shareClaim({ name, beside }: BodyFigures): ReportClaim {
  return {
    source: 'aim of this project',
    claim: `Assay answers at least ${shareText(WANTED_SHARE)} as many requests a second as a bare Fastify server that only parses the same bytes. Body of each request: ${withListTitles(name)}`,
    system: 'Assay',
    found: beside === undefined ? NOT_MEASURED : `Assay answers, as a share of the other server: ${comparisonText(beside)}`,
    verdict: beside === undefined ? 'not measured' : shareVerdict(beside),
  };
}

function shareVerdict(beside: PairComparison): ReportClaim['verdict'] {
  if (beside.kind === 'tooFew') return 'undecided';
  return beside.lo >= WANTED_SHARE ? 'holds' : beside.hi < WANTED_SHARE ? 'fails' : 'undecided';
}
