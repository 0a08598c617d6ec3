import { latestServer, writeJson } from '#kube';
import { checkOptions, definitionText } from '#evaluation';
import type { ChunkSettings, DocumentSlice } from '#evaluation';
import { EngineHost, runChunk } from '#runner';
import { timeText } from '../measure/figures.ts';
import { Latencies, latencyText } from '../measure/latencies.ts';
import type { LatencySummary } from '../measure/latencies.ts';
import { probeDefinition, probeObject } from '../workloads/long-work.ts';
import type { LongWork } from '../workloads/long-work.ts';
import type { Experiment } from './experiment.ts';

const SAMPLES = { quick: 25, full: 200 } as const;
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

/** How long after the wish to stop does the work really stop? */
export const cancellation: Experiment = {
  name: 'cancellation',
  question: 'How long does running work go on after it was cancelled?',
  async run(lab) {
    const host = new EngineHost(1);
    await host.start();
    const kinds: { readonly kind: LongWork; readonly times: readonly number[] }[] = [];
    try {
      for await (const kind of lab.each(KINDS)) {
        lab.say(kind);
        kinds.push({ kind, times: await stopTimes(host, kind, lab.of(SAMPLES)) });
      }
    } finally {
      host.stop();
    }
    const all = kinds.map(({ kind, times }) => ({ kind, times, latencies: summaryOf(times) }));
    const slowest = Math.max(...all.map(({ latencies }) => latencies.max));
    return {
      finding: `Cancelled work stops within ${timeText(Math.max(...all.map(({ latencies }) => latencies.p50 ?? Number.NaN)))} at the median and ${timeText(slowest)} at the most`,
      charts: [
        {
          kind: 'dots',
          id: 'stop',
          title: `Every kind of work stopped within ${timeText(slowest)}`,
          subtitle: 'From the wish to stop, at moments spread over the work, to the answer of the engine host.',
          x: { label: 'time until stopped', unit: 'ms' },
          rows: all.map(({ kind, latencies }) => ({
            name: kind,
            values: [
              { series: 'median', role: 'ours', value: latencies.p50 ?? latencies.max },
              { series: 'longest', role: 'shipped', value: latencies.max },
            ],
          })),
          verticals: [{ x: 300, label: 'grace: then the thread is ended' }],
          reading:
            'Rules and walks look at a shared flag every few hundred steps. What Node does in one go, such as reading 3 MB, ends first.',
          notShown: 'the way from a client to the service; and work in other processes than one engine host.',
        },
      ],
      tables: [
        {
          title: 'Time until stopped, ms',
          columns: ['work', 'samples', 'p50', 'p90', 'p99', 'max', 'histogram (up to ms: samples)'],
          rows: all.map(({ kind, times, latencies: { samples, p50, p90, p99, max } }) => [
            kind,
            String(samples),
            ...[p50, p90, p99, max].map(latencyText),
            histogramText(times),
          ]),
          notes: ['A percentile with fewer than ten samples above it is not told. Passing messages between the processes is included.'],
        },
      ],
      cells: all.map(({ kind, times, latencies }) => ({
        id: kind,
        unit: 'ms',
        samples: [...times],
        statistic: 'median',
        value: latencies.p50,
      })),
    };
  },
};

function summaryOf(times: readonly number[]): LatencySummary {
  const latencies = new Latencies();
  for (const time of times) latencies.add(time);
  return latencies.summary();
}

async function stopTimes(host: EngineHost, kind: LongWork, samples: number): Promise<number[]> {
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
  for (let sample = 0; sample < samples; sample++) {
    const controller = new AbortController();
    const running = runChunk(host, { evaluation: 'e', index: 0, firstItem: 0, items, settings }, [text], { signal: controller.signal });
    await new Promise((resolve) => setTimeout(resolve, spread(sample)));
    const started = performance.now();
    controller.abort();
    const result = await running;
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
