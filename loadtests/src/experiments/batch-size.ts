import { CHUNK_LIMITS } from '#documents';
import { bytesText, countedText, countText, shareText, timesText, timeText } from '#numbers';
import type { Chart } from '#report/charts';
import type { ByThoroughness } from '../lab.ts';
import { answeredGate } from '../load/load-figures.ts';
import { LoadRounds } from '../load/load-rounds.ts';
import { startService } from '../load/start-service.ts';
import { measured, quotient } from '../measure/quotient.ts';
import { missing, sentence } from '../result/sentence.ts';
import { growthChart, numberOf, rateOf, timeCells, timeOf } from '../study/study-report.ts';
import type { GrowthChart } from '../study/study-report.ts';
import type { CaseFigures } from '../study/study.ts';
import { smallBody } from '../workloads/request-bodies.ts';
import type { Experiment, Findings } from './experiment.ts';

const SIZES: ByThoroughness<readonly number[]> = {
  quick: [1, 10, 100, 1000, 10_000],
  full: [1, 3, 10, 30, 100, 250, 500, 1000, 3000, 10_000],
};
const ROUNDS = { quick: 2, full: 5 } as const;
/** Number of objects that a round sends. The number of requests is computed from this number and limited to the range in `REQUESTS`. */
const OBJECTS = { quick: 4000, full: 60_000 } as const;
const REQUESTS: ByThoroughness<{ readonly fewest: number; readonly most: number }> = {
  quick: { fewest: 2, most: 100 },
  full: { fewest: 20, most: 2000 },
};
const WARM_UP_REQUESTS = { quick: 4, full: 20 } as const;
/** Number of connections. Between two requests of one connection, the other connection keeps the service busy. */
const CONNECTIONS = 2;
/** Share of the best throughput from which a batch size counts as fully efficient. */
const NEARLY = 0.8;

/** An experiment about the best number of objects in a request. */
export const batchSize: Experiment<readonly CaseFigures[]> = {
  name: 'batch-size',
  question: 'How do throughput and latency depend on the number of objects in a request?',
  async measure(lab) {
    const service = await startService();
    const { fewest, most } = lab.of(REQUESTS);
    const load = { line: 'embedded', url: service.url, connections: CONNECTIONS, warmUp: { requests: lab.of(WARM_UP_REQUESTS) } };
    const rounds = new LoadRounds(
      lab,
      lab.of(SIZES).map((objects) => {
        const requests = Math.max(fewest, Math.min(most, Math.round(lab.of(OBJECTS) / objects)));
        return { ...load, body: smallBody(objects), length: { requests } };
      }),
    );
    try {
      await rounds.run(lab.of(ROUNDS));
    } finally {
      await service.stop();
    }
    return rounds.cases;
  },
  findings,
};

const objectsText = ({ size }: CaseFigures): string => `${countedText(size, 'object')} a request`;
const waitText = (one: CaseFigures): string => `time of such a request: ${timeText(timeOf(one, 'request'))}`;

function findings(cases: readonly CaseFigures[]): Findings {
  const rates = measured(cases, rateOf);
  const best = rates.toSorted((a, b) => b.value - a.value)[0];
  const single = rates.find(({ item }) => item.size === 1);
  const gain =
    best && single && best !== single ? `, ${timesText(quotient(best.value, single.value))} the throughput with one object a request` : '';
  const enough = rates.find(({ value }) => best !== undefined && value >= NEARLY * best.value);
  return {
    finding: sentence([
      best &&
        enough &&
        `${objectsText(enough.item)} reach ${shareText(NEARLY)} of the best throughput (${countText(best.value)} objects/s${gain}); ${waitText(enough.item)}`,
      missing(cases.filter((one) => rateOf(one) === undefined).map(objectsText)),
    ]),
    charts: [
      throughputChart(
        cases,
        best === undefined ? 'Throughput by objects in a request' : `Throughput is best at ${objectsText(best.item)}${gain}`,
      ),
      latencyChart(cases),
    ],
    tables: [
      {
        title: 'Throughput and time by the number of objects in a request',
        columns: [
          'objects in a request',
          'size of the body',
          'judged objects a second',
          'number of requests that were sent',
          'median time of a request',
          'time of a request ÷ objects in the request',
        ],
        rows: measured(cases, rateOf).map(({ item, value }) => [
          countText(item.size),
          bytesText(numberOf(item, 'bytes')),
          countText(value),
          countText(numberOf(item, 'sent')),
          timeText(timeOf(item, 'request')),
          timeText(quotient(timeOf(item, 'request'), item.size)),
        ]),
        notes: ['If a round had too few requests for a median, the longest time of that round is used instead.'],
      },
    ],
    gates: cases.map((one) => answeredGate(`${objectsText(one)}: requests answered with all accepted`, [one])),
    cells: timeCells(cases),
  };
}

const CHART: Pick<GrowthChart, 'x' | 'verticals'> = {
  x: { label: 'objects in a request', unit: 'count' },
  verticals: [{ x: CHUNK_LIMITS.items, label: 'most of a chunk' }],
};

const throughputChart = (cases: readonly CaseFigures[], title: string): Chart =>
  growthChart({
    ...CHART,
    id: 'throughput',
    title,
    subtitle: `The most objects a second that the service can judge (throughput at *saturation*). The program autocannon sends the requests on ${CONNECTIONS} connections, each request after the answer of the last one (a closed load); median of the rounds. The bars show the slowest and the fastest round.`,
    y: { label: 'objects a second', unit: 'count' },
    lines: [{ name: 'small objects', role: 'assay', cases, what: 'rate' }],
    reading: `A chunk is the group of objects that one thread judges together. A chunk has at most ${CHUNK_LIMITS.items} objects. If a request has more chunks, several threads judge them at the same time.`,
    notShown: 'NDJSON bodies, for which the service sends verdicts while the client still sends objects (see the section memory).',
  });

function latencyChart(cases: readonly CaseFigures[]): Chart {
  const each = cases.map((one) => ({ ...one, times: { request: (one.times['request'] ?? []).map((ms) => ms / one.size) } }));
  return growthChart({
    ...CHART,
    id: 'latency',
    title: ['Time of a request', 'the number of its objects'],
    subtitle: 'Median time from sending a request to the end of its answer, under the same load.',
    y: { label: 'time of a request', unit: 'ms' },
    lines: [
      { name: 'a request', role: 'assay', cases, what: 'request' },
      { name: 'per object', role: 'experiment', cases: each, what: 'request' },
    ],
    reading: 'If a part of the upper line is flat, more objects do not add time there, because the request itself takes most of the time.',
    notShown: 'the time that users wait at a given rate of requests (see the section http).',
  });
}
