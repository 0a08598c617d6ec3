import { latestServer, writeJson } from '#kube';
import { checkOptions, definitionText } from '#evaluation';
import type { ChunkSettings, DocumentSlice } from '#evaluation';
import { EngineHost, runChunk } from '#runner';
import { percentile } from '../measure/percentile.ts';
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
  async run(thoroughness, say) {
    const host = new EngineHost(1);
    await host.start();
    const rows: string[][] = [];
    try {
      for (const kind of KINDS) {
        say(kind);
        rows.push(rowOf(kind, await stopTimes(host, kind, SAMPLES[thoroughness])));
      }
    } finally {
      host.stop();
    }
    return {
      columns: ['work', 'samples', 'p50 ms', 'p99 ms', 'max ms', 'histogram (up to ms: samples)'],
      rows,
      failedGates: [],
      notes: ['From abort() in the service to the answer of the engine host, so passing messages between the processes is included.'],
    };
  },
};

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
    const running = runChunk(host, { evaluation: 'e', index: 0, firstItem: 0, items, settings }, [text], controller.signal);
    await new Promise((resolve) => setTimeout(resolve, spread(sample)));
    const started = performance.now();
    controller.abort();
    const result = await running;
    if (result.tally.cancelled > 0) times.push(performance.now() - started);
  }
  return times;
}

function rowOf(kind: LongWork, times: readonly number[]): string[] {
  let from = 0;
  const histogram = BUCKETS.map((to) => {
    const count = times.filter((time) => time >= from && time < to).length;
    from = to;
    return count === 0 ? '' : `${to === Number.POSITIVE_INFINITY ? 'more' : to}: ${count}`;
  }).filter((text) => text !== '');
  return [kind, String(times.length), ...[50, 99, 100].map((p) => percentile(times, p).toFixed(2)), histogram.join(', ')];
}
