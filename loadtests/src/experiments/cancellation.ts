import { writeJson } from '#go';
import { latestServer } from '#kube';
import { checkOptions, definitionText } from '#evaluation';
import type { ChunkSettings, DocumentSlice } from '#evaluation';
import { EngineHost } from '#runner';
import { runChunk } from '#service';
import { countedText, NOT_MEASURED, timeText } from '#charts';
import type { Chart } from '#charts';
import type { Lab } from '../lab.ts';
import { closedLoad } from '../load/closed-load.ts';
import { startFleet } from '../load/start-fleet.ts';
import { startService } from '../load/start-service.ts';
import { answerByDeadline, stopOverHttp } from '../load/stop-over-http.ts';
import type { Deadline, StopWay, Stop, StoppedSystem } from '../load/stop-over-http.ts';
import { Latencies, latencyText } from '../measure/latencies.ts';
import type { LatencySummary } from '../measure/latencies.ts';
import { median } from '#benchmark';
import { extent } from '../measure/quotient.ts';
import { equalGate } from '../result/gates.ts';
import { medianCell } from '../result/report-cell.ts';
import { missing, sentence } from '../result/sentence.ts';
import type { ReportClaim, Table } from '../result/summary.ts';
import { smallBody } from '../workloads/request-bodies.ts';
import { probeDefinition, probeObject } from '../workloads/long-work.ts';
import type { LongWork } from '../workloads/long-work.ts';
import type { Experiment, Findings } from './experiment.ts';

const SAMPLES = { quick: 5, full: 200 } as const;
/** Stops over HTTP, each of work that has to begin first. */
const HTTP_SAMPLES = { quick: 2, full: 40 } as const;
const DEADLINES = { quick: 2, full: 40 } as const;
const DEADLINE_MS = 500;
/** An answer so long after its deadline is still in time, ms: the grace of a thread. */
const GRACE_MS = 300;
/** Fewer answers conclude nothing. */
const FEWEST_ANSWERS = 10;
/** Load beside the requests with a deadline: objects a request, and connections. */
const BESIDE = { objects: 250, connections: 3 } as const;
/** Longer than any of it takes: the load is ended. */
const LONGEST_SECONDS = 900;
const THREADS = 2;
const ENDINGS: readonly StopWay[] = ['DELETE', 'hang-up'];
const KINDS: readonly LongWork[] = ['deep equality', 'one long list', 'pattern in a rule', 'parse and walk of 3 MB'];
/** Work is cancelled this long after it began, ms: spread, so that every part of it is hit. */
const spread = (sample: number): number => 5 + ((sample * 37) % 90);
/** Objects of a chunk: enough that the work outlasts the spread, and no more than a chunk of the service would hold in bytes, an object apart. */
const ITEMS: Readonly<Record<LongWork, number>> = {
  'deep equality': 1,
  'one long list': 6,
  'pattern in a rule': 2,
  'parse and walk of 3 MB': 2,
};
const BUCKETS = [1, 2, 5, 10, 20, 50, 100, 300, 1000, Number.POSITIVE_INFINITY] as const;

/** Stops and deadlines as far as the lab got; what it did not reach is missing. */
export interface CancellationData {
  /** In the engine host, by kind of work. */
  readonly kinds: readonly StopTimes[];
  readonly stops: readonly HttpStops[];
  readonly deadlines: readonly Deadline[];
}

/** How long after the wish to stop does the work really stop? */
export const cancellation: Experiment<CancellationData> = {
  name: 'cancellation',
  question: 'How long does running work go on after it was cancelled, and are deadlines kept under load?',
  async measure(lab) {
    const { stops, deadlines } = await overHttp(lab);
    const host = new EngineHost({ threads: 1 });
    await host.start();
    const kinds: StopTimes[] = [];
    try {
      for await (const kind of lab.each(KINDS)) {
        lab.say(kind);
        kinds.push({ name: kind, times: await stopTimes(host, kind, lab.of(SAMPLES), lab.signal) });
      }
    } finally {
      host.stop();
    }
    return { kinds, stops, deadlines };
  },
  findings,
};

/** ms until work stood still. */
interface StopTimes {
  readonly name: string;
  readonly times: readonly number[];
}

/** The same over HTTP, where a client ends the work. */
interface HttpStops extends StopTimes {
  readonly samples: number;
  /** Of those ended by DELETE, how many the service then calls cancelled. */
  readonly cancelled: number | undefined;
}

/** Whole services: embedded always, over Redis in full runs. */
async function overHttp(lab: Lab): Promise<{ readonly stops: HttpStops[]; readonly deadlines: Deadline[] }> {
  const stops: HttpStops[] = [];
  const service = await startService({ ASSAY_THREADS: String(THREADS) });
  let deadlines: Deadline[];
  try {
    for await (const ending of lab.each(ENDINGS)) {
      lab.say(`${ending}, embedded`);
      stops.push(await endings(lab, ending, { url: service.url, engines: [service.url], slots: THREADS }, ending));
    }
    deadlines = await underLoad(lab, service.url);
  } finally {
    await service.stop();
  }
  const fleet = lab.thoroughness === 'full' && !lab.over ? await startFleet({}, { threads: THREADS }) : undefined;
  if (!fleet) return { stops, deadlines };
  try {
    for await (const ending of lab.each(ENDINGS)) {
      lab.say(`${ending}, a node over Redis`);
      stops.push(await endings(lab, `${ending}, Redis`, { url: fleet.url, engines: [fleet.url], slots: THREADS }, ending));
    }
  } finally {
    await fleet.stop();
  }
  return { stops, deadlines };
}

async function endings(lab: Lab, name: string, system: StoppedSystem, ending: StopWay): Promise<HttpStops> {
  const stops: Stop[] = [];
  for (let sample = 0; sample < lab.of(HTTP_SAMPLES) && !lab.over; sample++) stops.push(await stopOverHttp(system, ending, sample));
  return {
    name,
    samples: stops.length,
    times: stops.flatMap(({ ms }) => ms ?? []),
    cancelled: ending === 'DELETE' ? stops.filter(({ state }) => state === 'cancelled').length : undefined,
  };
}

/** Requests with a deadline, one after the other, while other clients keep all threads busy. */
async function underLoad(lab: Lab, url: string): Promise<Deadline[]> {
  const deadlines: Deadline[] = [];
  const done = new AbortController();
  const body = smallBody(BESIDE.objects);
  const beside = closedLoad(`${url}/evaluate`, body.text, {
    expected: body.accepted,
    connections: BESIDE.connections,
    seconds: LONGEST_SECONDS,
    signal: done.signal,
  });
  try {
    for await (const sample of lab.each(Array.from({ length: lab.of(DEADLINES) }, (_, i) => i))) {
      if (sample === 0) lab.say(`deadlines of ${DEADLINE_MS} ms under load`);
      deadlines.push(await answerByDeadline(url, DEADLINE_MS));
    }
  } finally {
    done.abort();
    await beside;
  }
  return deadlines;
}

/** Stops of one row, of which there is at least one. */
interface Row extends StopTimes {
  readonly middle: number;
  readonly longest: number;
}

const rowsOf = (all: readonly StopTimes[]): Row[] =>
  all.flatMap(({ name, times }) => {
    const [middle, range] = [median(times), extent(times)];
    return middle === undefined || range === undefined ? [] : [{ name, times, middle, longest: range.most }];
  });

function findings({ kinds, stops, deadlines }: CancellationData): Findings {
  const rows = rowsOf([...kinds, ...stops]);
  const late = deadlines.map(({ ms }) => ms - DEADLINE_MS);
  return {
    finding: sentence([
      engineText(rowsOf(kinds)),
      late.length === 0
        ? undefined
        : `under load, answers with a deadline come ${timeText(median(late))} after it at the median, ${timeText(extent(late)?.most)} at the most`,
      missing([
        ...KINDS.filter((kind) => !rows.some(({ name }) => name === kind)),
        ...ENDINGS.filter((ending) => !rows.some(({ name }) => name === ending)).map((ending) => `${ending} over HTTP`),
        ...(late.length === 0 ? ['deadlines under load'] : []),
      ]),
    ]),
    charts: stopChart(rows),
    tables: [stopTable(rows, stops), ...(deadlines.length > 0 ? [deadlineTable(deadlines, late)] : [])],
    claims: [deadlineClaim(late)],
    gates: [
      ...stops.flatMap(({ name, samples, cancelled }) =>
        cancelled === undefined
          ? []
          : [equalGate(`${name}: evaluations that are then cancelled`, 'invariant', samples, samples === 0 ? undefined : cancelled)],
      ),
      equalGate(
        'items past their deadline: judged before, or answered with 408',
        'verdicts',
        sum(deadlines.map(({ items }) => items)),
        deadlines.length === 0 ? undefined : sum(deadlines.map(({ judged, tooLate }) => judged + tooLate)),
      ),
    ],
    cells: [...rows, { name: 'after the deadline', times: late }].flatMap(({ name, times }) =>
      medianCell({ id: name, unit: 'ms', samples: times }),
    ),
  };
}

function engineText(engine: readonly Row[]): string | undefined {
  const [middle, longest] = [extent(engine.map((row) => row.middle)), extent(engine.map((row) => row.longest))];
  return (
    middle && longest && `cancelled work stops within ${timeText(middle.most)} at the median and ${timeText(longest.most)} at the most`
  );
}

function stopChart(rows: readonly Row[]): Chart[] {
  return [
    {
      kind: 'dots',
      id: 'stop',
      title: `All work that was measured stopped within ${timeText(extent(rows.map(({ longest }) => longest))?.most)}`,
      subtitle:
        'From the wish to stop, at moments spread over the work, to the answer of the engine host; over HTTP (DELETE, and hang-up: the client closes its connection), until all engines stand still.',
      x: { label: 'time until stopped', unit: 'ms' },
      rows: rows.map(({ name, middle, longest }) => ({
        name,
        values: [
          { series: 'median', role: 'assay' as const, value: middle },
          { series: 'longest', role: 'shipped' as const, value: longest },
        ],
      })),
      verticals: [{ x: GRACE_MS, label: 'grace: then the thread is ended' }],
      reading:
        'Rules and walks poll a shared flag every few hundred steps. What Node does without a pause, such as reading 3 MB, ends first. Over HTTP the rows hold the request, the way to all engines, and the polling (every few ms).',
      notShown: 'the network between client and service.',
    },
  ];
}

function stopTable(rows: readonly Row[], stops: readonly HttpStops[]): Table {
  const unseen = stops.filter(({ samples, times }) => times.length < samples);
  return {
    title: 'Time until stopped, ms',
    columns: ['work', 'samples', 'p50', 'p90', 'p99', 'max', 'histogram (up to ms: samples)'],
    rows: rows.map(({ name, times }) => {
      const { samples, p50, p90, p99, max } = summaryOf(times);
      return [name, String(samples), ...[p50, p90, p99, max].map(latencyText), histogramText(times)];
    }),
    notes: [
      'A percentile with fewer than ten samples above it is not told. Passing messages between the processes is included.',
      ...unseen.map(
        ({ name, samples, times }) => `${name}: of ${countedText(samples, 'stop')} ${samples - times.length} were not seen to end.`,
      ),
    ],
  };
}

const sum = (figures: readonly number[]): number => figures.reduce((all, one) => all + one, 0);

function deadlineTable(deadlines: readonly Deadline[], late: readonly number[]): Table {
  return {
    title: `Answers to requests with a deadline of ${DEADLINE_MS} ms on work of seconds, under load`,
    columns: ['requests', 'after the deadline, median', 'longest', 'items', 'judged in time', 'answered with 408'],
    rows: [
      [
        String(deadlines.length),
        timeText(median(late)),
        timeText(extent(late)?.most),
        ...(['items', 'judged', 'tooLate'] as const).map((key) => String(sum(deadlines.map((one) => one[key])))),
      ],
    ],
    notes: [
      `Beside them, ${BESIDE.connections} connections send ${BESIDE.objects} small objects a request without a pause, to ${THREADS} threads. Sending some megabytes, which the deadline does not count, is in the times.`,
    ],
  };
}

function deadlineClaim(late: readonly number[]): ReportClaim {
  const within = late.filter((ms) => ms <= GRACE_MS).length;
  return {
    source: 'aim of this project',
    claim: `a request is answered within ${GRACE_MS} ms of its deadline, under load too`,
    system: 'Assay',
    found: late.length === 0 ? NOT_MEASURED : `${within} of ${late.length}; ${timeText(extent(late)?.most)} at the most`,
    verdict: deadlineVerdict(late.length, within),
  };
}

function deadlineVerdict(all: number, within: number): ReportClaim['verdict'] {
  if (all === 0) return 'not measured';
  if (all < FEWEST_ANSWERS) return 'undecided';
  if (within === all) return 'holds';
  return within === 0 ? 'fails' : 'in part';
}

function summaryOf(times: readonly number[]): LatencySummary {
  const latencies = new Latencies();
  for (const time of times) latencies.add(time);
  return latencies.summary();
}

async function stopTimes(host: EngineHost, kind: LongWork, samples: number, signal: AbortSignal): Promise<number[]> {
  const slice: DocumentSlice = { bytes: Buffer.from(writeJson(probeDefinition(kind))), notation: 'json' };
  const text = definitionText(slice, latestServer());
  const items = Array.from({ length: ITEMS[kind] }, (): DocumentSlice => ({
    bytes: Buffer.from(probeObject(kind)),
    notation: 'json',
  }));
  const options = checkOptions({ costLimits: { perCall: 'unlimited', perObject: 'unlimited' } });
  if (!options.ok) throw new Error(options.status.message);
  const settings: ChunkSettings = {
    options: options.value,
    definitions: [{ digest: text.digest, group: 'probes.assay.example.com', kind: 'Probe' }],
    refused: [],
    deadlineAt: Number.MAX_SAFE_INTEGER,
    traceparent: undefined,
  };
  const times: number[] = [];
  for (let sample = 0; sample < samples && !signal.aborted; sample++) {
    const controller = new AbortController();
    const running = runChunk(host, { evaluation: 'e', index: 0, firstItem: 0, items, settings }, [text], { signal: controller.signal });
    await new Promise((resolve) => setTimeout(resolve, spread(sample)));
    const started = performance.now();
    controller.abort();
    const { result } = await running;
    if (result.tally.cancelled > 0) times.push(performance.now() - started);
  }
  return times;
}

function histogramText(times: readonly number[]): string {
  let from = 0;
  return BUCKETS.flatMap((to) => {
    const count = times.filter((time) => time >= from && time < to).length;
    from = to;
    return count === 0 ? [] : [`${to === Number.POSITIVE_INFINITY ? 'more' : to}: ${count}`];
  }).join(', ');
}
