import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { countText, fixedText, NOT_MEASURED } from '#numbers';
import { LoadRounds } from '../load/load-rounds.ts';
import { startService } from '../load/start-service.ts';
import { startTogether } from '../load/start-together.ts';
import type { Lab } from '../lab.ts';
import { compareRounds, comparisonText } from '../measure/compare-rounds.ts';
import { median } from '#benchmark';
import { sentence } from '../result/sentence.ts';
import { casesOf, timeCells } from '../study/study-report.ts';
import type { CaseFigures } from '../study/study.ts';
import { smallBody } from '../workloads/request-bodies.ts';
import type { Experiment, Findings } from './experiment.ts';

const ROUNDS = { quick: 1, full: 11 } as const;
const SECONDS = { quick: 0.5, full: 5 } as const;
const WARM_UP_REQUESTS = { quick: 50, full: 5000 } as const;

const [OFF, ...SAMPLED] = ['off', '10 %', '100 %'] as const;

/** Experiment about the cost of traces. Three services run at the same time and receive the same load in turns. */
export const tracing: Experiment<readonly CaseFigures[]> = {
  name: 'tracing',
  question: 'How much lower is the throughput of a service if 10 % or 100 % of the requests are traced?',
  measure,
  findings,
};

async function measure(lab: Lab): Promise<readonly CaseFigures[]> {
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
  const rounds = new LoadRounds(
    lab,
    [OFF, ...SAMPLED].flatMap((line, i) => {
      const url = services[i]?.url;
      const [warmUp, length] = [{ requests: lab.of(WARM_UP_REQUESTS) }, { seconds: lab.of(SECONDS) }];
      return url === undefined ? [] : [{ line, url, body: smallBody(1), connections: 4, warmUp, length }];
    }),
  );
  try {
    await rounds.run(lab.of(ROUNDS));
    return rounds.cases;
  } finally {
    await Promise.all(services.map((service) => service.stop()));
    collector.close();
  }
}

function findings(cases: readonly CaseFigures[]): Findings {
  const ratesOf = (line: string): readonly number[] => casesOf(cases, line)[0]?.rates?.['rate'] ?? [];
  const off = ratesOf(OFF);
  const changes = SAMPLED.map((name) => ({ name, beside: compareRounds(off, ratesOf(name)) }));
  return {
    finding: sentence(
      changes.map(
        ({ name, beside }) =>
          `throughput if ${name} of the requests are traced, as a share of the throughput without traces: ${beside.pairs === 0 ? NOT_MEASURED : comparisonText(beside)}`,
      ),
    ),
    tables: [
      {
        title: 'Throughput with traces',
        columns: [
          'share of the requests that are traced',
          'requests a second (median of the rounds)',
          'requests a second ÷ requests a second without traces',
          '95 % interval of this ratio',
        ],
        rows: [
          [OFF, countText(median(off)), '', ''],
          ...changes.map(({ name, beside }) => [
            name,
            countText(median(ratesOf(name))),
            fixedText(beside.ratio, 3),
            beside.kind === 'tooFew' ? NOT_MEASURED : `${beside.lo.toFixed(2)} – ${beside.hi.toFixed(2)}`,
          ]),
        ],
        notes: [
          'Four connections send requests with one small object each. Each connection sends its next request after the answer to the last one (a closed load). The measurements of the three services take turns, so slow minutes of the machine affect all of them.',
        ],
      },
    ],
    cells: timeCells(cases),
  };
}
