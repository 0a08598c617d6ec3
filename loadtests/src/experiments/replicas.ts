import { CHUNK_LIMITS } from '#evaluation';
import { runCell } from '../engines/run-cell.ts';
import { loadTable } from '../load/load-table.ts';
import { slowTraces } from '../load/slow-traces.ts';
import { startFleet } from '../load/start-fleet.ts';
import { startService } from '../load/start-service.ts';
import type { Service } from '../load/start-service.ts';
import { startTogether } from '../load/start-together.ts';
import { countText, timeText, timesText } from '../measure/figures.ts';
import { median } from '../measure/percentile.ts';
import { shuffled } from '../../../testing/seeded-random.ts';
import type { Chart } from '../result/chart.ts';
import { equalGate } from '../result/equal-gate.ts';
import type { ExperimentResult, Gate, Table } from '../result/summary.ts';
import type { Experiment, Findings } from './experiment.ts';
import { kneeChart, kneeOf } from './replicas/knee.ts';
import type { Knee } from './replicas/knee.ts';
import { begin, COMPARED_ITEMS, counted, grown, measure } from './replicas/system.ts';
import type { EngineFigures, System, SystemFigures } from './replicas/system.ts';

const THREADS = [1, 2] as const;
const MOST_WORKERS = { quick: 2, full: 3 } as const;
const ROUNDS = { quick: 1, full: 5 } as const;
const CELL_MS = { quick: 150, full: 3000 } as const;

/** Where does more of it stop helping, in one process and over Redis? */
export const replicas: Experiment = {
  name: 'replicas',
  question: 'How does throughput grow with threads and worker processes, embedded and over Redis, and where is the knee?',
  async run(lab) {
    const [engine] = runCell<EngineFigures>({ from: import.meta.url, path: '../engines/judge-cell' }, [
      String(COMPARED_ITEMS),
      String(lab.of(CELL_MS)),
    ]);
    if (!engine) throw new Error('the engine alone gave no figures');
    const running: Service[] = [];
    const figures: SystemFigures[] = [];
    const knees: Knee[] = [];
    try {
      const [fleet, ...services] = await startTogether([
        () => startFleet({}, { workers: 1, threads: 1 }),
        ...THREADS.map((threads) => () => startService({ ASSAY_THREADS: String(threads) })),
      ]);
      running.push(...services, ...(fleet ? [fleet] : []));
      const embedded = THREADS.flatMap((threads, i): System[] => {
        const url = services[i]?.url;
        return url === undefined ? [] : [{ name: counted(threads, 'thread'), kind: 'embedded', slots: threads, url }];
      });
      for await (const system of lab.each(embedded)) figures.push(await begin(lab, system));
      for await (const workers of lab.each(fleet ? Array.from({ length: lab.of(MOST_WORKERS) }, (_, i) => i + 1) : []))
        figures.push(await begin(lab, await grown(fleet, workers)));
      for await (const round of lab.each(Array.from({ length: lab.of(ROUNDS) - 1 }, (_, i) => i))) {
        lab.say(`round ${round + 2}`);
        // A fleet does not shrink: its smaller sizes keep their one round, and are not compared with later ones.
        for (const one of shuffled(
          figures.filter(({ system }) => system.kind === 'embedded' || system.slots === fleet?.workers.length),
          lab.random,
        ))
          await measure(lab, one);
      }
      const largest = (kind: System['kind']): SystemFigures | undefined => figures.findLast(({ system }) => system.kind === kind);
      for (const one of [largest('embedded'), lab.of({ quick: undefined, full: largest('over Redis') })])
        if (one !== undefined) knees.push(await kneeOf(lab, one));
      const why = fleet ? undefined : 'there is no redis-server';
      const traces = await slowTraces(
        knees.flatMap(({ system, loads }) => loads.slice(-1).map((load) => ({ name: `${system.name}, ${countText(load.rate)}/s`, load }))),
      );
      return findings(figures, knees, { engine, traces, why });
    } finally {
      await Promise.all(running.map((service) => service.stop()));
    }
  },
};

interface Beside {
  readonly engine: EngineFigures;
  readonly traces: ExperimentResult['traces'];
  /** Why there is nothing over Redis. */
  readonly why: string | undefined;
}

function findings(figures: readonly SystemFigures[], knees: readonly Knee[], { engine, traces, why }: Beside): Findings {
  const largestBatch = Math.max(0, ...figures.flatMap(({ rates }) => [...rates.keys()]));
  const rateOf = ({ rates }: SystemFigures, batch: number): number => median(rates.get(batch) ?? []);
  const best = figures
    .filter(({ rates }) => rates.has(largestBatch))
    .toSorted((a, b) => rateOf(b, largestBatch) - rateOf(a, largestBatch))[0];
  const growth = (['embedded', 'over Redis'] as const).flatMap((kind) => {
    const own = figures.filter(({ system, rates }) => system.kind === kind && rates.has(largestBatch));
    const [first, last] = [own[0], own.at(-1)];
    if (first === undefined || last === undefined || first === last) return [];
    const unit = kind === 'embedded' ? 'threads' : 'workers';
    const ratio = rateOf(last, largestBatch) / rateOf(first, largestBatch);
    return [`${kind}, ${last.system.slots} ${unit} judge ${timesText(ratio)} what one does`];
  });
  return {
    finding:
      best === undefined
        ? 'Nothing was measured'
        : `${growth.length > 0 ? `${sentence(growth.join('; '))}; at` : 'At'} best ${countText(rateOf(best, largestBatch))} objects/s (${best.system.name}), where one thread of the engine alone judges ${countText(engine.perSecond)}`,
    charts: [...(best === undefined ? [] : [throughputChart(figures, engine, largestBatch)]), ...kneeChart(knees)],
    tables: [
      throughputTable(figures, engine),
      ...(knees.some(({ loads }) => loads.length > 0)
        ? [
            loadTable(
              'Rising rates, one small object a request',
              knees.flatMap(({ system, loads }) => loads.map((load) => ({ name: `${system.name}, open`, load }))),
            ),
          ]
        : []),
    ],
    gates: gates(figures, engine),
    cells: [
      ...figures.flatMap(({ system, rates }) =>
        [...rates].map(([batch, samples]) => ({
          id: `${system.name}/${batch} a request`,
          unit: 'per second' as const,
          samples: [...samples],
          statistic: 'median' as const,
          value: median(samples),
          larger: true,
        })),
      ),
      { id: 'engine alone', unit: 'per second', samples: [engine.perSecond], statistic: 'median', value: engine.perSecond, larger: true },
    ],
    notes: [
      'The load generator, the API and all workers share the machine’s cores: beyond their number nothing can grow here, whatever the service could do on more machines.',
      ...(figures.some(({ rates }) => (rates.get(1)?.length ?? 0) > 1)
        ? ['A fleet grows and does not shrink: its smaller sizes have one round, the largest and the embedded services have all.']
        : []),
      ...(why === undefined ? [] : [`Nothing was measured over Redis: ${why}.`]),
    ],
    traces: [...traces],
  };
}

const sentence = (text: string): string => `${text.slice(0, 1).toUpperCase()}${text.slice(1)}`;

function throughputChart(figures: readonly SystemFigures[], engine: EngineFigures, largestBatch: number): Chart {
  const rates = (batch: number): number[] => figures.flatMap(({ rates }) => (rates.has(batch) ? [median(rates.get(batch) ?? [])] : []));
  const gain = Math.max(...rates(largestBatch)) / Math.max(...rates(1));
  return {
    kind: 'dots',
    id: 'throughput',
    title: Number.isFinite(gain)
      ? `Sending ${countText(largestBatch)} objects at once judges ${timesText(gain)} as many as sending them singly`
      : 'Objects judged a second',
    subtitle:
      'Objects a second at saturation, closed load by autocannon; median of the rounds. Rows of threads are embedded, rows of workers over Redis with one thread each.',
    x: { label: 'objects a second', unit: 'count' },
    rows: figures.map(({ system, rates }) => ({
      name: system.name,
      values: [1, largestBatch].flatMap((batch) => {
        const samples = rates.get(batch);
        if (samples === undefined) return [];
        return [
          {
            series: batch === 1 ? 'one object a request' : `${countText(batch)} a request`,
            role: batch === 1 ? ('experiment' as const) : ('ours' as const),
            value: median(samples),
            lo: Math.min(...samples),
            hi: Math.max(...samples),
          },
        ];
      }),
    })),
    verticals: [{ x: engine.perSecond, label: 'engine, 1 thread' }],
    reading:
      'The line is what judging alone allows one thread; left of it stands what carrying the objects costs, and where rows differ little, another part than judging is the narrowest.',
    notShown: 'machines of their own for API, Redis and workers; and requests of several clients that wait for each other (see fairness).',
  };
}

/** Cost of carrying, from saturation: time of all threads for a chunk, less what judging takes. */
function throughputTable(figures: readonly SystemFigures[], engine: EngineFigures): Table {
  const batches = [...new Set(figures.flatMap(({ rates }) => [...rates.keys()]))].toSorted((a, b) => a - b);
  return {
    title: 'Objects judged a second, and what chunks cost beside judging',
    columns: [
      'system',
      ...batches.map((batch) => `${countText(batch)} a request`),
      'overhead of one object',
      `overhead of ${CHUNK_LIMITS.items}, the most of a chunk`,
    ],
    rows: [
      ...figures.map(({ system, rates }) => {
        const overhead = (batch: number | undefined): string => {
          const rate = median(rates.get(batch ?? -1) ?? []);
          const items = Math.min(batch ?? 1, CHUNK_LIMITS.items);
          const ms = (1000 * items) / rate - (1000 * items) / (engine.perSecond * system.slots);
          return Number.isFinite(ms) ? timeText(Math.max(0, ms)) : '–';
        };
        return [
          system.name,
          ...batches.map((batch) => countText(median(rates.get(batch) ?? []))),
          overhead(1),
          overhead(batches.findLast((batch) => batch % CHUNK_LIMITS.items === 0)),
        ];
      }),
      ['engine alone, one thread', ...batches.map(() => countText(engine.perSecond)), '', ''],
    ],
    notes: [
      'Overhead: time for so many objects at saturation, less the time in which the engine’s threads judge them. It holds the request, the queue, the way between processes, and the load generator’s share of the cores.',
    ],
  };
}

/** Nothing lost, and the same verdicts at the same cost everywhere. */
function gates(figures: readonly SystemFigures[], engine: EngineFigures): Gate[] {
  const [first] = figures;
  return figures.flatMap(({ system, requests, verdicts }) => [
    equalGate(
      `${system.name}: requests answered with all objects accepted, or refused with 429 under open load`,
      'verdicts',
      requests.sent,
      requests.sent - requests.failed,
    ),
    equalGate(`${system.name}: ${COMPARED_ITEMS} objects accepted as by the engine alone`, 'verdicts', engine.accepted, verdicts.accepted),
    equalGate(`${system.name}: their cost`, 'cost units', engine.cost, verdicts.cost),
    ...(first === undefined || first.system === system
      ? []
      : [equalGate(`${system.name}: verdicts as ${first.system.name}`, 'verdicts', first.verdicts.digest, verdicts.digest)]),
  ]);
}
