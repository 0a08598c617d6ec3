import { CHUNK_LIMITS } from '#evaluation';
import { bytesText, countedText, countText, shareText, timesText, timeText } from '#charts';
import type { Chart } from '#charts';
import { closedLoad } from '../load/closed-load.ts';
import { answeredGate } from '../load/load-figures.ts';
import { LoadRounds } from '../load/load-rounds.ts';
import { startService } from '../load/start-service.ts';
import type { Choice } from '../lab.ts';
import { latencyText } from '../measure/latencies.ts';
import { measured, quotient } from '../measure/quotient.ts';
import { missing, sentence } from '../result/sentence.ts';
import { growthChart, numberOf, rateOf, timeCells, timeOf } from '../study/study-report.ts';
import type { GrowthChart } from '../study/study-report.ts';
import type { CaseFigures } from '../study/study.ts';
import { smallBody } from '../workloads/request-bodies.ts';
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

/** How many objects should a request hold? */
export const batchSize: Experiment<readonly CaseFigures[]> = {
  name: 'batch-size',
  question: 'How do throughput and latency depend on the number of objects in a request?',
  async measure(lab) {
    const service = await startService();
    const { fewest, most } = lab.of(REQUESTS);
    const lengthOf = (objects: number) => ({ requests: Math.max(fewest, Math.min(most, Math.round(lab.of(OBJECTS) / objects))) });
    const load = { line: 'embedded', url: service.url, connections: CONNECTIONS };
    const rounds = new LoadRounds(
      lab,
      lab.of(SIZES).map((objects) => ({ ...load, body: smallBody(objects), length: lengthOf(objects) })),
    );
    try {
      await closedLoad(`${service.url}/evaluate`, smallBody(CHUNK_LIMITS.items).text, {
        connections: CONNECTIONS,
        requests: lab.of(WARM_UP_REQUESTS),
        signal: lab.signal,
      });
      await rounds.run(lab.of(ROUNDS));
    } finally {
      await service.stop();
    }
    return rounds.cases;
  },
  findings,
};

function findings(cases: readonly CaseFigures[]): Findings {
  const rates = measured(cases, rateOf);
  const best = rates.toSorted((a, b) => b.value - a.value)[0];
  const single = cases.find(({ size }) => size === 1);
  const gain = quotient(best?.value, single && rateOf(single));
  return {
    finding: sentence([
      best && bestText(best, rates, gain),
      missing(cases.filter((one) => rateOf(one) === undefined).map(({ size }) => `${countedText(size, 'object')} a request`)),
    ]),
    charts: [throughputChart(cases, rates.length > 1 ? best?.item : undefined, gain), latencyChart(cases)],
    tables:
      best === undefined
        ? []
        : [
            {
              title: 'By objects in a request',
              columns: ['objects', 'body', 'objects/s', 'requests', 'request, ms', 'per object'],
              rows: cases.map((one) => [
                countText(one.size),
                bytesText(numberOf(one, 'bytes')),
                countText(rateOf(one)),
                countText(numberOf(one, 'sent')),
                latencyText(timeOf(one, 'request')),
                timeText(quotient(timeOf(one, 'request'), one.size)),
              ]),
              notes: ['Where a round held too few requests for a median, its longest stands for it.'],
            },
          ],
    gates: cases.map((one) => answeredGate(`${countedText(one.size, 'object')} a request: requests answered with all accepted`, [one])),
    cells: timeCells(cases),
  };
}

interface Rated {
  readonly item: CaseFigures;
  /** Objects a second. */
  readonly value: number;
}

function bestText(best: Rated, rates: readonly Rated[], gain: number | undefined): string {
  const waitText = (one: CaseFigures): string => timeText(timeOf(one, 'request'));
  // One size alone is not the best of any.
  if (rates.length === 1)
    return `${countedText(best.item.size, 'object')} a request: ${countText(best.value)} objects/s; time of such a request: ${waitText(best.item)}`;
  const enough = rates.find(({ value }) => value >= NEARLY * best.value) ?? best;
  const times = gain === undefined ? '' : `, ${timesText(gain)} that of single ones`;
  return `${countedText(enough.item.size, 'object')} a request reach ${shareText(NEARLY)} of the best throughput (${countText(best.value)} objects/s${times}); time of such a request: ${waitText(enough.item)}`;
}

const CHART: Pick<GrowthChart, 'x' | 'verticals'> = {
  x: { label: 'objects in a request', unit: 'count' },
  verticals: [{ x: CHUNK_LIMITS.items, label: 'most of a chunk' }],
};

function throughputChart(cases: readonly CaseFigures[], best: CaseFigures | undefined, gain: number | undefined): Chart {
  const growth = gain === undefined ? 'Throughput' : `Throughput grows ${timesText(gain)} with the batch, and`;
  return growthChart({
    ...CHART,
    id: 'throughput',
    title: best === undefined ? 'Throughput by objects in a request' : `${growth} is best at ${countedText(best.size, 'object')}`,
    subtitle: `Objects a second at saturation, closed load on ${CONNECTIONS} connections by autocannon; median of the rounds, bars from the slowest to the fastest.`,
    y: { label: 'objects a second', unit: 'count' },
    lines: [{ name: 'small objects', role: 'assay', cases, what: 'rate' }],
    reading: `A chunk, which one thread judges, holds ${CHUNK_LIMITS.items} objects at most; those of larger requests run side by side.`,
    notShown: 'NDJSON bodies, whose verdicts stream back while the client still sends (see memory).',
  });
}

function latencyChart(cases: readonly CaseFigures[]): Chart {
  const timed = measured(cases, (one) => timeOf(one, 'request'));
  const [first, last] = [timed[0], timed.at(-1)];
  const each = cases.map((one) => ({ ...one, times: { request: (one.times['request'] ?? []).map((ms) => ms / one.size) } }));
  return growthChart({
    ...CHART,
    id: 'latency',
    title: sentence(
      [first, ...(last === first ? [] : [last])].map(
        (one) => one && `a request of ${countedText(one.item.size, 'object')} takes ${timeText(one.value)}`,
      ),
    ),
    subtitle: 'Median time of a request under that closed load, from sending to the end of the answer.',
    y: { label: 'time of a request', unit: 'ms' },
    lines: [
      { name: 'a request', role: 'assay', cases, what: 'request' },
      { name: 'per object', role: 'experiment', cases: each, what: 'request' },
    ],
    reading: 'Where the upper line is flat, more objects add nothing: the time is the request’s own.',
    notShown: 'what users wait at a given rate: this is a closed load at saturation (see http).',
  });
}
