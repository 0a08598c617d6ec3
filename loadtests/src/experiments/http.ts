import { closedLoad } from '../load/closed-load.ts';
import type { ClosedLoad } from '../load/closed-load.ts';
import { failuresOf, loadTable, toldLatencies } from '../load/load-table.ts';
import { openLoad } from '../load/open-load.ts';
import type { OpenLoad } from '../load/open-load.ts';
import { slowTraces } from '../load/slow-traces.ts';
import { startBareServer } from '../load/start-bare-server.ts';
import { startService } from '../load/start-service.ts';
import { startTogether } from '../load/start-together.ts';
import { measureApiServer } from '../engines/go-api-server.ts';
import type { ApiServerFigures } from '../engines/go-api-server.ts';
import type { Lab } from '../lab.ts';
import { countText, timeText } from '../measure/figures.ts';
import { FEWEST_ROUNDS, pairedRatio } from '../measure/paired-ratio.ts';
import type { Ratio } from '../measure/paired-ratio.ts';
import { median } from '../measure/percentile.ts';
import { shuffled } from '../../../testing/seeded-random.ts';
import { equalGate } from '../result/equal-gate.ts';
import type { Chart } from '../result/chart.ts';
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
  { share: 0.1, role: 'ours' },
  { share: 0.5, role: 'shipped' },
  { share: 0.8, role: 'peer' },
] as const;
const LOWEST = RATES[0].share;
/** Throughput wanted, as a share of the bare server's. */
const WANTED_SHARE = 0.8;
/** Median wanted for one small object, ms. */
const WANTED_MS = 3;

/** From a client's request to its answer, beside a server that does nothing but parse. */
export const http: Experiment = {
  name: 'http',
  question: 'What does the way through HTTP cost, and what do users wait?',
  async run(lab) {
    const bodies = [smallBody(1), ...KEP_LISTS.slice(0, lab.of(LISTS)).map(listRequest)];
    const figures: BodyFigures[] = [];
    const [ours, bare] = await startTogether([() => startService(), startBareServer]);
    try {
      const urls = { ours: `${ours.url}/evaluate`, bare: `${bare.url}/evaluate` };
      for await (const body of lab.each(bodies)) figures.push(await measure(lab, body, urls));
    } finally {
      await Promise.all([ours.stop(), bare.stop()]);
    }
    const peer = lab.thoroughness === 'quick' ? 'only in full runs' : lab.over ? 'the run was stopped' : await measureApiServer();
    const traces = await slowTraces(
      figures.flatMap(({ body, open }) => open.map(({ share, load }) => ({ name: `${body.name}, ${percent(share)}`, load }))),
    );
    // A load that Ctrl-C ended before its first answer is no figure.
    const loaded = figures.filter(({ ours, bare }) => median(ours) > 0 && median(bare) > 0);
    const unanswered = figures.filter((one) => !loaded.includes(one)).map(({ body }) => body.name);
    return findings(loaded, { unanswered, peer, traces, seed: lab.seed });
  },
};

interface BodyFigures {
  readonly body: EvaluateBody;
  readonly connections: number;
  /** Requests a second at saturation, a figure a round. */
  readonly ours: readonly number[];
  readonly bare: readonly number[];
  /** The closed loads of ours, one a round. */
  readonly closed: readonly ClosedLoad[];
  readonly open: readonly { readonly share: number; readonly load: OpenLoad }[];
}

/** Both servers in turns at saturation, then ours at fixed rates. */
async function measure(lab: Lab, body: EvaluateBody, urls: { readonly ours: string; readonly bare: string }): Promise<BodyFigures> {
  const { signal } = lab;
  const size = body.text.length > LARGE_BYTES ? 'large' : 'small';
  const connections = CONNECTIONS[size];
  const answered: Record<'ours' | 'bare', ClosedLoad[]> = { ours: [], bare: [] };
  const load = (server: 'ours' | 'bare', length: { readonly seconds: number } | { readonly requests: number }): Promise<ClosedLoad> =>
    closedLoad(urls[server], body.text, {
      connections,
      ...length,
      signal,
      expected: server === 'ours' ? body.accepted : (answer) => answer.startsWith('{"members"'),
    });
  for (const server of ['ours', 'bare'] as const)
    await load(server, { requests: lab.of<Readonly<Record<'small' | 'large', number>>>(WARM_UP_REQUESTS)[size] });
  for (let round = 0; round < lab.of(ROUNDS) && (round === 0 || !lab.over); round++) {
    lab.say(`${body.name}: closed load, round ${round + 1}`);
    for (const server of shuffled(['ours', 'bare'] as const, lab.random))
      answered[server].push(await load(server, { seconds: lab.of(CLOSED_SECONDS) }));
  }
  const rates = (server: 'ours' | 'bare'): number[] => answered[server].map(({ requestsPerSecond }) => requestsPerSecond);
  const saturation = median(rates('ours'));
  const open: BodyFigures['open'][number][] = [];
  for await (const { share } of lab.each(saturation > 0 ? RATES : [])) {
    lab.say(`${body.name}: open load, ${countText(share * saturation)} requests/s`);
    const load = await openLoad({
      url: urls.ours,
      body: body.text,
      rate: share * saturation,
      seconds: lab.of(OPEN_SECONDS),
      expected: body.accepted,
      signal,
    });
    open.push({ share, load });
  }
  return { body, connections, ours: rates('ours'), bare: rates('bare'), closed: answered.ours, open };
}

const percent = (share: number): string => `${(share * 100).toFixed(0)} %`;

interface Beside {
  /** Bodies to which no answer came within a round. */
  readonly unanswered: readonly string[];
  /** The API server of Kubernetes with the same small object, or why it was not measured. */
  readonly peer: ApiServerFigures | string;
  readonly traces: ExperimentResult['traces'];
  readonly seed: number;
}

function findings(figures: readonly BodyFigures[], { unanswered, peer, traces, seed }: Beside): Findings {
  const ratios = figures.map((one) => ({ ...one, ratio: pairedRatio(one.ours, one.bare, seed) }));
  const small = ratios.find(isSmall);
  const lowest = small?.open.find(({ share }) => share === LOWEST)?.load;
  const waits = lowest && toldLatencies(lowest);
  const sent = (one: BodyFigures): number =>
    sum(one.closed.map(({ requests }) => requests)) + sum(one.open.map(({ load }) => load.due - load.dropped));
  const failed = (one: BodyFigures): number =>
    sum(one.closed.map(({ failures }) => failures)) + sum(one.open.map(({ load }) => failuresOf(load)));
  return {
    finding:
      small === undefined
        ? 'Nothing was measured'
        : `One small object: ${countText(Math.round(median(small.ours)))} requests/s at saturation, ${shareText(small)}; ${
            waits?.p50 == null
              ? 'what users wait could not be told'
              : `at ${percent(LOWEST)} of that rate users wait ${timeText(waits.p50)} at the median${waits.p99 === null ? '' : ` and ${timeText(waits.p99)} at the 99th percentile`}`
          }`,
    charts: [...figures.filter(isSmall).flatMap(latencyChart), ...(ratios.length > 0 ? [throughputChart(ratios, peer)] : [])],
    tables: [
      loadTable(
        'What was sent, and how long answers took',
        figures.flatMap(({ body, connections, closed, open }) => [
          ...closed.slice(-1).map((load) => ({ name: `${body.name}: closed, ${connections} connections, last round`, load })),
          ...open.map(({ share, load }) => ({ name: `${body.name}: open, ${percent(share)} of saturation`, load })),
        ]),
      ),
    ],
    claims: claims(ratios, waits?.p50 ?? null),
    gates: figures.map((one) =>
      equalGate(
        `${one.body.name}: answers that accept the object, or refuse the request with 429 under open load`,
        'verdicts',
        sent(one),
        sent(one) - failed(one),
      ),
    ),
    cells: ratios.flatMap(({ body, ours, bare }) =>
      Object.entries({ ours, bare }).map(([server, samples]) => ({
        id: `${body.name}/${server}`,
        unit: 'per second' as const,
        samples: [...samples],
        statistic: 'median' as const,
        value: samples.length === 0 ? null : median(samples),
        larger: true,
      })),
    ),
    notes: [
      'The load generators share the machine’s cores with the servers, ours and the bare one alike.',
      ...unanswered.map((name) => `${name}: no answer came within a round, so there are no figures.`),
      ...(typeof peer === 'string' ? [`The API server of Kubernetes was not measured: ${peer}.`] : []),
    ],
    traces: [...traces],
  };
}

/** The share of the bare server's rate; nothing is concluded from few rounds. */
const shareText = ({ bare, ratio: { ratio, rounds } }: BodyFigures & { readonly ratio: Ratio }): string =>
  rounds < FEWEST_ROUNDS
    ? `where a server that only parses takes ${countText(Math.round(median(bare)))} (too few rounds for a ratio)`
    : `${percent(ratio)} of a server that only parses`;
const isSmall = ({ body }: BodyFigures): boolean => body.text.length <= LARGE_BYTES;
const sum = (figures: readonly number[]): number => figures.reduce((all, one) => all + one, 0);

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
              name: `open at ${percent(share)}`,
              role: RATES.find((rate) => rate.share === share)?.role ?? 'peer',
              latencies,
            },
          ]
        : [];
    }),
  ].filter(({ latencies }) => latencies.curve.length > 0);
  if (loads.length === 0) return [];
  const refused = open.filter(({ load }) => toldLatencies(load) === undefined);
  const slowest = loads.toSorted((a, b) => (b.latencies.p90 ?? 0) - (a.latencies.p90 ?? 0))[0];
  return [
    {
      kind: 'latencies',
      id: 'waiting',
      title: `${body.name[0]?.toUpperCase()}${body.name.slice(1)}: 90 % are answered within ${timeText(slowest?.latencies.p90 ?? Number.NaN)} under the heaviest load told`,
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
      notShown: `${refused.length > 0 ? `open load at ${refused.map(({ share }) => percent(share)).join(' and ')} (refused, see the table); ` : ''}the network, and clients slower than this machine.`,
    },
  ];
}

function throughputChart(figures: readonly (BodyFigures & { readonly ratio: Ratio })[], peer: ApiServerFigures | string): Chart {
  const small = figures.find(isSmall);
  const best = figures.toSorted((a, b) => b.ratio.ratio - a.ratio.ratio)[0];
  return {
    kind: 'dots',
    id: 'throughput',
    title:
      small === undefined || best === undefined
        ? 'Nothing was measured'
        : [small, best].some(({ ratio }) => ratio.rounds < FEWEST_ROUNDS)
          ? 'Requests taken beside those of a server that only parses: too few rounds for a ratio'
          : small === best
            ? `${percent(small.ratio.ratio)} of what a server reaches that only parses`
            : `${percent(small.ratio.ratio)} of what a server reaches that only parses, ${percent(best.ratio.ratio)} for ${best.body.name}`,
    subtitle: 'Requests a second at saturation, closed load by autocannon, in turns; median of the rounds.',
    x: { label: 'requests a second', unit: 'count' },
    rows: figures.map(({ body, ours, bare }) => ({
      name: body.name,
      values: [
        { series: 'ours', role: 'ours', value: median(ours), lo: Math.min(...ours), hi: Math.max(...ours) },
        {
          series: 'Fastify that parses the bytes in a thread',
          role: 'reference',
          value: median(bare),
          lo: Math.min(...bare),
          hi: Math.max(...bare),
        },
        ...(body === small?.body && typeof peer !== 'string'
          ? [{ series: 'API server of Kubernetes, dry run', role: 'shipped' as const, value: peer.perSecond }]
          : []),
      ],
    })),
    reading:
      'Bars are the slowest and fastest round. The distance is what cutting the envelope, the way to the engine’s process and threads, judging, and the answer take.',
    notShown: 'latency (see above); batches (see batch-size); and more processes (see replicas).',
  };
}

function claims(figures: readonly (BodyFigures & { readonly ratio: Ratio })[], p50: number | null): ReportClaim[] {
  const small = figures.find(isSmall);
  return [
    ...figures.map(({ body, ratio: { ratio, lo, hi, rounds } }): ReportClaim => ({
      source: 'aim of this project',
      claim: `${body.name}: at least ${percent(WANTED_SHARE)} of the requests that a bare Fastify takes which parses the same bytes in a thread`,
      system: 'ours',
      found: `${percent(ratio)} [${percent(lo)}, ${percent(hi)}], ${rounds} rounds`,
      verdict: rounds < FEWEST_ROUNDS ? 'undecided' : lo >= WANTED_SHARE ? 'holds' : hi < WANTED_SHARE ? 'fails' : 'undecided',
    })),
    ...(small === undefined
      ? []
      : [
          {
            source: 'aim of this project',
            claim: `a small object is answered within ${WANTED_MS} ms at the median, embedded`,
            system: 'ours',
            found: p50 === null ? 'not told: the open load was refused' : `${timeText(p50)} at ${percent(LOWEST)} of saturation, open load`,
            verdict: p50 === null ? ('undecided' as const) : p50 <= WANTED_MS ? ('holds' as const) : ('fails' as const),
          },
        ]),
  ];
}
