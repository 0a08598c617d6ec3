import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { countedText, countText, fixedText, NOT_MEASURED, shareText } from '#charts';
import { closedLoad } from '../load/closed-load.ts';
import { startService } from '../load/start-service.ts';
import { startTogether } from '../load/start-together.ts';
import type { Lab } from '../lab.ts';
import { compareRounds } from '../measure/compare-rounds.ts';
import { median } from '#benchmark';
import type { PairComparison } from '#benchmark';
import { medianCell } from '../result/report-cell.ts';
import { sentence } from '../result/sentence.ts';
import { smallBody } from '../workloads/request-bodies.ts';
import type { Experiment, Findings } from './experiment.ts';

const ROUNDS = { quick: 1, full: 11 } as const;
const SECONDS = { quick: 0.5, full: 5 } as const;

/** Requests a second without traces and with a share of them, a figure a round. */
export interface TracingData {
  readonly off: readonly number[];
  readonly sampled: readonly { readonly name: string; readonly rates: readonly number[] }[];
}

/** What do traces cost? Three services run side by side and take turns under the same load. */
export const tracing: Experiment<TracingData> = {
  name: 'tracing',
  question: 'How much throughput do traces cost, switched off, at 10 % and at 100 %?',
  measure,
  findings,
};

async function measure(lab: Lab): Promise<TracingData> {
  const collector = createServer((request, response) => {
    request.resume();
    request.on('end', () => response.writeHead(200).end());
  });
  await new Promise<void>((resolve) => collector.listen(0, '127.0.0.1', resolve));
  const endpoint = `http://127.0.0.1:${(collector.address() as AddressInfo).port}`;
  const sampler = (share: string): Record<string, string> => ({
    OTEL_EXPORTER_OTLP_ENDPOINT: endpoint,
    OTEL_TRACES_SAMPLER: 'parentbased_traceidratio',
    OTEL_TRACES_SAMPLER_ARG: share,
  });
  const services = await startTogether([{}, sampler('0.1'), sampler('1')].map((variables) => () => startService(variables)));
  const off: number[] = [];
  const sampled = [
    { name: '10 %', rates: [] as number[] },
    { name: '100 %', rates: [] as number[] },
  ];
  try {
    for await (const round of lab.each(Array.from({ length: lab.of(ROUNDS) + 1 }, (_, i) => i))) {
      lab.say(`round ${round}`);
      for (const [i, service] of services.entries()) {
        const load = await closedLoad(`${service.url}/evaluate`, smallBody(1).text, {
          connections: 4,
          seconds: lab.of(SECONDS),
          signal: lab.signal,
        });
        // The first round warms up and is not counted.
        if (round > 0) [off, ...sampled.map(({ rates }) => rates)][i]?.push(load.requestsPerSecond);
      }
    }
  } finally {
    await Promise.all(services.map((service) => service.stop()));
    collector.close();
  }
  return { off, sampled };
}

function findings({ off, sampled }: TracingData): Findings {
  const changes = sampled.map(({ name, rates }) => ({ name, rates, beside: compareRounds(off, rates) }));
  return {
    finding: sentence(changes.map(({ name, beside }) => `${name} of the traces: ${changeText(beside)}`)),
    tables: [
      {
        title: 'Throughput with traces',
        columns: ['traces', 'requests/s (median)', 'against off', '95 % interval'],
        rows: [
          ['off', countText(median(off)), '', ''],
          ...changes.map(({ name, rates, beside }) => [
            name,
            countText(median(rates)),
            fixedText(beside.ratio, 3),
            beside.kind === 'tooFew' ? NOT_MEASURED : `${beside.lo.toFixed(2)} – ${beside.hi.toFixed(2)}`,
          ]),
        ],
        notes: [
          'One small object a request on four connections, closed load; the three services take turns, so slow minutes affect all of them.',
        ],
      },
    ],
    cells: [{ name: 'off', rates: off }, ...sampled].flatMap(({ name, rates }) =>
      medianCell({ id: name, unit: 'per second', samples: rates, larger: true }),
    ),
  };
}

function changeText(beside: PairComparison): string {
  if (beside.ratio === undefined) return NOT_MEASURED;
  const few = beside.kind === 'tooFew' ? `, of ${countedText(beside.pairs, 'round')}, too few for a conclusion` : '';
  return `${shareText(beside.ratio)} of the throughput without traces${few}`;
}
