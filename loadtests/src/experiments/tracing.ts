import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { writeJson } from '#go';
import { closedLoad } from '../load/closed-load.ts';
import { startService } from '../load/start-service.ts';
import { pairedRatio } from '../measure/paired-ratio.ts';
import { median } from '../measure/percentile.ts';
import { KEP_LISTS, listDefinition } from '../workloads/list-workload.ts';
import type { Experiment } from './experiment.ts';

const ROUNDS = { quick: 1, full: 11 } as const;
const SECONDS = { quick: 0.5, full: 5 } as const;

/** What does watching cost? Three services run side by side and take turns under the same load. */
export const tracing: Experiment = {
  name: 'tracing',
  question: 'How much throughput do traces cost, switched off, at 10 % and at 100 %?',
  async run(lab) {
    const collector = createServer((request, response) => {
      request.resume();
      request.on('end', () => response.writeHead(200).end());
    });
    await new Promise<void>((resolve) => collector.listen(0, '127.0.0.1', resolve));
    const endpoint = `http://127.0.0.1:${(collector.address() as AddressInfo).port}`;
    const sampled = (share: string): Record<string, string> => ({
      OTEL_EXPORTER_OTLP_ENDPOINT: endpoint,
      OTEL_TRACES_SAMPLER: 'parentbased_traceidratio',
      OTEL_TRACES_SAMPLER_ARG: share,
    });
    const variants: [string, Record<string, string>][] = [
      ['off', {}],
      ['10 %', sampled('0.1')],
      ['100 %', sampled('1')],
    ];
    const services = await Promise.all(variants.map(([, variables]) => startService(variables)));
    const rates = variants.map((): number[] => []);
    try {
      for await (const round of lab.each(Array.from({ length: lab.of(ROUNDS) + 1 }, (_, i) => i))) {
        lab.say(`round ${round}`);
        for (const [i, service] of services.entries()) {
          const load = await closedLoad(`${service.url}/evaluate`, body(), { connections: 4, seconds: lab.of(SECONDS) });
          // The first round warms up and is not counted.
          if (round > 0) rates[i]?.push(load.requestsPerSecond);
        }
      }
    } finally {
      await Promise.all(services.map((service) => service.stop()));
      collector.close();
    }
    const [off = []] = rates;
    const changes = variants.slice(1).map(([name], i) => {
      const own = rates[i + 1] ?? [];
      return { name, rate: median(own), ...pairedRatio(own, off, lab.seed) };
    });
    return {
      finding: changes
        .map(({ name, ratio }) => `${name} of the traces cost ${((1 - ratio) * 100).toFixed(0)} % of the throughput`)
        .join('; '),
      tables: [
        {
          title: 'Throughput with traces',
          columns: ['traces', 'requests/s (median)', 'against off', '95 % interval'],
          rows: [
            ['off', median(off).toFixed(0), '', ''],
            ...changes.map(({ name, rate, ratio, lo, hi }) => [
              name,
              rate.toFixed(0),
              ratio.toFixed(3),
              `${lo.toFixed(2)} – ${hi.toFixed(2)}`,
            ]),
          ],
          notes: [
            'One small object a request on four connections, closed load; the three services take turns, so slow minutes hit all of them.',
          ],
        },
      ],
      cells: variants.map(([name], i) => ({
        id: name,
        unit: 'per second',
        samples: rates[i] ?? [],
        statistic: 'median',
        value: median(rates[i] ?? []),
        larger: true,
      })),
    };
  },
};

function body(): string {
  const [workload] = KEP_LISTS;
  if (!workload) throw new Error('no workload');
  const object =
    '{"apiVersion":"lists.assay.example.com/v1","kind":"ListHolder","metadata":{"name":"x","namespace":"default"},"list":["a","ab"]}';
  return `{"definitions":[${writeJson(listDefinition(workload))}],"objects":[${object}]}`;
}
