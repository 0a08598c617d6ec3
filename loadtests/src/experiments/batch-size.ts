import { CHUNK_LIMITS } from '#evaluation';
import { bytesText, countedText, countText, plotted, shareText, timesText, timeText } from '#charts';
import type { Chart } from '#charts';
import { closedLoad } from '../load/closed-load.ts';
import { startService } from '../load/start-service.ts';
import type { Lab, Choice } from '../lab.ts';
import { latencyText } from '../measure/latencies.ts';
import { median } from '#benchmark';
import { extent, measured, quotient } from '../measure/quotient.ts';
import { shuffled } from '../../../testing/seeded-random.ts';
import { equalGate } from '../result/gates.ts';
import { medianCell } from '../result/report-cell.ts';
import { missing, sentence } from '../result/sentence.ts';
import { smallBody } from '../workloads/request-bodies.ts';
import type { EvaluateBody } from '../workloads/request-bodies.ts';
import type { Experiment, Findings } from './experiment.ts';

const SIZES: Choice<readonly number[]> = {
  quick: [1, 10, 100, 1000, 10_000],
  full: [1, 3, 10, 30, 100, 250, 500, 1000, 3000, 10_000],
};
const ROUNDS = { quick: 2, full: 5 } as const;
/** Objects that a round sends, in as many requests as that makes, within bounds. */
const OBJECTS = { quick: 4000, full: 60_000 } as const;
const REQUESTS: Choice<{ readonly fewest: number; readonly most: number }> = {
  quick: { fewest: 2, most: 100 },
  full: { fewest: 20, most: 2000 },
};
const WARM_UP_REQUESTS = { quick: 20, full: 200 } as const;
/** One that waits, and one that fills the pause between its requests. */
const CONNECTIONS = 2;
/** Throughput of a size counts as full from this share of the best on. */
const NEARLY = 0.8;

/** What was measured of requests with so many objects; rates and times are empty where the lab ended before. */
export interface SizeFigures {
  readonly objects: number;
  /** Of the whole body. */
  readonly bytes: number;
  /** Objects a second, a figure a round. */
  readonly rates: readonly number[];
  /** ms of a request: the median of a round, or its longest where a round held too few requests for a median. */
  readonly times: readonly number[];
  readonly sent: number;
  readonly failed: number;
}

/** How many objects should a request hold? */
export const batchSize: Experiment<readonly SizeFigures[]> = {
  name: 'batch-size',
  question: 'How do throughput and latency depend on the number of objects in a request?',
  async measure(lab) {
    const service = await startService();
    const loads = lab.of(SIZES).map((objects): SizeLoad => ({ body: smallBody(objects), rates: [], times: [], sent: 0, failed: 0 }));
    try {
      const url = `${service.url}/evaluate`;
      await closedLoad(url, smallBody(CHUNK_LIMITS.items).text, {
        connections: CONNECTIONS,
        requests: lab.of(WARM_UP_REQUESTS),
        signal: lab.signal,
      });
      // Every size has a turn before any has a second.
      const turns = Array.from({ length: lab.of(ROUNDS) }, () => shuffled(loads, lab.random)).flat();
      for await (const one of lab.each(turns)) await measureRound(lab, url, one);
    } finally {
      await service.stop();
    }
    return loads.map(({ body, ...figures }) => ({ objects: body.objects, bytes: Buffer.byteLength(body.text), ...figures }));
  },
  findings,
};

interface SizeLoad {
  readonly body: EvaluateBody;
  readonly rates: number[];
  readonly times: number[];
  sent: number;
  failed: number;
}

async function measureRound(lab: Lab, url: string, figures: SizeLoad): Promise<void> {
  const { body } = figures;
  lab.say(body.name);
  const { fewest, most } = lab.of(REQUESTS);
  const requests = Math.max(fewest, Math.min(most, Math.round(lab.of(OBJECTS) / body.objects)));
  const load = await closedLoad(url, body.text, { connections: CONNECTIONS, requests, expected: body.accepted, signal: lab.signal });
  figures.sent += load.requests;
  figures.failed += load.failures;
  if (load.requests === 0) return;
  figures.rates.push(load.requestsPerSecond * body.objects);
  const time = load.latencies.p50 ?? load.latencies.max;
  if (time !== undefined) figures.times.push(time);
}

const rateOf = ({ rates }: SizeFigures): number | undefined => median(rates);

function findings(figures: readonly SizeFigures[]): Findings {
  const rates = measured(figures, rateOf);
  const best = rates.toSorted((a, b) => b.value - a.value)[0];
  const single = figures.find(({ objects }) => objects === 1);
  const gain = quotient(best?.value, single && rateOf(single));
  return {
    finding: sentence([best && bestText(best, rates, gain), missing(unmeasured(figures))]),
    charts: best === undefined ? [] : [throughputChart(figures, rates.length > 1 ? best.item : undefined, gain), latencyChart(figures)],
    tables: [
      {
        title: 'By objects in a request',
        columns: ['objects', 'body', 'objects/s', 'requests', 'request, ms', 'per object'],
        rows: figures.map((one) => [
          countText(one.objects),
          bytesText(one.bytes),
          countText(rateOf(one)),
          String(one.sent),
          latencyText(median(one.times)),
          timeText(quotient(median(one.times), one.objects)),
        ]),
        notes: ['Where a round held too few requests for a median, its longest stands for it.'],
      },
    ],
    gates: figures.map(({ objects, sent, failed }) =>
      equalGate(
        `${countedText(objects, 'object')} a request: requests answered with all accepted`,
        'verdicts',
        sent,
        sent === 0 ? undefined : sent - failed,
      ),
    ),
    cells: figures.flatMap(({ objects, rates: samples, times }) => [
      ...medianCell({ id: `${objects}/throughput`, unit: 'per second', samples, larger: true }),
      ...medianCell({ id: `${objects}/latency`, unit: 'ms', samples: times }),
    ]),
  };
}

const unmeasured = (figures: readonly SizeFigures[]): string[] =>
  figures.filter(({ rates }) => rates.length === 0).map(({ objects }) => `${countedText(objects, 'object')} a request`);

interface Rated {
  readonly item: SizeFigures;
  /** Objects a second. */
  readonly value: number;
}

function bestText(best: Rated, rates: readonly Rated[], gain: number | undefined): string {
  // One size alone is not the best of any.
  if (rates.length === 1)
    return `${countedText(best.item.objects, 'object')} a request: ${countText(best.value)} objects/s; time of such a request: ${timeText(median(best.item.times))}`;
  const enough = rates.find(({ value }) => value >= NEARLY * best.value) ?? best;
  const times = gain === undefined ? '' : `, ${timesText(gain)} that of single ones`;
  return `${countedText(enough.item.objects, 'object')} a request reach ${shareText(NEARLY)} of the best throughput (${countText(best.value)} objects/s${times}); time of such a request: ${timeText(median(enough.item.times))}`;
}

function throughputChart(figures: readonly SizeFigures[], best: SizeFigures | undefined, gain: number | undefined): Chart {
  const growth = gain === undefined ? 'Throughput' : `Throughput grows ${timesText(gain)} with the batch, and`;
  return {
    kind: 'scaling',
    id: 'throughput',
    title: best === undefined ? 'Throughput by objects in a request' : `${growth} is best at ${countedText(best.objects, 'object')}`,
    subtitle: `Objects a second at saturation, closed load on ${CONNECTIONS} connections by autocannon; median of the rounds, bars from the slowest to the fastest.`,
    x: { label: 'objects in a request', unit: 'count' },
    y: { label: 'objects a second', unit: 'count' },
    series: [
      {
        name: 'small objects',
        role: 'assay',
        points: plotted(
          figures.map((one) => {
            const range = extent(one.rates);
            return { x: one.objects, y: rateOf(one), lo: range?.least, hi: range?.most };
          }),
        ),
      },
    ],
    verticals: [{ x: CHUNK_LIMITS.items, label: 'most of a chunk' }],
    reading: `A chunk, which one thread judges, holds ${CHUNK_LIMITS.items} objects at most; those of larger requests run side by side.`,
    notShown: 'NDJSON bodies, whose verdicts stream back while the client still sends (see stream-memory).',
  };
}

function latencyChart(figures: readonly SizeFigures[]): Chart {
  const timed = measured(figures, ({ times }) => median(times));
  const [first, last] = [timed[0], timed.at(-1)];
  return {
    kind: 'scaling',
    id: 'latency',
    title: [first, ...(last === first ? [] : [last])]
      .flatMap((one) => (one === undefined ? [] : [`a request of ${countedText(one.item.objects, 'object')} takes ${timeText(one.value)}`]))
      .join('; ')
      .replace(/^a/, 'A'),
    subtitle: 'Median time of a request under that closed load, from sending to the end of the answer.',
    x: { label: 'objects in a request', unit: 'count' },
    y: { label: 'time of a request', unit: 'ms' },
    series: [
      { name: 'a request', role: 'assay', points: timed.map(({ item, value }) => ({ x: item.objects, y: value })) },
      { name: 'per object', role: 'experiment', points: timed.map(({ item, value }) => ({ x: item.objects, y: value / item.objects })) },
    ],
    verticals: [{ x: CHUNK_LIMITS.items, label: 'most of a chunk' }],
    reading: 'Where the upper line is flat, more objects add nothing: the time is the request’s own.',
    notShown: 'what users wait at a given rate: this is a closed load at saturation (see http).',
  };
}
