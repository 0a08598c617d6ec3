import { countedText, countText, NOT_MEASURED, shareText, timeText } from '#charts';
import type { Chart } from '#charts';
import { closedLoad } from '../load/closed-load.ts';
import type { ClosedLoad } from '../load/closed-load.ts';
import { answeredGate, loadTable, sentBy, toldLatencies } from '../load/load-table.ts';
import { openLoad } from '../load/open-load.ts';
import type { OpenLoad } from '../load/open-load.ts';
import { slowTraces } from '../load/slow-traces.ts';
import { startBareServer } from '../load/start-bare-server.ts';
import { startService } from '../load/start-service.ts';
import { startTogether } from '../load/start-together.ts';
import { measureApiServer } from '../engines/go-api-server.ts';
import type { ApiServerFigures } from '../engines/go-api-server.ts';
import type { Lab } from '../lab.ts';
import type { LatencySummary } from '../measure/latencies.ts';
import { compareRounds } from '../measure/compare-rounds.ts';
import { median } from '#benchmark';
import type { PairComparison } from '#benchmark';
import { measured } from '../measure/quotient.ts';
import { shuffled } from '../../../testing/seeded-random.ts';
import { medianCell } from '../result/report-cell.ts';
import { missing, sentence } from '../result/sentence.ts';
import type { ReportClaim, ExperimentResult } from '../result/summary.ts';
import { KEP_LISTS } from '../workloads/list-workload.ts';
import { listRequest, smallBody } from '../workloads/request-bodies.ts';
import type { EvaluateBody } from '../workloads/request-bodies.ts';
import type { Experiment, Findings } from './experiment.ts';

const ROUNDS = { quick: 2, full: 12 } as const;
const WARM_UP_REQUESTS = { quick: { small: 60, large: 4 }, full: { small: 3000, large: 60 } } as const;
const CLOSED_SECONDS = { quick: 0.35, full: 2 } as const;
const OPEN_SECONDS = { quick: 0.6, full: 20 } as const;
const LISTS = { quick: 1, full: KEP_LISTS.length } as const;
/** Connections of the closed load: enough that both cores always have work. */
const CONNECTIONS = { small: 8, large: 2 } as const;
const LARGE_BYTES = 100_000;
/**
 * Fixed rates, as shares of the rate at saturation, with their roles in the chart. At the first one users hardly wait for each other; where
 * client and servers share few cores, it may be the only one at which the client keeps time.
 */
const RATES = [
  { share: 0.1, role: 'assay' },
  { share: 0.5, role: 'shipped' },
  { share: 0.8, role: 'peer' },
] as const;
const LOWEST = RATES[0].share;
/** Throughput wanted, as a share of the bare server's. */
const WANTED_SHARE = 0.8;
/** Median wanted for one small object, ms. */
const WANTED_MS = 3;

/** What was measured of each body, as far as the lab got. */
export interface HttpData {
  readonly figures: readonly BodyFigures[];
  /** Bodies that were not reached. */
  readonly notReached: readonly string[];
  /** The API server of Kubernetes with the same small object, or why it was not measured. */
  readonly peer: ApiServerFigures | string;
  readonly traces: ExperimentResult['traces'];
}

/** From a client's request to its answer, beside a server that does nothing but parse. */
export const http: Experiment<HttpData> = {
  name: 'http',
  question: 'What does the way through HTTP cost, and what do users wait?',
  async measure(lab) {
    const bodies = [smallBody(1), ...KEP_LISTS.slice(0, lab.of(LISTS)).map(listRequest)];
    const figures: BodyFigures[] = [];
    const [assay, bare] = await startTogether([() => startService(), startBareServer]);
    try {
      const urls = { assay: `${assay.url}/evaluate`, bare: `${bare.url}/evaluate` };
      for await (const body of lab.each(bodies)) figures.push(await measureBody(lab, body, urls));
    } finally {
      await Promise.all([assay.stop(), bare.stop()]);
    }
    const peer = lab.thoroughness === 'quick' ? 'only in full runs' : lab.over ? 'the run was stopped' : await measureApiServer();
    const traces = await slowTraces(
      figures.flatMap(({ body, open }) => open.map(({ share, load }) => ({ name: `${body.name}, ${shareText(share)}`, load }))),
    );
    return { figures, notReached: bodies.slice(figures.length).map(({ name }) => name), peer, traces };
  },
  findings,
};

/** One body through both servers. */
export interface BodyFigures {
  readonly body: { readonly name: string; readonly bytes: number };
  readonly connections: number;
  /** Requests a second at saturation, a figure a round. */
  readonly assay: readonly number[];
  readonly bare: readonly number[];
  /** The closed loads of Assay, one a round. */
  readonly closed: readonly ClosedLoad[];
  readonly open: readonly { readonly share: number; readonly load: OpenLoad }[];
}

/** Both servers in turns at saturation, then Assay at fixed rates. */
async function measureBody(lab: Lab, body: EvaluateBody, urls: { readonly assay: string; readonly bare: string }): Promise<BodyFigures> {
  const { signal } = lab;
  const size = body.text.length > LARGE_BYTES ? 'large' : 'small';
  const connections = CONNECTIONS[size];
  const answered: Record<'assay' | 'bare', ClosedLoad[]> = { assay: [], bare: [] };
  const load = (server: 'assay' | 'bare', length: { readonly seconds: number } | { readonly requests: number }): Promise<ClosedLoad> =>
    closedLoad(urls[server], body.text, {
      connections,
      ...length,
      signal,
      expected: server === 'assay' ? body.accepted : (answer) => answer.startsWith('{"members"'),
    });
  for (const server of ['assay', 'bare'] as const)
    await load(server, { requests: lab.of<Readonly<Record<'small' | 'large', number>>>(WARM_UP_REQUESTS)[size] });
  for (let round = 0; round < lab.of(ROUNDS) && (round === 0 || !lab.over); round++) {
    lab.say(`${body.name}: closed load, round ${round + 1}`);
    for (const server of shuffled(['assay', 'bare'] as const, lab.random))
      answered[server].push(await load(server, { seconds: lab.of(CLOSED_SECONDS) }));
  }
  const rates = (server: 'assay' | 'bare'): number[] => answered[server].map(({ requestsPerSecond }) => requestsPerSecond);
  const saturation = median(rates('assay')) ?? 0;
  const open: BodyFigures['open'][number][] = [];
  for await (const { share } of lab.each(saturation > 0 ? RATES : [])) {
    lab.say(`${body.name}: open load, ${countText(share * saturation)} requests/s`);
    const load = await openLoad({
      url: urls.assay,
      body: body.text,
      rate: share * saturation,
      seconds: lab.of(OPEN_SECONDS),
      expected: body.accepted,
      signal,
    });
    open.push({ share, load });
  }
  return {
    body: { name: body.name, bytes: Buffer.byteLength(body.text) },
    connections,
    assay: rates('assay'),
    bare: rates('bare'),
    closed: answered.assay,
    open,
  };
}

const isSmall = ({ body }: BodyFigures): boolean => body.bytes <= LARGE_BYTES;

/** A body of which both servers were measured. */
type Compared = BodyFigures & { readonly beside: PairComparison; readonly rate: number; readonly bareRate: number };

function comparedOf(figures: readonly BodyFigures[]): Compared[] {
  return figures.flatMap((one) => {
    const [beside, rate, bareRate] = [compareRounds(one.bare, one.assay), median(one.assay), median(one.bare)];
    return beside.pairs === 0 || rate === undefined || bareRate === undefined ? [] : [{ ...one, beside, rate, bareRate }];
  });
}

function findings({ figures, notReached, peer, traces }: HttpData): Findings {
  const compared = comparedOf(figures);
  const small = compared.find(isSmall);
  const lowest = small?.open.find(({ share }) => share === LOWEST)?.load;
  const waits = lowest && toldLatencies(lowest);
  const without = figures.filter((one) => !compared.some(({ body }) => body === one.body)).map(({ body }) => body.name);
  return {
    finding: sentence([small && smallText(small, waits), missing([...notReached, ...without])]),
    charts: [...compared.filter(isSmall).flatMap(latencyChart), ...(compared.length > 0 ? [throughputChart(compared, peer)] : [])],
    tables: [
      loadTable(
        'What was sent, and how long answers took',
        figures.flatMap(({ body, connections, closed, open }) => [
          ...closed
            .slice(-1)
            .map((load) => ({ name: `${body.name}: closed, ${countedText(connections, 'connection')}, last round`, load })),
          ...open.map(({ share, load }) => ({ name: `${body.name}: open, ${shareText(share)} of saturation`, load })),
        ]),
      ),
    ],
    claims: [
      ...[...figures.map(({ body }) => body.name), ...notReached].map((name) =>
        shareClaim(name, compared.find(({ body }) => body.name === name)?.beside),
      ),
      waitClaim(waits?.p50 ?? undefined),
    ],
    gates: figures.map(({ body, closed, open }) =>
      answeredGate(
        `${body.name}: answers that accept the object, or refuse the request with 429 under open load`,
        [...closed, ...open.map(({ load }) => load)].map(sentBy),
      ),
    ),
    cells: figures.flatMap(({ body, assay, bare }) =>
      Object.entries({ Assay: assay, bare }).flatMap(([server, samples]) =>
        medianCell({ id: `${body.name}/${server}`, unit: 'per second', samples, larger: true }),
      ),
    ),
    notes: [
      'The load generators share the machine’s cores with both servers, Assay and the bare one alike.',
      ...without.map((name) => `${name}: no answer came within a round, so there are no figures.`),
      ...(typeof peer === 'string' ? [`The API server of Kubernetes was not measured: ${peer}.`] : []),
    ],
    traces: [...traces],
  };
}

function smallText(small: Compared, waits: LatencySummary | undefined): string {
  // Nothing is concluded from few rounds.
  const beside =
    small.beside.kind === 'tooFew'
      ? `where a server that only parses takes ${countText(Math.round(small.bareRate))} (too few rounds for a ratio)`
      : `${shareText(small.beside.ratio)} of a server that only parses`;
  const at99 = waits === undefined || waits.p99 === null ? '' : `, ${timeText(waits.p99)} at the 99th percentile`;
  return `one small object: ${countText(Math.round(small.rate))} requests/s at saturation, ${beside}; what users wait at ${shareText(LOWEST)} of that rate: ${timeText(waits?.p50 ?? undefined)}${at99}`;
}

/** The same small object under closed and open load; nothing where no load is told. */
function latencyChart({ body, connections, closed, open }: BodyFigures): Chart[] {
  const last = closed.at(-1);
  const loads = [
    ...(last ? [{ name: 'closed', role: 'experiment' as const, latencies: last.latencies }] : []),
    ...open.flatMap(({ share, load }) => {
      const latencies = toldLatencies(load);
      return latencies
        ? [
            {
              name: `open at ${shareText(share)}`,
              role: RATES.find((rate) => rate.share === share)?.role ?? 'peer',
              latencies,
            },
          ]
        : [];
    }),
  ].filter(({ latencies }) => latencies.curve.length > 0);
  if (loads.length === 0) return [];
  const refused = open.filter(({ load }) => toldLatencies(load) === undefined);
  const slowest = measured(loads, ({ latencies }) => latencies.p90 ?? undefined).toSorted((a, b) => b.value - a.value)[0];
  return [
    {
      kind: 'latencies',
      id: 'waiting',
      title: sentence([
        `${body.name}: ${slowest === undefined ? 'latencies by load' : `90 % are answered within ${timeText(slowest.value)} under the heaviest load told`}`,
      ]),
      subtitle: `Latency of POST /evaluate by share of requests: closed load on ${connections} connections at saturation, from sending (raw); open load at shares of that rate, from when a request was due.`,
      series: loads.map(({ name, role, latencies: { samples, curve, p99, p99Interval } }) => ({
        name,
        role,
        samples,
        curve: curve.map(([share, ms]) => [share, ms] as [number, number]),
        p99: p99 === null || p99Interval === null ? null : { value: p99, lo: p99Interval[0], hi: p99Interval[1] },
      })),
      reading:
        'A closed load waits for each answer, so at saturation its latency is the queue of its own connections, and stalls are met by few of its requests. What users wait at a rate is the open lines. A line ends where fewer than ten samples lie above.',
      notShown: `${refused.length > 0 ? `open load at ${refused.map(({ share }) => shareText(share)).join(' and ')} (refused, see the table); ` : ''}the network, and clients slower than this machine.`,
    },
  ];
}

function throughputChart(compared: readonly Compared[], peer: ApiServerFigures | string): Chart {
  return {
    kind: 'dots',
    id: 'throughput',
    title: throughputTitle(compared),
    subtitle: 'Requests a second at saturation, closed load by autocannon, in turns; median of the rounds.',
    x: { label: 'requests a second', unit: 'count' },
    rows: compared.map((one) => ({
      name: one.body.name,
      values: [
        { series: 'Assay', role: 'assay', value: one.rate, lo: Math.min(...one.assay), hi: Math.max(...one.assay) },
        {
          series: 'Fastify that parses the bytes in a thread',
          role: 'reference',
          value: one.bareRate,
          lo: Math.min(...one.bare),
          hi: Math.max(...one.bare),
        },
        ...(isSmall(one) && typeof peer !== 'string'
          ? [{ series: 'API server of Kubernetes, dry run', role: 'shipped' as const, value: peer.perSecond }]
          : []),
      ],
    })),
    reading:
      'Bars are the slowest and fastest round. The distance is what cutting the envelope, the way to the engine’s process and threads, judging, and the answer take.',
    notShown: 'latency (see above); batches (see batch-size); and more processes (see replicas).',
  };
}

function throughputTitle(compared: readonly Compared[]): string {
  const enough = compared.filter(({ beside }) => beside.kind === 'compared');
  if (enough.length === 0) return 'Requests taken beside those of a server that only parses: too few rounds for a ratio';
  const shares = enough.map(({ body, beside }) => `${body.name} ${shareText(beside.ratio)}`);
  return `Requests taken, of those of a server that only parses: ${shares.join(', ')}`;
}

/** `beside`: the bare server; undefined where one of both was not measured. */
function shareClaim(body: string, beside: PairComparison | undefined): ReportClaim {
  return {
    source: 'aim of this project',
    claim: `${body}: at least ${shareText(WANTED_SHARE)} of the requests that a bare Fastify takes which parses the same bytes in a thread`,
    system: 'Assay',
    found: beside === undefined ? NOT_MEASURED : `${shareText(beside.ratio)}${intervalText(beside)}, ${countedText(beside.pairs, 'round')}`,
    verdict: beside === undefined ? 'not measured' : shareVerdict(beside),
  };
}

const intervalText = (beside: PairComparison): string =>
  beside.kind === 'tooFew' ? '' : ` [${shareText(beside.lo)}, ${shareText(beside.hi)}]`;

function shareVerdict(beside: PairComparison): ReportClaim['verdict'] {
  if (beside.kind === 'tooFew') return 'undecided';
  return beside.lo >= WANTED_SHARE ? 'holds' : beside.hi < WANTED_SHARE ? 'fails' : 'undecided';
}

/** `p50`: ms at the lowest rate, undefined where the open load told none. */
function waitClaim(p50: number | undefined): ReportClaim {
  return {
    source: 'aim of this project',
    claim: `a small object is answered within ${WANTED_MS} ms at the median, embedded`,
    system: 'Assay',
    found: p50 === undefined ? NOT_MEASURED : `${timeText(p50)} at ${shareText(LOWEST)} of saturation, open load`,
    verdict: p50 === undefined ? 'not measured' : p50 <= WANTED_MS ? 'holds' : 'fails',
  };
}
