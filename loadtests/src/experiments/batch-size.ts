import { CHUNK_LIMITS } from '#evaluation';
import { closedLoad } from '../load/closed-load.ts';
import { startService } from '../load/start-service.ts';
import type { Lab, Thoroughness } from '../lab.ts';
import { bytesText, countText, timeText, timesText } from '../measure/figures.ts';
import { latencyText } from '../measure/latencies.ts';
import { median } from '../measure/percentile.ts';
import { shuffled } from '../../../testing/seeded-random.ts';
import { equalGate } from '../result/equal-gate.ts';
import { smallBody } from '../workloads/request-bodies.ts';
import type { EvaluateBody } from '../workloads/request-bodies.ts';
import type { Experiment, Findings } from './experiment.ts';

const SIZES: Readonly<Record<Thoroughness, readonly number[]>> = {
  quick: [1, 10, 100, 1000, 10_000],
  full: [1, 3, 10, 30, 100, 250, 500, 1000, 3000, 10_000],
};
const ROUNDS = { quick: 2, full: 5 } as const;
/** Objects that a round sends, in as many requests as that makes, within bounds. */
const OBJECTS = { quick: 4000, full: 60_000 } as const;
const REQUESTS: Readonly<Record<Thoroughness, { readonly fewest: number; readonly most: number }>> = {
  quick: { fewest: 2, most: 100 },
  full: { fewest: 20, most: 2000 },
};
const WARM_UP_REQUESTS = { quick: 20, full: 200 } as const;
/** One that waits, and one that fills the pause between its requests. */
const CONNECTIONS = 2;
/** Throughput of a size counts as full from this share of the best on. */
const NEARLY = 0.8;

/** How many objects should a request hold? */
export const batchSize: Experiment = {
  name: 'batch-size',
  question: 'How do throughput and latency depend on the number of objects in a request?',
  async run(lab) {
    const service = await startService();
    const figures = lab.of(SIZES).map((objects): SizeFigures => ({ body: smallBody(objects), rates: [], times: [], sent: 0, failed: 0 }));
    try {
      const url = `${service.url}/evaluate`;
      await closedLoad(url, smallBody(CHUNK_LIMITS.items).text, {
        connections: CONNECTIONS,
        requests: lab.of(WARM_UP_REQUESTS),
        signal: lab.signal,
      });
      // Every size has a turn before any has a second.
      const turns = Array.from({ length: lab.of(ROUNDS) }, () => shuffled(figures, lab.random)).flat();
      for await (const one of lab.each(turns)) await measure(lab, url, one);
    } finally {
      await service.stop();
    }
    return findings(figures.filter(({ rates }) => rates.length > 0));
  },
};

interface SizeFigures {
  readonly body: EvaluateBody;
  /** Objects a second, a figure a round. */
  readonly rates: number[];
  /** ms of a request: the median of a round, or its longest where a round held too few requests for a median. */
  readonly times: number[];
  sent: number;
  failed: number;
}

async function measure(lab: Lab, url: string, figures: SizeFigures): Promise<void> {
  const { body } = figures;
  lab.say(body.name);
  const { fewest, most } = lab.of(REQUESTS);
  const requests = Math.max(fewest, Math.min(most, Math.round(lab.of(OBJECTS) / body.objects)));
  const load = await closedLoad(url, body.text, { connections: CONNECTIONS, requests, expected: body.accepted, signal: lab.signal });
  figures.sent += load.requests;
  figures.failed += load.failures;
  if (load.requests === 0) return;
  figures.rates.push(load.requestsPerSecond * body.objects);
  figures.times.push(load.latencies.p50 ?? load.latencies.max);
}

function findings(figures: readonly SizeFigures[]): Findings {
  const rate = ({ rates }: SizeFigures): number => median(rates);
  const best = figures.toSorted((a, b) => rate(b) - rate(a))[0];
  const first = figures[0];
  const enough = best && figures.find((one) => rate(one) >= NEARLY * rate(best));
  const gain = best && first ? rate(best) / rate(first) : Number.NaN;
  return {
    finding:
      best === undefined || enough === undefined
        ? 'Nothing was measured'
        : `${countText(enough.body.objects)} objects a request reach ${(NEARLY * 100).toFixed(0)} % of the best throughput (${countText(rate(best))} objects/s, ${timesText(gain)} that of single ones) and are answered within ${timeText(median(enough.times))}`,
    charts:
      best === undefined
        ? []
        : [
            {
              kind: 'scaling',
              id: 'throughput',
              title: `Throughput grows ${timesText(gain)} with the batch, and is best at ${countText(best.body.objects)} objects`,
              subtitle: `Objects a second at saturation, closed load on ${CONNECTIONS} connections by autocannon; median of the rounds, bars from the slowest to the fastest.`,
              x: { label: 'objects in a request', unit: 'count' },
              y: { label: 'objects a second', unit: 'count' },
              series: [
                {
                  name: 'small objects',
                  role: 'ours',
                  points: figures.map((one) => ({
                    x: one.body.objects,
                    y: rate(one),
                    lo: Math.min(...one.rates),
                    hi: Math.max(...one.rates),
                  })),
                },
              ],
              verticals: [{ x: CHUNK_LIMITS.items, label: 'most of a chunk' }],
              reading: `A chunk, which one thread judges, holds ${CHUNK_LIMITS.items} objects at most; those of larger requests run side by side.`,
              notShown: 'NDJSON bodies, whose verdicts stream back while the client still sends (see stream-memory).',
            },
            {
              kind: 'scaling',
              id: 'latency',
              title: `A request of ${countText(figures.at(-1)?.body.objects ?? 0)} objects takes ${timeText(median(figures.at(-1)?.times ?? []))}, one of a single object ${timeText(median(first?.times ?? []))}`,
              subtitle: 'Median time of a request under that closed load, from sending to the end of the answer.',
              x: { label: 'objects in a request', unit: 'count' },
              y: { label: 'time of a request', unit: 'ms' },
              series: [
                { name: 'a request', role: 'ours', points: figures.map(({ body, times }) => ({ x: body.objects, y: median(times) })) },
                {
                  name: 'per object',
                  role: 'experiment',
                  points: figures.map(({ body, times }) => ({ x: body.objects, y: median(times) / body.objects })),
                },
              ],
              verticals: [{ x: CHUNK_LIMITS.items, label: 'most of a chunk' }],
              reading: 'Where the upper line is flat, objects are added for nothing: the time is the request’s own.',
              notShown: 'what users wait at a given rate: this is a closed load at saturation (see http).',
            },
          ],
    tables: [
      {
        title: 'By objects in a request',
        columns: ['objects', 'body', 'objects/s', 'requests', 'request, ms', 'per object'],
        rows: figures.map(({ body, rates, times, sent }) => [
          countText(body.objects),
          bytesText(Buffer.byteLength(body.text)),
          countText(median(rates)),
          String(sent),
          latencyText(median(times)),
          timeText(median(times) / body.objects),
        ]),
        notes: ['Where a round held too few requests for a median, its longest stands for it.'],
      },
    ],
    gates: figures.map(({ body, sent, failed }) =>
      equalGate(`${body.name}: requests answered with all accepted`, 'verdicts', sent, sent - failed),
    ),
    cells: figures.flatMap(({ body, rates, times }) => [
      {
        id: `${body.objects}/throughput`,
        unit: 'per second' as const,
        samples: rates,
        statistic: 'median' as const,
        value: median(rates),
        larger: true,
      },
      { id: `${body.objects}/latency`, unit: 'ms' as const, samples: times, statistic: 'median' as const, value: median(times) },
    ]),
  };
}
