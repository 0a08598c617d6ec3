import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { writeJson } from '#kube';
import { closedLoad } from '../load/closed-load.ts';
import { startService } from '../load/start-service.ts';
import { median } from '../measure/percentile.ts';
import { KEP_LISTS, listDefinition } from '../workloads/list-workload.ts';
import type { Experiment } from './experiment.ts';

const ROUNDS = { quick: 3, full: 9 } as const;
const SECONDS = { quick: 2, full: 5 } as const;

/** What does watching cost? Three services run side by side and take turns under the same load. */
export const tracing: Experiment = {
  name: 'tracing',
  question: 'How much throughput do traces cost, switched off, at 10 % and at 100 %?',
  async run(thoroughness, say) {
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
      for (let round = 0; round <= ROUNDS[thoroughness]; round++) {
        say(`round ${round}`);
        for (const [i, service] of services.entries()) {
          const load = await closedLoad(`${service.url}/evaluate`, body(), 4, SECONDS[thoroughness]);
          // The first round warms up and is not counted.
          if (round > 0) rates[i]?.push(load.requestsPerSecond);
        }
      }
    } finally {
      await Promise.all(services.map((service) => service.stop()));
      collector.close();
    }
    const off = median(rates[0] ?? []);
    const rows = variants.map(([name], i) => {
      const rate = median(rates[i] ?? []);
      return [
        name,
        rate.toFixed(0),
        `${((100 * (rate - off)) / off).toFixed(1)} %`,
        (rates[i] ?? []).map((value) => value.toFixed(0)).join(' '),
      ];
    });
    return {
      columns: ['traces', 'requests/s (median)', 'against off', 'all rounds'],
      rows,
      failedGates: [],
      notes: ['One small object a request on four connections; the three services take turns, so slow minutes hit all of them.'],
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
