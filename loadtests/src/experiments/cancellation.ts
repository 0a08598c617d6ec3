import { writeJson } from '#go';
import { latestServer } from '#kube';
import { checkOptions, definitionText } from '#documents';
import type { ChunkSettings, DocumentSlice } from '#documents';
import { countedText, latencyText, NOT_MEASURED, timeText } from '#numbers';
import { EngineHost } from '#runner';
import { runChunk } from '#service';
import type { Chart } from '#report/charts';
import { median } from '#benchmark';
import type { Lab } from '../lab.ts';
import { closedLoad } from '../load/closed-load.ts';
import { startFleet } from '../load/start-fleet.ts';
import { startService } from '../load/start-service.ts';
import type { Service } from '../load/start-service.ts';
import { answerByDeadline, stopOverHttp } from '../load/stop-over-http.ts';
import type { Deadline, StopWay, Stop } from '../load/stop-over-http.ts';
import { latencySummary } from '../measure/latencies.ts';
import { extent } from '../measure/quotient.ts';
import { equalGate } from '../result/gates.ts';
import { missing, sentence } from '../result/sentence.ts';
import type { Gate, ReportClaim, Table } from '../result/summary.ts';
import { casesOf, numberOf, timeCells, timeOf } from '../study/study-report.ts';
import type { CaseFigures } from '../study/study.ts';
import { smallBody } from '../workloads/request-bodies.ts';
import { probeDefinition, probeObject } from '../workloads/long-work.ts';
import type { LongWork } from '../workloads/long-work.ts';
import type { Experiment, Findings } from './experiment.ts';

const SAMPLES = { quick: 5, full: 200 } as const;
/** Number of evaluations that are stopped over HTTP. An evaluation is stopped only after it has begun. */
const HTTP_SAMPLES = { quick: 2, full: 40 } as const;
const DEADLINES = { quick: 2, full: 40 } as const;
const DEADLINE_MS = 500;
/** Time in ms after a deadline within which an answer still counts as punctual. It equals the grace period of a thread. */
const GRACE_MS = 300;
/** Lowest number of answers from which a conclusion is drawn. */
const MIN_ANSWERS = 10;
/** Load that runs at the same time as the requests with a deadline: objects per request, and number of connections. */
const BESIDE = { objects: 250, connections: 3 } as const;
/** Highest duration of the load in seconds. It exceeds the whole measurement, which ends the load. */
const MAX_SECONDS = 900;
const THREADS = 2;
const ENDINGS: readonly StopWay[] = ['DELETE', 'hang-up'];
/**
 * Number of objects in a chunk, by kind of work. The work of a chunk takes longer than the latest cancellation, and the bytes of the chunk
 * stay below the service's limit for a chunk.
 */
const ITEMS: Readonly<Record<LongWork, number>> = {
  'deep equality': 1,
  'one long list': 6,
  'pattern in a rule': 2,
  'parse and walk of 3 MB': 2,
};
const KINDS = Object.keys(ITEMS) as LongWork[];
/**
 * Returns the delay in ms from the beginning of work to its cancellation. The delays are spread, so that every phase of the work is
 * interrupted.
 */
const spread = (sample: number): number => 5 + ((sample * 37) % 90);

/** Name of the line for answers to requests with a deadline under load. The times in this line are measured from the deadline on. */
export const DEADLINE_LINE = 'answer after its deadline, under load';
/**
 * Names of the lines about stopped work. There is one line for each kind of work in the engine host, and one for each way in which a client
 * ends an evaluation.
 */
export const STOP_LINES: readonly string[] = [...KINDS, ...ENDINGS];

/**
 * An experiment about the time from a cancellation to the end of the work. The size of a case is the number of objects in a chunk, or the
 * number of threads of a service.
 */
export const cancellation: Experiment<readonly CaseFigures[]> = {
  name: 'cancellation',
  question: 'For how long does work run after it was cancelled, and does the service meet deadlines under load?',
  async measure(lab) {
    const service = await startService({ ASSAY_THREADS: String(THREADS) });
    const cases = await finallyStopped(service, async () => [...(await endings(lab, service.url, '')), await underLoad(lab, service.url)]);
    const fleet = lab.thoroughness === 'full' && !lab.over ? await startFleet({}, { threads: THREADS }) : undefined;
    if (fleet) cases.push(...(await finallyStopped(fleet, () => endings(lab, fleet.url, ', Redis'))));
    return [...(await inEngineHost(lab)), ...cases];
  },
  findings,
};

async function finallyStopped<T>(service: Service, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } finally {
    await service.stop();
  }
}

/** Measures how fast each kind of work stops in a separate engine host. */
async function inEngineHost(lab: Lab): Promise<CaseFigures[]> {
  const host = new EngineHost({ threads: 1 });
  await host.start();
  const cases: CaseFigures[] = [];
  try {
    for await (const kind of lab.each(KINDS)) {
      lab.say(kind);
      cases.push({ line: kind, size: ITEMS[kind], times: { stop: await stopTimes(host, kind, lab) }, facts: {} });
    }
    return cases;
  } finally {
    host.stop();
  }
}

/**
 * Measures the time until work stops, for each way in which a client ends an evaluation over HTTP. After a DELETE request, also counts the
 * evaluations that the service reports as cancelled.
 */
async function endings(lab: Lab, url: string, place: string): Promise<CaseFigures[]> {
  const cases: CaseFigures[] = [];
  for await (const ending of lab.each(ENDINGS)) {
    lab.say(`${ending}${place}`);
    const stops: Stop[] = [];
    for (let sample = 0; sample < lab.of(HTTP_SAMPLES) && !lab.over; sample++)
      stops.push(await stopOverHttp({ url, slots: THREADS }, ending, sample));
    const cancelled = ending === 'DELETE' ? stops.filter(({ state }) => state === 'cancelled').length : undefined;
    const facts = { stops: stops.length, cancelled };
    cases.push({ line: `${ending}${place}`, size: THREADS, times: { stop: stops.flatMap(({ ms }) => ms ?? []) }, facts });
  }
  return cases;
}

/** Measures requests with a deadline, sent one after another, while other clients keep all threads busy. */
async function underLoad(lab: Lab, url: string): Promise<CaseFigures> {
  const answers: Deadline[] = [];
  const done = new AbortController();
  const body = smallBody(BESIDE.objects);
  const beside = closedLoad(`${url}/evaluate`, body.text, {
    expected: body.accepted,
    connections: BESIDE.connections,
    seconds: MAX_SECONDS,
    signal: done.signal,
  });
  try {
    for await (const sample of lab.each(Array.from({ length: lab.of(DEADLINES) }, (_, i) => i))) {
      if (sample === 0) lab.say(`deadlines of ${DEADLINE_MS} ms under load`);
      answers.push(await answerByDeadline(url, DEADLINE_MS));
    }
  } finally {
    done.abort();
    await beside;
  }
  const sum = (what: 'items' | 'judged' | 'tooLate'): number => answers.reduce((all, one) => all + one[what], 0);
  const facts = { items: sum('items'), judged: sum('judged'), tooLate: sum('tooLate') };
  return { line: DEADLINE_LINE, size: THREADS, times: { stop: answers.map(({ ms }) => ms - DEADLINE_MS) }, facts };
}

async function stopTimes(host: EngineHost, kind: LongWork, lab: Lab): Promise<number[]> {
  const slice: DocumentSlice = { bytes: Buffer.from(writeJson(probeDefinition(kind))), notation: 'json' };
  const text = definitionText(slice, latestServer());
  const items = Array.from({ length: ITEMS[kind] }, (): DocumentSlice => ({ bytes: Buffer.from(probeObject(kind)), notation: 'json' }));
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
  for (let sample = 0; sample < lab.of(SAMPLES) && !lab.signal.aborted; sample++) {
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

const mostOf = (times: readonly number[] = []): number | undefined => extent(times)?.most;
const longestOf = ({ times }: CaseFigures): number | undefined => mostOf(times['stop']);

function findings(cases: readonly CaseFigures[]): Findings {
  const [answers] = casesOf(cases, DEADLINE_LINE);
  const late = answers?.times['stop'] ?? [];
  const timed = cases.filter((one) => longestOf(one) !== undefined);
  const engine = timed.filter(({ line }) => KINDS.some((kind) => kind === line));
  const most = (figure: (one: CaseFigures) => number | undefined): string => timeText(mostOf(engine.flatMap((one) => figure(one) ?? [])));
  return {
    finding: sentence([
      engine.length === 0
        ? undefined
        : `cancelled work stops within ${most((one) => timeOf(one, 'stop'))} at the median and ${most(longestOf)} at the most`,
      late.length === 0
        ? undefined
        : `under load, answers come ${timeText(median(late))} after the deadline of their request at the median, ${timeText(mostOf(late))} at the most`,
      missing([...STOP_LINES, DEADLINE_LINE].filter((line) => casesOf(timed, line).length === 0)),
    ]),
    charts: [stopChart(timed)],
    tables: [stopTable(timed)],
    claims: [deadlineClaim(late)],
    gates: [
      ...cases
        .filter(({ line }) => line.startsWith('DELETE'))
        .map((one) => {
          const stops = numberOf(one, 'stops') ?? 0;
          const cancelled = stops === 0 ? undefined : numberOf(one, 'cancelled');
          return equalGate(`${one.line}: evaluations that are then cancelled`, 'invariant', stops, cancelled);
        }),
      deadlineGate(answers),
    ],
    cells: timeCells(cases),
  };
}

function stopChart(timed: readonly CaseFigures[]): Chart {
  return {
    kind: 'dots',
    id: 'stop',
    title: `All work that was measured stopped within ${timeText(mostOf(timed.flatMap((one) => longestOf(one) ?? [])))}`,
    subtitle:
      'Rows that name a kind of work show the time from a cancellation, at different moments of the work, to the answer of the engine. The rows DELETE and hang-up (the client closes its connection) show the time until all engine threads have stopped the work. The rows about deadlines show the time from a deadline to the answer.',
    x: { label: 'time until stopped', unit: 'ms' },
    rows: timed.map((one) => ({
      name: one.line,
      values: [
        { series: 'median', role: 'assay' as const, value: timeOf(one, 'stop') ?? 0 },
        { series: 'longest', role: 'shipped' as const, value: longestOf(one) ?? 0 },
      ],
    })),
    verticals: [{ x: GRACE_MS, label: 'grace: then the thread is ended' }],
    reading:
      'Assay checks a shared cancellation flag every few hundred steps. Work that Node does without a pause, such as reading 3 MB, ends before Assay can check the flag. The times of DELETE and hang-up include the HTTP request, the communication with all engine threads, and the polling of the test (every few ms).',
    notShown: 'the time of the network between client and service.',
  };
}

function stopTable(timed: readonly CaseFigures[]): Table {
  return {
    title: 'Time from a cancellation until the work stopped',
    columns: [
      'work, or way of cancelling',
      'measured cancellations',
      '50 % stopped within, ms',
      '90 % stopped within, ms',
      '99 % stopped within, ms',
      'longest time, ms',
    ],
    rows: timed.map(({ line, times }) => {
      const { samples, p50, p90, p99, max } = latencySummary(times['stop'] ?? []);
      return [line, String(samples), ...[p50, p90, p99, max].map(latencyText)];
    }),
    notes: [
      'A time is shown only if at least ten cancellations took longer. The times include the messages between the processes.',
      `The row about deadlines is about requests with a deadline of ${DEADLINE_MS} ms whose work would take seconds. At the same time, ${BESIDE.connections} connections send requests without a pause, each with ${BESIDE.objects} small objects, to a service with ${THREADS} threads. The times of this row include sending some megabytes to the client, which the deadline does not cover.`,
      ...timed.flatMap((one) => {
        const [stops = 0, seen = 0] = [numberOf(one, 'stops'), one.times['stop']?.length];
        return seen < stops ? [`${one.line}: of ${countedText(stops, 'stop')} ${stops - seen} were not seen to end.`] : [];
      }),
    ],
  };
}

function deadlineGate(answers: CaseFigures | undefined): Gate {
  const [items, judged, tooLate] = ['items', 'judged', 'tooLate'].map((what) => answers && numberOf(answers, what));
  return equalGate(
    'items past their deadline: judged before, or answered with 408',
    'verdicts',
    items ?? NOT_MEASURED,
    items === undefined || items === 0 || judged === undefined || tooLate === undefined ? undefined : judged + tooLate,
  );
}

function deadlineClaim(late: readonly number[]): ReportClaim {
  const within = late.filter((ms) => ms <= GRACE_MS).length;
  return {
    source: 'aim of this project',
    claim: `Assay answers each request at most ${GRACE_MS} ms after its deadline, even under load`,
    system: 'Assay',
    found:
      late.length === 0
        ? NOT_MEASURED
        : `${within} of ${late.length} requests; the latest answer came ${timeText(mostOf(late))} after its deadline`,
    verdict: deadlineVerdict(late.length, within),
  };
}

function deadlineVerdict(all: number, within: number): ReportClaim['verdict'] {
  if (all === 0) return 'not measured';
  if (all < MIN_ANSWERS) return 'undecided';
  if (within === all) return 'holds';
  return within === 0 ? 'fails' : 'in part';
}
